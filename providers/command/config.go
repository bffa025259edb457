package command

import (
	"maps"
	"slices"
	"time"

	"github.com/zclconf/go-cty/cty"
)

// body reads a decoded block; what it lacks, as one of another version does, is as if it were not given.
type body struct{ value cty.Value }

func (b body) get(name string) (cty.Value, bool) {
	if b.value == cty.NilVal || b.value.IsNull() || !b.value.Type().IsObjectType() || !b.value.Type().HasAttribute(name) {
		return cty.NilVal, false
	}
	v := b.value.GetAttr(name)
	return v, v.IsKnown() && !v.IsNull()
}

func (b body) text(name string) string {
	v, ok := b.get(name)
	if !ok || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

func (b body) number(name string) float64 {
	v, ok := b.get(name)
	if !ok || v.Type() != cty.Number {
		return 0
	}
	f, _ := v.AsBigFloat().Float64()
	return f
}

func (b body) flag(name string) bool {
	v, ok := b.get(name)
	return ok && v.Type() == cty.Bool && v.True()
}

func (b body) list(name string) []string {
	v, ok := b.get(name)
	if !ok || !v.CanIterateElements() {
		return nil
	}
	var out []string
	for _, x := range v.AsValueSlice() {
		if x.IsNull() { // a secret, in the configuration that a plan holds
			out = append(out, "")
			continue
		}
		out = append(out, x.AsString())
	}
	return out
}

func (b body) table(name string) map[string]string {
	v, ok := b.get(name)
	if !ok || !v.CanIterateElements() {
		return nil
	}
	out := map[string]string{}
	for k, x := range v.AsValueMap() {
		out[k] = ""
		if !x.IsNull() {
			out[k] = x.AsString()
		}
	}
	return out
}

func (b body) blocks(name string) []body {
	v, ok := b.get(name)
	if !ok || !v.CanIterateElements() {
		return nil
	}
	var out []body
	for _, x := range v.AsValueSlice() {
		out = append(out, body{x})
	}
	return out
}

// command is one command of a spec.
type command struct {
	argv   []string
	stdin  string
	env    map[string]string
	files  map[string]string
	dir    string
	status int
	expect []string
	failIf []string
	leaves string // of a switch
}

func (b body) command() command {
	return command{
		argv: b.list("argv"), stdin: b.text("stdin"), env: b.table("env"), files: b.table("files"), dir: b.text("dir"),
		status: int(b.number("status")), expect: b.list("expect"), failIf: b.list("fail_if"), leaves: b.text("leaves"),
	}
}

func (b body) commands(name string) []command {
	var out []command
	for _, x := range b.blocks(name) {
		out = append(out, x.command())
	}
	return out
}

// environment is as host takes it, sorted.
func (c command) environment() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.env)) {
		out = append(out, name+"="+c.env[name])
	}
	return out
}

// inspection is a command that tells how a thing stands.
type inspection struct {
	command
	standing, partial, absent string
	absentStatus              int
	settle                    time.Duration
}

func (b body) inspection() (inspection, bool) {
	list := b.blocks("inspect")
	if len(list) != 1 {
		return inspection{}, false
	}
	i := list[0]
	return inspection{
		command: i.command(), standing: i.text("standing"), partial: i.text("partial"), absent: i.text("absent"),
		absentStatus: int(i.number("absent_status")), settle: time.Duration(i.number("settle") * float64(time.Second)),
	}, true
}

// figure says where a measure is found.
type figure struct {
	name, unit                       string
	json, column, separator, pattern string
	elapsed                          bool
	hdr                              float64 // the share of a percentile of HDR histograms; 0: it is none
	source, statistic, rollUp        string
	keys                             []string
}

func (b body) figures() []figure {
	var out []figure
	for _, m := range b.blocks("measure") {
		out = append(out, figure{
			name: m.text("name"), unit: m.text("unit"), json: m.text("json"), column: m.text("column"), separator: m.text("separator"),
			pattern: m.text("pattern"), elapsed: m.flag("elapsed"), hdr: m.number("hdr"), source: m.text("source"), statistic: m.text("statistic"), rollUp: m.text("roll_up"), keys: m.list("keys"),
		})
	}
	return out
}
