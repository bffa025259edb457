package fio

import (
	"fmt"
	"hash/crc32"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// measureArgv is the command line of a checked test. The files are named outright: without filename fio would make up names
// from the job's. There is no group_reporting, since only one entry for each job shows that each of them ran.
func measureArgv(t providers.Target) []string {
	argv := []string{"fio", "--output-format=json+", "--eta=never", "--name=" + jobName(t.Address.Name), "--filename=" + placeOf(t).filename()}
	c := config{t.Config}
	for _, a := range attributes() {
		text, ok := c.argument(a)
		if !ok || ours[a.Name] {
			continue
		}
		if a.Name == "runtime" {
			argv = append(argv, "--time_based=1") // else the job ends with its size, however short that is
		}
		argv = append(argv, "--"+a.Name+"="+text)
	}
	if t.Warmup > 0 {
		text, _ := timeText(t.Warmup.Seconds(), true)
		argv = append(argv, "--ramp_time="+text)
	}
	argv = append(append(argv, c.loopsArgv()...), c.logArgv()...)
	options := c.options()
	names := make([]string, 0, len(options))
	for name := range options {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		text, _ := allowed[name].read(options[name])
		argv = append(argv, "--"+name+"="+text)
	}
	return argv
}

// releaseArgv removes the files of a place that has some.
func releaseArgv(p place) []string { return append([]string{"rm", "-f", "--"}, p.files...) }

// jobName makes a name for fio's job of a block's: [A-Za-z0-9_.-] only, since fio does not escape names in its JSON. Names
// in which something had to be replaced get a checksum, so that no two of them share a file.
func jobName(block string) string {
	changed := block == ""
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '.', r == '-':
			return r
		}
		changed = true
		return '_'
	}, block)
	if changed {
		name = fmt.Sprintf("%s-%08x", name, crc32.ChecksumIEEE([]byte(block)))
	}
	return name
}

// escapePath writes a path as fio's filename takes it: a colon separates names unless a backslash stands before it, and all
// other backslashes are plain characters, even one before the escaped colon (tried on 3.33).
func escapePath(p string) string { return strings.ReplaceAll(p, ":", `\:`) }

// sizeText prints whole bytes. fio reads KiB as 1000 and k as 1024 (kb_base=1024, its default), so that only its bare suffix
// or plain bytes say what is meant.
func sizeText(n int64) string {
	for _, s := range []struct {
		shift  uint
		suffix string
	}{{40, "T"}, {30, "G"}, {20, "M"}, {10, "k"}} {
		if n != 0 && n%(1<<s.shift) == 0 {
			return strconv.FormatInt(n>>s.shift, 10) + s.suffix
		}
	}
	return strconv.FormatInt(n, 10)
}

// timeText prints a duration for fio, which counts in microseconds; ok is false for what is finer than that. A unit is always
// given but for whole seconds of options that count in seconds by default.
func timeText(seconds float64, bareSeconds bool) (text string, ok bool) {
	us := math.Round(seconds * 1e6)
	if math.Abs(us-seconds*1e6) > 1e-6+us*1e-12 || us > 1e15 { // the rounding of a float
		return "", false
	}
	n := int64(us)
	switch {
	case n%1e6 == 0 && bareSeconds:
		return strconv.FormatInt(n/1e6, 10), true
	case n%1e6 == 0:
		return strconv.FormatInt(n/1e6, 10) + "s", true
	case n%1e3 == 0:
		return strconv.FormatInt(n/1e3, 10) + "ms", true
	}
	return strconv.FormatInt(n, 10) + "us", true
}

// config reads a test's configuration; what is absent or null is not ok.
type config struct{ value cty.Value }

func (c config) get(name string) (cty.Value, bool) {
	if c.value == cty.NilVal || c.value.IsNull() || !c.value.Type().IsObjectType() || !c.value.Type().HasAttribute(name) {
		return cty.NilVal, false
	}
	v, _ := c.value.GetAttr(name).Unmark()
	return v, v.IsKnown() && !v.IsNull()
}

func (c config) text(name string) (string, bool) {
	v, ok := c.get(name)
	if !ok || v.Type() != cty.String {
		return "", false
	}
	return v.AsString(), true
}

func (c config) number(name string) (float64, bool) {
	v, ok := c.get(name)
	if !ok || v.Type() != cty.Number {
		return 0, false
	}
	f, _ := v.AsBigFloat().Float64()
	return f, true
}

func (c config) flag(name string) bool {
	v, ok := c.get(name)
	return ok && v.Type() == cty.Bool && v.True()
}

func (c config) options() map[string]string {
	m := map[string]string{}
	v, ok := c.get("options")
	if !ok || !v.CanIterateElements() {
		return m
	}
	for it := v.ElementIterator(); it.Next(); {
		name, value := it.Element()
		if name, _ = name.Unmark(); value.Type() == cty.String && value.IsKnown() {
			value, _ = value.Unmark()
			text := ""
			if !value.IsNull() {
				text = value.AsString()
			}
			m[name.AsString()] = text
		}
	}
	return m
}

// argument is an attribute's value as fio takes it; ok is false where it is absent or cannot be said to fio.
func (c config) argument(a schema.Attribute) (text string, ok bool) {
	switch a.Kind {
	case schema.String:
		return c.text(a.Name)
	case schema.Bool:
		if _, ok := c.get(a.Name); !ok {
			return "", false
		}
		if c.flag(a.Name) {
			return "1", true
		}
		return "0", true
	case schema.Quantity, schema.Integer:
		v, ok := c.number(a.Name)
		switch {
		case !ok:
			return "", false
		case a.Dim == unit.Seconds:
			return timeText(v, true)
		case v != math.Trunc(v) || math.Abs(v) > 1<<53:
			return "", false // fio takes whole bytes, counts and rates only
		case a.Dim == unit.Bytes:
			return sizeText(int64(v)), true
		}
		return strconv.FormatInt(int64(v), 10), true
	}
	return "", false
}
