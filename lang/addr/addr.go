// Package addr names blocks and instances. A block is named by its header: test.fio.seq. An instance is a block at
// coordinates: test.fio.seq[drive=sas,rw=read]; one of a block with for_each has its key too, as in Terraform:
// setup.fake_thing.data["d1"][drive=sas]. Coordinates travel as data beside every address; ParseInstance is for what
// a person types, never for getting coordinates back out of an address.
package addr

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Block names a block by its kind, type and name. Kinds without a type (compare, kpi, …) leave Type empty.
type Block struct {
	Kind string `json:"kind"`
	Type string `json:"type,omitempty"`
	Name string `json:"name"`
}

// String gives test.fio.seq or kpi.latency.
func (b Block) String() string {
	if b.Type == "" {
		return b.Kind + "." + b.Name
	}
	return b.Kind + "." + b.Type + "." + b.Name
}

// Coordinates hold the case chosen on each axis, or the keys of a result. They are not changed once made.
type Coordinates map[string]string

// odd reports whether a case has to be quoted in an address: it is empty, or has a character other than letters, digits and
// those that names and quantities are written with.
func odd(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_.:/+-", r) {
			return true
		}
	}
	return s == ""
}

// String gives drive=sas,rw=read: axes sorted by name, odd case names JSON-quoted. Equal coordinates have equal strings.
func (c Coordinates) String() string {
	var room [8]string
	return c.text(c.axes(room[:0]))
}

// StringOf gives the same as Project(axes).String().
func (c Coordinates) StringOf(axes []string) string {
	var room [8]string
	names := room[:0]
	for _, a := range axes {
		if _, ok := c[a]; ok {
			names = append(names, a)
		}
	}
	slices.Sort(names)
	return c.text(names)
}

func (c Coordinates) text(axes []string) string {
	var b strings.Builder
	for i, axis := range axes {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(axis)
		b.WriteByte('=')
		b.WriteString(quote(c[axis]))
	}
	return b.String()
}

func quote(s string) string {
	if odd(s) {
		return quoted(s)
	}
	return s
}

func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always can be written
	return strings.TrimSuffix(b.String(), "\n")
}

// Axes are the names of the axes, sorted.
func (c Coordinates) Axes() []string { return c.axes(make([]string, 0, len(c))) }

func (c Coordinates) axes(names []string) []string {
	for a := range c {
		names = append(names, a)
	}
	slices.Sort(names)
	return names
}

// Project keeps only the named axes; those that c lacks are left out.
func (c Coordinates) Project(axes []string) Coordinates {
	if c.only(axes) {
		return c
	}
	p := make(Coordinates, len(axes))
	for _, a := range axes {
		if v, ok := c[a]; ok {
			p[a] = v
		}
	}
	return p
}

// only reports whether c has these axes and no other.
func (c Coordinates) only(axes []string) bool {
	if c == nil || len(c) != len(axes) {
		return false
	}
	for _, a := range axes {
		if _, ok := c[a]; !ok {
			return false
		}
	}
	return true
}

// With returns a copy in which axis has the given case.
func (c Coordinates) With(axis, value string) Coordinates {
	n := make(Coordinates, len(c)+1)
	for a, v := range c {
		n[a] = v
	}
	n[axis] = value
	return n
}

// Without keeps all axes but one.
func (c Coordinates) Without(axis string) Coordinates {
	if _, ok := c[axis]; !ok && c != nil {
		return c
	}
	n := make(Coordinates, len(c))
	for a, v := range c {
		if a != axis {
			n[a] = v
		}
	}
	return n
}

// Instance is a block at given coordinates.
type Instance struct {
	Block
	Coordinates Coordinates `json:"coordinates"`
	Each        string      `json:"each,omitempty"` // the key, of a block with for_each
}

// String gives the address: test.fio.seq[drive=sas,rw=read], or test.fio.seq where the block has no axes. The key of a for_each
// comes before the coordinates, always in quotes.
func (i Instance) String() string {
	head := i.Block.String()
	if i.Each != "" {
		head += "[" + quoted(i.Each) + "]"
	}
	if len(i.Coordinates) == 0 {
		return head
	}
	return head + "[" + i.Coordinates.String() + "]"
}

