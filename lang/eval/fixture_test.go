package eval_test

import (
	"fmt"
	"path"
	"sort"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// types are those of the test's specs: every kind of attribute, limits, enums, nested blocks, a target, outputs, measures.
func types(kind string) []schema.Type {
	if kind == "setup" {
		return []schema.Type{thingType(), directoryType(), arrayType()}
	}
	if kind == "dataset" {
		return []schema.Type{dataType()}
	}
	if kind == "test" {
		return []schema.Type{fioType(), fakeType(), updateType(), needyType(), toolType()}
	}
	if kind == "monitor" {
		return []schema.Type{watchType()}
	}
	return nil
}

// providers are those of the types: one with every form of argument, one that cannot do without one.
func providers() []*schema.Provider {
	return []*schema.Provider{
		{
			Name: "fake", Setups: []schema.Type{thingType()}, Datasets: []schema.Type{dataType()}, Tests: []schema.Type{fakeType(), updateType()}, Monitors: []schema.Type{watchType()},
			Config: schema.Block{
				Attributes: []schema.Attribute{
					{Name: "world", Kind: schema.String},
					{Name: "seed", Kind: schema.Integer, Min: "1", Default: "7"},
				},
				Blocks: []schema.Nested{{Name: "limits", MaxItems: 1, Body: schema.Block{Attributes: []schema.Attribute{
					{Name: "bandwidth", Kind: schema.Quantity, Dim: unit.BytesPerSec},
				}}}},
			},
		},
		{Name: "fio", Tests: []schema.Type{fioType()}, Config: schema.Block{Attributes: []schema.Attribute{{Name: "path", Kind: schema.String}}}},
		{Name: "needy", Tests: []schema.Type{needyType()}, Config: schema.Block{Attributes: []schema.Attribute{
			{Name: "dsn", Kind: schema.String, Required: true, Sensitive: true, Doc: "where the database is."},
		}}},
		{Name: "storage", Setups: []schema.Type{directoryType()}, Config: schema.Block{Attributes: []schema.Attribute{{Name: "path", Kind: schema.String}}}},
	}
}

func needyType() schema.Type {
	return schema.Type{Name: "needy", Measures: []schema.Measure{{Name: "count", Dim: unit.One}}}
}

// configure refuses one configuration, as a provider does.
func configure(list []spec.Provider) hcl.Diagnostics {
	for _, p := range list {
		if w := p.Config.AsValueMap()["world"]; w != cty.NilVal && !w.IsNull() && strings.HasPrefix(w.AsString(), "bad") {
			return hcl.Diagnostics{diag.Error(p.AttrRange["world"], "Refused by the provider", "%q is no world.", w.AsString())}
		}
	}
	return nil
}

// watchType is a monitor.
func watchType() schema.Type {
	return schema.Type{
		Name: "fake",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "thing", Kind: schema.Scalar},
			{Name: "load", Kind: schema.Quantity, Dim: unit.One},
		}},
		Measures: []schema.Measure{
			{Name: "load", Dim: unit.One, Better: schema.Lower},
			{Name: "rate", Dim: unit.BytesPerSec, Keys: []string{"disk"}, RollUp: schema.Sum},
		},
		Imports: []string{"text"},
	}
}

func thingType() schema.Type {
	return schema.Type{
		Name: "fake_thing",
		Body: schema.Block{
			Attributes: []schema.Attribute{
				{Name: "label", Kind: schema.Scalar},
				{Name: "claims", Kind: schema.StringList},
				{Name: "create_time", Kind: schema.Quantity, Dim: unit.Seconds, Default: "0s", Min: "0s", Max: "1000d"},
				{Name: "size", Kind: schema.Quantity, Dim: unit.Bytes},
				{Name: "fail", Kind: schema.String, Enum: []string{"create", "destroy"}},
				{Name: "password", Kind: schema.String, Sensitive: true},
			},
			Blocks: []schema.Nested{{Name: "part", MaxItems: 2, Body: schema.Block{Attributes: []schema.Attribute{
				{Name: "path", Kind: schema.String, Required: true, Doc: "where the part is mounted."},
				{Name: "weight", Kind: schema.Number, Min: "0", Max: "1", Default: "0.5"},
			}}}},
		},
		Outputs: []schema.Output{{Name: "id", Type: schema.String}, {Name: "paths", Type: schema.StringList}, {Name: "up", Type: schema.Bool}},
	}
}

func directoryType() schema.Type {
	return schema.Type{
		Name: "storage_directory",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "path", Kind: schema.String, Required: true, Doc: "the directory, absolute."},
		}},
		Outputs: []schema.Output{{Name: "path", Type: schema.String}},
	}
}

func arrayType() schema.Type {
	return schema.Type{
		Name:    "storage_array",
		Body:    schema.Block{Attributes: []schema.Attribute{{Name: "devices", Kind: schema.Disks, Required: true, Doc: "its members."}}},
		Outputs: []schema.Output{{Name: "device", Type: schema.String}},
	}
}

