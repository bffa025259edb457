package fake

import (
	"github.com/assay-bench/assay/lang/schema"
)

// witnessName is the setup that takes part in the tests on it.
const witnessName = "fake_witness"

// witnessType is a thing that observes as a monitor does; what it sees is part of the test's sample.
func witnessType() schema.Type {
	t := thingType()
	t.Name, t.Attends = witnessName, true
	t.Doc = "A fake_thing that takes part in each repetition of a test on it, as an array does that is rebuilt meanwhile: what it yields stands in the test's sample, and where it " +
		"is not well, that sample is invalid."
	watch := monitorType()
	for _, name := range []string{"load", "points", "mark", "doubt", "mode"} {
		t.Body.Attributes = append(t.Body.Attributes, *watch.Body.Attribute(name))
	}
	t.Measures = []schema.Measure{*watch.Measure("load")}
	return t
}

// watches reports whether a type observes.
func watches(kind, typ string) bool {
	return kind == "monitor" && typ == "fake" || kind == "setup" && typ == witnessName
}

// isThing reports whether a type is a thing that stands as a file.
func isThing(kind, typ string) bool {
	return kind == "setup" && (typ == "fake_thing" || typ == witnessName) || kind == "dataset" && typ == "fake_data"
}
