package fake

import (
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// longest keeps durations within what time.Duration holds.
const longest = "1000d"

// hostKey is the key of a test's results where it is told hosts.
const hostKey = "host"

// figures are the attributes of the test that are measures too, in the order in which they are put out.
func figures() []schema.Measure {
	return []schema.Measure{
		{Name: "throughput", Doc: "Bytes per second, as the spec gives them.", Dim: unit.BytesPerSec, Better: schema.Higher,
			Keys: []string{hostKey}, RollUp: schema.Sum},
		{Name: "latency", Doc: "Seconds per operation, as the spec gives them.", Dim: unit.Seconds, Better: schema.Lower,
			Keys: []string{hostKey}, RollUp: schema.Worst},
		{Name: "count", Doc: "A number, as the spec gives it.", Dim: unit.One, Better: schema.Higher,
			Keys: []string{hostKey}, RollUp: schema.Mean},
	}
}

// shareMeasure follows from throughput, and has a figure only where there are hosts.
func shareMeasure() schema.Measure {
	return schema.Measure{Name: "share", Doc: "The host's part of the throughput, where there are hosts.", Dim: unit.One, Keys: []string{hostKey}}
}

func newSchema() *schema.Provider {
	return &schema.Provider{
		Rehearsal: true,
		Name:      "fake",
		Version:   "0.1.0",
		Doc:       "A rehearsal double: things that are files and figures that the spec gives. It measures nothing.",
		Config: schema.Block{Attributes: []schema.Attribute{
			{Name: "world", Kind: schema.String, Doc: "The folder below .assay/fake in which its world is kept, so that rehearsals do not see each other. Absent, it is .assay/fake itself."},
		}},
		Setups:   []schema.Type{thingType(), witnessType()},
		Datasets: []schema.Type{dataType()},
		Tests:    []schema.Type{testType(), updateType()},
		Monitors: []schema.Type{monitorType()},
	}
}

func thingType() schema.Type {
	return schema.Type{
		Name: "fake_thing",
		Doc:  "A thing that stands as a file in .assay/fake, until it is destroyed. It claims what it is told to claim.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "label", Kind: schema.Scalar, Doc: "Any text. Things that differ in it are different things."},
			{Name: "claims", Kind: schema.StringList, Doc: "Names that no other thing may claim while this one stands, such as \"disk:S0001\"."},
			{Name: "slot", Kind: schema.Scalar, Doc: "Things with one slot are states of one thing: only one of them stands at a time, and with " +
				"equal needs the next takes the place of the last by a switch. Goes with state."},
			{Name: "state", Kind: schema.Scalar, Doc: "The state of the slot that this is, such as \"degraded\"."},
			seconds("switch_time", "How long it takes to come from any other state of the slot; also what the plan estimates."),
			seconds("create_time", "How long it takes to create it; also what the plan estimates."),
			seconds("destroy_time", "How long it takes to destroy it; also what the plan estimates."),
			{Name: "fail", Kind: schema.String, Enum: []string{failCreate, failSwitch, failDestroy},
				Doc: "The step that fails: create and switch leave it partial, destroy leaves it standing."},
		}},
		Outputs: []schema.Output{{Name: "id", Type: schema.String, Doc: "Names the thing; follows from its address."}},
	}
}

func testType() schema.Type {
	t := schema.Type{
		Name: "fake",
		Doc: "A test that yields the figures that the spec gives, with noise where it asks for noise. It fails where its " +
			"thing does not stand, so that an order that is wrong shows.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "thing", Kind: schema.Scalar, Doc: "The id of what must stand: setup.fake_thing.NAME.id, or dataset.fake_data.NAME.id."},
			{Name: "takes", Kind: schema.Scalar, Doc: "What another test left in the same repetition: test.fake.NAME.left. The test fails where it is not there."},
			{Name: "claims", Kind: schema.StringList, Doc: "Names that the test has for itself while it runs. A thing that claims one of them " +
				"and that the test does not need has to go first."},
		}},
		Outputs:  []schema.Output{{Name: "left", Type: schema.String, Doc: "Names what a repetition leaves, for a test that takes it; follows from the address."}},
		Measures: append(append(figures(), tails()...), shareMeasure()),
		Imports:  []string{importFormat},
		Warmup:   true,
	}
	for _, m := range figures() {
		t.Body.Attributes = append(t.Body.Attributes, schema.Attribute{
			Name: m.Name, Kind: schema.Quantity, Dim: m.Dim, Doc: "The figure of this name. Absent, the test does not yield it.",
		})
	}
	t.Body.Attribute("throughput").Min = "0B/s"
	t.Body.Attribute("latency").Min = "0s"
	t.Body.Attributes = append(t.Body.Attributes,
		schema.Attribute{Name: "noise", Kind: schema.Quantity, Dim: unit.One, Default: "0%", Min: "0%", Max: "100%",
			Doc: "How far a repetition may lie from the figure, to either side."},
		schema.Attribute{Name: "drift", Kind: schema.Quantity, Dim: unit.One, Default: "0%", Min: "0%", Max: "1000%",
			Doc: "Where a repetition is rounds until they are steady: how far the first one lies above the figures; each round after it is half as far off."},
		schema.Attribute{Name: "seed", Kind: schema.Scalar, Doc: "Another seed gives other noise."},
		schema.Attribute{Name: "operations", Kind: schema.Integer, Min: "1", Max: "1000000000",
			Doc: "With latency: how many operations each host does. Of a thousand, 985 take the latency, 13 twice and 2 ten times as long; that gives percentiles."},
		schema.Attribute{Name: "hosts", Kind: schema.StringList, Doc: "Hosts on which it pretends to run, by name. Every figure then is one " +
			"for each, with noise of its own and the key host; throughput is divided evenly."},
		seconds("duration", "How long a repetition takes; also what the plan estimates."),
		seconds("ready_time", "How long it takes until it is ready to start."),
		schema.Attribute{Name: "mode", Kind: schema.String, Default: modeOK,
			Enum: []string{modeOK, modeFail, modeHang, modeCrash, modeGarbage, modeFlaky, modeUnready},
			Doc: "ok; fail exits 1 with a message; hang runs until its timeout; crash is killed by SIGSEGV; garbage exits 0 " +
				"with rubbish; flaky fails in the first attempt only; unready fails before it starts."},
	)
	return t
}

func seconds(name, doc string) schema.Attribute {
	return schema.Attribute{
		Name: name, Kind: schema.Quantity, Dim: unit.Seconds, Default: "0s", Min: "0s", Max: longest, Doc: doc,
	}
}