func fioType() schema.Type {
	return schema.Type{
		Name: "fio",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "directory", Kind: schema.String, Target: true, Required: true, Doc: "where fio works."},
			{Name: "rw", Kind: schema.String, Enum: []string{"read", "write", "randread"}},
			{Name: "bs", Kind: schema.Quantity, Dim: unit.Bytes, Min: "512B", Max: "16MiB"},
			{Name: "bssplit", Kind: schema.QuantityList, Dim: unit.Bytes},
			{Name: "iodepth", Kind: schema.Integer, Min: "1", Max: "1024", Default: "1"},
			{Name: "ratio", Kind: schema.Number},
			{Name: "direct", Kind: schema.Bool, Default: "true"},
			{Name: "rate", Kind: schema.Quantity, Dim: unit.BytesPerSec},
			{Name: "rate_iops", Kind: schema.Quantity, Dim: unit.PerSecond},
			{Name: "runtime", Kind: schema.Quantity, Dim: unit.Seconds},
			{Name: "noise", Kind: schema.Quantity, Dim: unit.One},
			{Name: "label", Kind: schema.Scalar},
			{Name: "options", Kind: schema.Map},
		}},
		Measures: []schema.Measure{
			{Name: "bandwidth", Dim: unit.BytesPerSec, Better: schema.Higher},
			{Name: "iops", Dim: unit.PerSecond, Symbol: "IOPS", Better: schema.Higher},
			{Name: "latency_p99", Dim: unit.Seconds, Better: schema.Lower, Histogram: "latency", Quantile: 0.99},
			{Name: "errors", Dim: unit.One, Better: schema.Lower},
		},
		Imports: []string{"json", "csv"},
	}
}

func fakeType() schema.Type {
	return schema.Type{
		Name: "fake",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "thing", Kind: schema.Scalar},
			{Name: "throughput", Kind: schema.Quantity, Dim: unit.BytesPerSec},
			{Name: "latency", Kind: schema.Quantity, Dim: unit.Seconds},
			{Name: "count", Kind: schema.Quantity, Dim: unit.One},
		}},
		Measures: []schema.Measure{
			{Name: "throughput", Dim: unit.BytesPerSec, Better: schema.Higher, Keys: []string{"host", "query"}, RollUp: schema.Sum},
			{Name: "latency", Dim: unit.Seconds, Better: schema.Lower},
			{Name: "count", Dim: unit.One, Better: schema.Higher},
			{Name: "share", Dim: unit.One, Keys: []string{"host", "query"}},
		},
		Outputs: []schema.Output{{Name: "left", Type: schema.String}},
	}
}

// updateType changes its data, can warm up, and has an own argument of a name that all tests have.
func updateType() schema.Type {
	t := fakeType()
	t.Name, t.Mutates, t.Warmup = "fake_update", true, true
	t.Body.Attributes = append(t.Body.Attributes, schema.Attribute{Name: "cooldown", Kind: schema.Scalar})
	return t
}

// toolType is one whose measures the spec declares.
func toolType() schema.Type {
	return schema.Type{
		Name: "tool", DeclaresMeasures: true, Imports: []string{"text"},
		Body: schema.Block{
			Attributes: []schema.Attribute{{Name: "argv", Kind: schema.StringList}, {Name: "env", Kind: schema.Map}},
			Blocks: []schema.Nested{schema.MeasureBlock("a figure in the output.",
				schema.Attribute{Name: "pattern", Kind: schema.String, Required: true, Doc: "finds the figure."})},
		},
		Measures: []schema.Measure{{Name: "elapsed", Dim: unit.Seconds, Better: schema.Lower}},
	}
}

func dataType() schema.Type {
	return schema.Type{
		Name: "fake_data",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "thing", Kind: schema.Scalar},
			{Name: "rows", Kind: schema.Quantity, Dim: unit.One},
		}},
		Outputs: []schema.Output{{Name: "id", Type: schema.String}},
		Measures: []schema.Measure{
			{Name: "load_time", Dim: unit.Seconds, Better: schema.Lower},
			{Name: "rows", Dim: unit.One},
		},
	}
}

// promise gives outputs that follow from address and configuration, as a provider does.
func promise(inst *spec.Instance) (cty.Value, hcl.Diagnostics) {
	switch inst.Type.Name {
	case "storage_directory":
		p := inst.Config.GetAttr("path")
		if !strings.HasPrefix(p.AsString(), "/") {
			return cty.NilVal, hcl.Diagnostics{diag.Error(inst.AttrRange["path"], "Relative path", "The provider wants an absolute path.")}
		}
		return cty.ObjectVal(map[string]cty.Value{"path": p}), nil
	case "fake":
		if inst.Skip != "" || inst.Import != nil {
			return cty.NullVal(inst.Type.OutputsType()), nil
		}
		return cty.ObjectVal(map[string]cty.Value{"left": cty.StringVal("left by " + inst.Addr.String())}), nil
	case "fake_data":
		return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(inst.Addr.String())}), nil
	case "fake_thing":
		id := inst.Addr.String()
		if p := inst.Config.GetAttr("password"); !p.IsNull() {
			id = "dsn:" + p.AsString() + "@" + inst.Addr.Name
		}
		return cty.ObjectVal(map[string]cty.Value{
			"id":    cty.StringVal(id),
			"paths": cty.ListVal([]cty.Value{cty.StringVal("/mnt/" + inst.Addr.Name)}),
			"up":    cty.True,
		}), nil
	}
	return cty.EmptyObjectVal, nil
}