// Group names all instances that differ in their coordinates only, whose figures stand in one table: the block, with the key where it has for_each.
func (i Instance) Group() string { return Instance{Block: i.Block, Each: i.Each}.String() }

// kindsWithType are the kinds whose header has a type before the name.
var kindsWithType = map[string]bool{"setup": true, "dataset": true, "test": true, "monitor": true}

// HasType reports whether blocks of this kind bear a type: setup "TYPE" "NAME".
func HasType(kind string) bool { return kindsWithType[kind] }

// Stands reports whether blocks of this kind are made, stand, and are taken away: setups and datasets.
func Stands(kind string) bool { return kind == "setup" || kind == "dataset" }

// ParseInstance reads an address as a person types it; blanks around names and commas do not matter.
func ParseInstance(s string) (Instance, error) {
	head, rest, found := strings.Cut(s, "[")
	parts := strings.Split(strings.TrimSpace(head), ".")
	want := 2
	if HasType(parts[0]) {
		want = 3
	}
	if len(parts) != want || contains(parts, "") {
		return Instance{}, fmt.Errorf("%q is not an address; write it like test.fio.seq[drive=sas,rw=read] or kpi.latency", s)
	}
	i := Instance{Block: Block{Kind: parts[0], Name: parts[want-1]}, Coordinates: Coordinates{}}
	if want == 3 {
		i.Type = parts[1]
	}
	if !found {
		return i, nil
	}
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, `"`) {
		var err error
		if i.Each, rest, err = parseKey(rest); err != nil || !Stands(i.Kind) {
			return Instance{}, fmt.Errorf("%q: the key of a for_each, which only setups have, is written like setup.fake_thing.data[\"d1\"]", s)
		}
		if rest == "" {
			return i, nil
		}
	}
	if !strings.HasSuffix(rest, "]") {
		return Instance{}, fmt.Errorf("%q lacks the closing bracket", s)
	}
	for rest = strings.TrimSuffix(rest, "]"); rest != ""; {
		axis, tail, ok := strings.Cut(rest, "=")
		if axis = strings.TrimSpace(axis); !ok || axis == "" {
			return Instance{}, fmt.Errorf("%q: coordinates are written axis=case, separated by commas", s)
		}
		value, tail, err := parseCase(strings.TrimLeft(tail, " "))
		if err != nil {
			return Instance{}, fmt.Errorf("%q: the case of axis %q %w", s, axis, err)
		}
		if _, twice := i.Coordinates[axis]; twice {
			return Instance{}, fmt.Errorf("%q names axis %q twice", s, axis)
		}
		i.Coordinates[axis] = value
		rest = tail
	}
	return i, nil
}

// parseKey reads "d1"] and gives what follows an opening bracket behind it, if any does.
func parseKey(s string) (key, rest string, err error) {
	dec := json.NewDecoder(strings.NewReader(s))
	if err := dec.Decode(&key); err != nil || key == "" {
		return "", "", errors.New("no key")
	}
	rest, closed := strings.CutPrefix(strings.TrimLeft(s[dec.InputOffset():], " "), "]")
	rest = strings.TrimSpace(rest)
	after, opened := strings.CutPrefix(rest, "[")
	if !closed || rest != "" && !opened {
		return "", "", errors.New("not closed")
	}
	return key, after, nil
}

// parseCase reads one case, plain or quoted, and gives what follows the comma behind it.
func parseCase(s string) (value, rest string, err error) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ",")
		if value = strings.TrimSpace(value); value == "" {
			return "", "", errors.New(`is missing; an empty one is written ""`)
		}
		return value, rest, nil
	}
	dec := json.NewDecoder(strings.NewReader(s))
	if err := dec.Decode(&value); err != nil {
		return "", "", errors.New("does not end: a quote is missing")
	}
	rest = strings.TrimLeft(s[dec.InputOffset():], " ")
	after, comma := strings.CutPrefix(rest, ",")
	if rest != "" && !comma {
		return "", "", errors.New("is followed by something else than a comma")
	}
	return value, after, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
