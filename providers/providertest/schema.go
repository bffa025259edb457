package providertest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var nameRE = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// metaArguments belong to the language on every block of the kind, so a type cannot have an attribute of that name.
var metaArguments = map[string][]string{
	"setup":   {"on", "when", "depends_on", "timeout", "retry", "for_each", "keep", "erase", "fresh"},
	"dataset": {"on", "when", "depends_on", "timeout", "retry", "for_each", "keep", "erase", "fresh", "repeat", "skip", "import"},
	"test":    {"on", "when", "depends_on", "timeout", "retry", "repeat", "skip", "warmup", "cooldown", "steady_state", "alongside", "share", "import"},
	"monitor": {"on", "when", "depends_on", "timeout", "retry", "during", "import"},
}

// checkSchema: stable, the same after a trip through JSON, and well-formed.
func checkSchema(b *bench) {
	p := b.make()
	s := b.schema(p)
	if diff := cmp.Diff(s, b.schema(p)); diff != "" {
		b.Errorf("Schema differs between two calls:\n%s", diff)
	}
	if diff := cmp.Diff(s, b.schema(b.configure(b.make()))); diff != "" {
		b.Errorf("Schema differs after Configure:\n%s", diff)
	}
	data, err := json.Marshal(s)
	if err != nil {
		b.Fatalf("Schema does not become JSON: %v", err)
	}
	var back schema.Provider
	if err := json.Unmarshal(data, &back); err != nil {
		b.Fatalf("Schema does not come back from JSON: %v", err)
	}
	if diff := cmp.Diff(s, &back, cmpopts.EquateEmpty()); diff != "" {
		b.Errorf("Schema is not the same after JSON:\n%s", diff)
	}

	b.named("provider", s.Name, s.Doc)
	if s.Version == "" {
		b.Errorf("provider: no version")
	}
	b.block("provider", s.Config, nil)
	for kind, meta := range metaArguments {
		seen := map[string]bool{}
		for _, t := range s.Types(kind) {
			where := kind + " " + t.Name
			b.named(where, t.Name, t.Doc)
			if t.Name != s.Name && !strings.HasPrefix(t.Name, s.Name+"_") {
				b.Errorf("%s: a type is named %s or %s_THING", where, s.Name, s.Name)
			}
			if seen[t.Name] {
				b.Errorf("%s: declared twice", where)
			}
			seen[t.Name] = true
			b.block(where, t.Body, meta)
			b.outputs(where, kind, t.Outputs)
			b.measures(where, kind, t)
		}
	}
}

func (b *bench) named(where, name, doc string) {
	if !nameRE.MatchString(name) {
		b.Errorf("%s: %q is not a name like two_words", where, name)
	}
	if strings.TrimSpace(doc) == "" {
		b.Errorf("%s: no doc", where)
	}
}

func (b *bench) block(where string, body schema.Block, meta []string) {
	seen := map[string]bool{}
	once := func(where, name string) {
		if seen[name] {
			b.Errorf("%s: declared twice", where)
		}
		seen[name] = true
		if slices.Contains(meta, name) {
			b.Errorf("%s: the language has a meta-argument of this name", where)
		}
	}
	for i := range body.Attributes {
		a := &body.Attributes[i]
		where := where + "." + a.Name
		b.named(where, a.Name, a.Doc)
		once(where, a.Name)
		b.attribute(where, a)
	}
	for _, n := range body.Blocks {
		where := where + "." + n.Name
		b.named(where, n.Name, n.Doc)
		once(where, n.Name)
		if n.MaxItems < 0 {
			b.Errorf("%s: max_items is negative; 0 is any number", where)
		}
		b.block(where, n.Body, nil)
		if a := n.Body.Attribute(n.Label); n.Label != "" && (a == nil || a.Kind != schema.String || !a.Required) {
			b.Errorf("%s: its label %s is not a required string of its body", where, n.Label)
		}
	}
}

