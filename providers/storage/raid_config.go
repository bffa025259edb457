package storage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/guard"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// arrayConfig is an array as the spec wants it.
type arrayConfig struct {
	driver string
	host   string
	level  int64
	name   string // tells it from every other: the same configuration on the same host has the same
	legs   []legConfig
	chunk  int64 // bytes; 0: the level has none
	layout string
	bitmap string
}

// legConfig is one leg of a nested array; any other array is one leg.
type legConfig struct{ members, spares []guard.Ref }

// nested reports an array of arrays.
func (a arrayConfig) nested() bool { return a.level == 50 || a.level == 60 }

// legLevel is the level of the legs.
func (a arrayConfig) legLevel() int64 {
	if a.nested() {
		return a.level / 10
	}
	return a.level
}

// disks are all of them, leg after leg.
func (a arrayConfig) disks() []guard.Ref {
	var out []guard.Ref
	for _, l := range a.legs {
		out = append(out, l.members...)
		out = append(out, l.spares...)
	}
	return out
}

// largest is the capacity of the largest disk in bytes; 0: not known.
func (a arrayConfig) largest() int64 {
	var n int64
	for _, d := range a.disks() {
		n = max(n, d.Capacity)
	}
	return n
}

func (a arrayConfig) spares() int {
	n := 0
	for _, l := range a.legs {
		n += len(l.spares)
	}
	return n
}

// spareLeg is the first leg that has a spare, or the first.
func (a arrayConfig) spareLeg() int {
	return max(0, slices.IndexFunc(a.legs, func(l legConfig) bool { return len(l.spares) > 0 }))
}

// dataDisks is how many disks' worth of data a stripe has.
func (a arrayConfig) dataDisks() int64 {
	n := int64(len(a.legs[0].members))
	switch a.legLevel() {
	case 1:
		n = 1
	case 5:
		n--
	case 6:
		n -= 2
	case 10:
		n /= a.copies()
	}
	return n * int64(len(a.legs))
}

// copies is how often level 10 has each block: the digit of its layout.
func (a arrayConfig) copies() int64 {
	if len(a.layout) == 2 && a.layout[1] > '2' && a.layout[1] <= '9' {
		return int64(a.layout[1] - '0')
	}
	return 2
}

// fewest is how many members a leg of a level needs.
var fewest = map[int64]int{0: 2, 1: 2, 5: 3, 6: 4, 10: 2}

// arrayOf reads a configuration. What no array can be is a problem.
func arrayOf(t providers.Target) (arrayConfig, []providers.Problem) {
	var problems []providers.Problem
	problem := func(attribute, summary, detail string, args ...any) {
		problems = append(problems, providers.Problem{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(detail, args...)})
	}
	a := arrayConfig{
		driver: stringIn(t.Config, "driver"), level: intIn(t.Config, "level"), chunk: intIn(t.Config, "chunk"),
		layout: stringIn(t.Config, "layout"), bitmap: stringIn(t.Config, "bitmap"), host: hosts(t)[0],
	}
	a.name = "r" + strconv.FormatInt(a.level, 10) + "-" + digest(t)
	if !slices.Contains(raidLevels, a.level) {
		problem("level", "No such level", "There is no RAID %d here; the levels are 0, 1, 5, 6, 10, 50 and 60.", a.level)
		return a, problems
	}
	if len(t.Hosts) > 1 {
		problem("", "An array on several hosts", "An array stands on one host, and this block is on %d. Write a block for each of them.", len(t.Hosts))
	}
	if a.level == 1 {
		a.chunk = 0
	} else if a.chunk&(a.chunk-1) != 0 {
		problem("chunk", "Chunk is no power of two", "%d bytes are no power of two, and RAID %d wants one, such as 64KiB.", a.chunk, a.level)
	}
	a.deal(t.Config, problem)
	return a, problems
}

// deal shares the disks out: to the legs in order, and the spares at the end.
func (a *arrayConfig) deal(config cty.Value, problem func(attribute, summary, detail string, args ...any)) {
	disks := guard.Refs(config.GetAttr("devices"))
	n := 1
	if a.nested() {
		n = int(intIn(config, "legs"))
	}
	byLeg := make([]int, n)
	for i := range byLeg {
		byLeg[i] = int(intIn(config, "spares"))
	}
	if given := config.GetAttr("spares_by_leg"); !given.IsNull() {
		switch list := given.AsValueSlice(); {
		case !a.nested():
			problem("spares_by_leg", "No legs", "RAID %d has no legs; say how many spares it has with spares.", a.level)
			return
		case intIn(config, "spares") > 0:
			problem("spares_by_leg", "Spares given twice", "spares gives each leg as many, and spares_by_leg says it for each; leave one of them out.")
			return
		case len(list) != n:
			problem("spares_by_leg", "Another number of legs", "There are %d legs, and spares_by_leg has %d numbers.", n, len(list))
			return
		default:
			for i, v := range list {
				f, _ := v.AsBigFloat().Int64()
				if f < 0 || !v.AsBigFloat().IsInt() || f > 64 {
					problem("spares_by_leg", "Not a number of disks", "Each is a whole number of disks, from 0 to 64.")
					return
				}
				byLeg[i] = int(f)
			}
		}
	}
	spares := 0
	for _, s := range byLeg {
		spares += s
	}
	if spares > 0 && a.level == 0 {
		problem("spares", "Spares without use", "RAID 0 has no redundancy from which a spare could be filled; leave spares out.")
		return
	}
	members := len(disks) - spares
	each := members / n
	switch least := fewest[a.legLevel()]; {
	case members > 0 && members%n != 0:
		problem("devices", "Legs of different size", "%s are %d members%s, which %d legs cannot share evenly.", diskCount(len(disks)), members, besideSpares(spares), n)
		return
	case each < least:
		of := ""
		if a.nested() {
			of = fmt.Sprintf(" in each of its %d legs", n)
		}
		problem("devices", "Too few disks", "RAID %d needs %d members%s, and %s are %d%s.", a.level, least, of, diskCount(len(disks)), max(0, members), besideSpares(spares))
		return
	}
	rest := disks[members:]
	for i := range n {
		a.legs = append(a.legs, legConfig{members: disks[i*each : (i+1)*each], spares: rest[:byLeg[i]]})
		rest = rest[byLeg[i]:]
	}
}

func diskCount(n int) string {
	if n == 1 {
		return "1 disk"
	}
	return strconv.Itoa(n) + " disks"
}

func besideSpares(n int) string {
	if n == 0 {
		return ""
	}
	return " beside " + strconv.Itoa(n) + " spares"
}

// digest is a short hash of what a thing is and where.
func digest(t providers.Target) string {
	raw, err := ctyjson.Marshal(t.Config, t.Config.Type())
	if err != nil {
		panic("storage: a configuration that is no JSON: " + err.Error()) // it came through JSON, or goes there
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%q\n%s", t.Type, hosts(t), raw))
	return hex.EncodeToString(sum[:5])
}

// stringIn reads a string; empty where it is absent.
func stringIn(config cty.Value, name string) string {
	if v := config.GetAttr(name); !v.IsNull() {
		return v.AsString()
	}
	return ""
}

// intIn reads a whole number; 0 where it is absent.
func intIn(config cty.Value, name string) int64 {
	v := config.GetAttr(name)
	if v.IsNull() {
		return 0
	}
	n, _ := v.AsBigFloat().Int64()
	return n
}