// folder is what imports find beside the specs of the tests.
var folder = []string{"results/r1.json", "results/r2.json", "results/sas-read.json", "results/notes.txt"}

func glob(pattern string) ([]string, error) {
	var out []string
	for _, f := range folder {
		ok, err := path.Match(pattern, f)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	sort.Strings(out)
	return out, nil
}

func options(vars ...eval.Input) eval.Options {
	return eval.Options{Variables: vars, Types: types, Promise: promise, Glob: glob, ReadFile: readText, Quotes: quotes,
		Providers: providers(), Configure: configure, Profiles: profiles}
}

func readText(name string) ([]byte, error) {
	if text, ok := texts[name]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("there is no file %s", name)
}

// texts are the files that the function file reads.
var texts = map[string]string{
	"sizes.csv": "\ufeffname,size\nsmall,1KiB\nlarge,1MiB\n",
	"torn.json": "{",
	"limits.json": `{"format_version": 1, "name": "house", "version": "a", "sources": {"x": "Memo 7"}, "keys": [],
		"limits": [{"measure": "latency", "max": "1 ms", "sources": ["x"]}]}`,
	"latin1": "caf\xe9",
	"large":  strings.Repeat("x", 4<<20+1),
}

// quotes are the published figures that comparisons of the tests import: of an arm, of the baseline, of what is excluded.
func quotes(f eval.QuoteFile) ([]spec.Quote, hcl.Diagnostics) {
	var out []spec.Quote
	for i, a := range []string{"y", "x", "z"} {
		change := 0.196
		out = append(out, spec.Quote{At: addr.Coordinates{f.Axes[0].Name: a}, Change: &change, Source: fmt.Sprintf("%s line %d", f.Path, i+2)})
	}
	return out, nil
}

// evaluate runs the whole front on sources.
func evaluate(src diag.Sources, opts eval.Options) (*spec.Spec, hcl.Diagnostics) {
	m, diags := config.Parse(src)
	s, more := eval.Evaluate(m, opts)
	return s, diag.Sorted(append(diags, more...))
}

// profiles are published limits: some that fit test "fake", and one in which nothing does.
var profiles = []schema.Profile{
	{
		Name: "reads", Version: "1", Keys: []string{"rw", "query"}, Each: []string{"host"}, Statistic: "worst", Sources: map[string]string{"a": "Paper A", "b": "Paper B"},
		Limits: []schema.ProfileLimit{
			{Measure: "throughput", At: map[string]string{"rw": "read", "query": "q1"}, Min: "10 MB/s", Sources: []string{"a", "b"}},
			{Measure: "throughput", At: map[string]string{"rw": "read", "query": "16KiB"}, Min: "20 MB/s", Sources: []string{"a"}},
			{Measure: "throughput", At: map[string]string{"rw": "append", "query": "q1"}, Min: "5 MB/s", Sources: []string{"b"}},
		},
	},
	{
		Name: "counts", Version: "2", Sources: map[string]string{"a": "Paper A"},
		Limits: []schema.ProfileLimit{
			{Measure: "count", Min: "2", Max: "4", Sources: []string{"a"}},
			{Measure: "latency", Max: "5 ms", Sources: []string{"a"}},
		},
	},
	{
		Name: "strange", Version: "3", Keys: []string{"volume"}, Sources: map[string]string{"a": "Paper A"},
		Limits: []schema.ProfileLimit{{Measure: "bandwidth", At: map[string]string{"volume": "a"}, Min: "1 MB/s", Sources: []string{"a"}}},
	},
	{
		Name: "other", Version: "3", Keys: []string{"volume"}, Sources: map[string]string{"a": "Paper A"},
		Limits: []schema.ProfileLimit{{Measure: "throughput", At: map[string]string{"volume": "a"}, Min: "1 MB", Sources: []string{"a"}}},
	},
	{
		Name: "units", Version: "3", Sources: map[string]string{"a": "Paper A"},
		Limits: []schema.ProfileLimit{{Measure: "count", Min: "1 MB", Sources: []string{"a"}}},
	},
	{
		Name: "shares", Version: "3", Keys: []string{"host"}, Sources: map[string]string{"a": "Paper A"},
		Limits: []schema.ProfileLimit{{Measure: "share", At: map[string]string{"host": "a"}, Min: "1", Sources: []string{"a"}}},
	},
}