func (b *bench) attribute(where string, a *schema.Attribute) {
	numeric := false
	switch a.Kind {
	case schema.Number, schema.Integer, schema.Quantity, schema.QuantityList:
		numeric = true
	case schema.String, schema.Bool, schema.Scalar, schema.StringList, schema.Map, schema.Disks:
	default:
		b.Errorf("%s: kind %q is unknown", where, a.Kind)
		return
	}
	if a.Dim != unit.One && a.Kind != schema.Quantity && a.Kind != schema.QuantityList {
		b.Errorf("%s: only a quantity has a dimension", where)
	}
	if a.Required && a.Default != "" {
		b.Errorf("%s: what is required has no default", where)
	}
	if a.Default != "" && (a.Kind == schema.StringList || a.Kind == schema.QuantityList || a.Kind == schema.Map || a.Kind == schema.Disks) {
		b.Errorf("%s: a list or map has no default: the language reads defaults of single values only", where)
	}
	if len(a.Enum) > 0 && a.Kind != schema.String && a.Kind != schema.Scalar && a.Kind != schema.StringList {
		b.Errorf("%s: only a string has an enum", where)
	}
	if _, err := decodeAttribute(a, nil); err != nil { // the enum is checked there too
		b.Errorf("%s: default %q: %v", where, a.Default, err)
	}
	if !numeric {
		if a.Min != "" || a.Max != "" {
			b.Errorf("%s: only numbers and quantities have limits", where)
		}
		return
	}
	var ordered []unit.Quantity // min <= default <= max
	for _, text := range []string{a.Min, a.Default, a.Max} {
		if text == "" {
			continue
		}
		q, err := parseNumber(a, text)
		if err != nil {
			b.Errorf("%s: limit or default: %v", where, err)
			return
		}
		ordered = append(ordered, q)
	}
	if !slices.IsSortedFunc(ordered, unit.Quantity.Cmp) {
		b.Errorf("%s: default %q is not within %q and %q", where, a.Default, a.Min, a.Max)
	}
}

func (b *bench) outputs(where, kind string, outputs []schema.Output) {
	seen := map[string]bool{}
	for _, o := range outputs {
		where := where + " output " + o.Name
		b.named(where, o.Name, o.Doc)
		if seen[o.Name] {
			b.Errorf("%s: declared twice", where)
		}
		seen[o.Name] = true
		if !slices.Contains([]schema.Kind{schema.String, schema.Number, schema.Bool, schema.StringList, schema.Map}, o.Type) {
			b.Errorf("%s: type %q is not string, number, bool, list of string or map", where, o.Type)
		}
		if kind == "monitor" {
			b.Errorf("%s: a monitor promises nothing", where)
		}
	}
}

func (b *bench) measures(where, kind string, t schema.Type) {
	measures := t.Measures
	if (kind == "test" || kind == "dataset") && len(measures) == 0 && !t.DeclaresMeasures {
		b.Errorf("%s: a %s yields at least one measure", where, kind)
	}
	if kind == "setup" && len(measures) > 0 && !t.Attends {
		b.Errorf("%s: a setup yields measures only where it attends tests", where)
	}
	if kind != "setup" && t.Attends {
		b.Errorf("%s: only a setup attends tests", where)
	}
	seen := map[string]bool{}
	for _, m := range measures {
		where := where + " measure " + m.Name
		b.named(where, m.Name, m.Doc)
		if seen[m.Name] {
			b.Errorf("%s: declared twice", where)
		}
		seen[m.Name] = true
		if m.Symbol != "" && m.Dim != unit.One && m.Dim != unit.PerSecond {
			b.Errorf("%s: only a count or a rate has a symbol; this is in %s", where, m.Dim)
		}
		if !slices.Contains([]schema.Better{schema.Higher, schema.Lower, schema.Neither}, m.Better) {
			b.Errorf("%s: better is higher, lower or empty, not %q", where, m.Better)
		}
		if (m.Histogram == "") != (m.Quantile == 0) || m.Quantile < 0 || m.Quantile > 1 {
			b.Errorf("%s: it is the quantile %v of the histogram %q; both are given or neither, and a quantile is a share", where, m.Quantile, m.Histogram)
		}
		if !slices.Contains([]schema.RollUp{schema.NoRollUp, schema.Sum, schema.Mean, schema.Worst, schema.Merged}, m.RollUp) {
			b.Errorf("%s: roll-up %q is unknown", where, m.RollUp)
		}
		if m.RollUp != schema.NoRollUp && len(m.Keys) == 0 {
			b.Errorf("%s: there is nothing to roll up without keys", where)
		}
		if m.RollUp == schema.Merged && m.Histogram == "" {
			b.Errorf("%s: what is rolled up by merged histograms names one", where)
		}
		for _, k := range m.Keys {
			b.named(where+" key "+k, k, "key")
		}
	}
}
