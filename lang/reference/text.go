package reference

import (
	"reflect"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// TypeText says for a person what an attribute takes: "size", "one of read, write", "list of duration".
func TypeText(a schema.Attribute) string {
	switch a.Kind {
	case schema.Quantity:
		return dimension(a.Dim)
	case schema.QuantityList:
		return "list of " + dimension(a.Dim)
	case schema.StringList:
		return "list of string"
	case schema.Disks:
		return "disks of hardware"
	case schema.Integer:
		return "whole number"
	case schema.Scalar:
		return "string, number or bool"
	case schema.Map:
		return "object of strings, numbers and bools"
	case schema.String:
		if len(a.Enum) > 0 {
			return "one of " + strings.Join(a.Enum, ", ")
		}
	}
	return string(a.Kind)
}

func dimension(d unit.Dim) string {
	if d == unit.One {
		return "number or share"
	}
	_, noun, _ := strings.Cut(d.Noun(), " ")
	return noun
}

// LimitsText says within which limits it lies: "at least 1, at most 1024"; empty where there are none.
func LimitsText(a schema.Attribute) string {
	var parts []string
	if a.Min != "" {
		parts = append(parts, "at least "+a.Min)
	}
	if a.Max != "" {
		parts = append(parts, "at most "+a.Max)
	}
	return strings.Join(parts, ", ")
}

// NotesText says what else there is to know of an attribute: what it must be, and what becomes of it.
func NotesText(a schema.Attribute) string {
	var parts []string
	if a.Target {
		parts = append(parts, "An output of a setup, as it stands.")
	}
	if a.Sensitive {
		parts = append(parts, "Never shown.")
	}
	return strings.Join(parts, " ")
}

// BetterText says in which direction a measure is good.
func BetterText(m schema.Measure) string {
	if m.Better == schema.Neither {
		return "neither"
	}
	return string(m.Better)
}

// KeysText says by which keys a result has more than one figure, and how these become one; empty where it has one only.
func KeysText(m schema.Measure) string {
	if len(m.Keys) == 0 {
		return ""
	}
	s := "One for each " + strings.Join(m.Keys, " and ")
	if m.RollUp == schema.NoRollUp {
		return s + "; there is no figure over all."
	}
	if m.RollUp == schema.Merged {
		return s + "; over all: of their distributions together."
	}
	return s + "; over all: " + string(m.RollUp) + "."
}

// UnitText is a measure's base unit, or how people name it.
func UnitText(m schema.Measure) string {
	if m.Symbol != "" {
		return m.Symbol
	}
	return m.Dim.String()
}

// AbilitiesText lists what is special about a type, a sentence each.
func AbilitiesText(t schema.Type) []string {
	var out []string
	if len(t.Tools) > 0 {
		out = append(out, "Needs on its host: "+strings.Join(t.Tools, ", ")+".")
	}
	if len(t.Imports) > 0 {
		out = append(out, "Imports result files in the format "+strings.Join(t.Imports, ", ")+".")
	}
	if t.Manual {
		out = append(out, "Asks a person, so that apply needs a terminal, or --manual-done.")
	}
	if t.DeclaresMeasures {
		out = append(out, "The spec declares its measures.")
	}
	if t.Mutates {
		out = append(out, "Changes the data that it works on, so `reset` says when they are loaded anew.")
	}
	if t.Warmup {
		out = append(out, "Can warm up before it measures: `warmup`.")
	}
	return out
}

// SameBody names the first block of a list that takes just what n takes; empty where n is the first itself.
func SameBody(list []schema.Nested, n schema.Nested) string {
	for _, other := range list {
		if other.Name == n.Name {
			break
		}
		if reflect.DeepEqual(other.Body, n.Body) {
			return other.Name
		}
	}
	return ""
}
