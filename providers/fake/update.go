package fake

import (
	"fmt"
	"slices"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

// updateName is the type of the test that changes its data.
const updateName = "fake_update"

// updateType is the test fake, but that it changes the data under it, as an OLTP benchmark does.
func updateType() schema.Type {
	t := testType()
	t.Name, t.Mutates = updateName, true
	t.Doc = "As the test fake, but it changes what it works on: each attempt, and each round of one, leaves a change, until the data are loaded anew."
	t.Measures = append(t.Measures, changesMeasure())
	return t
}

// changesMeasure says what a repetition of fake_update found; it is there where thing is given.
func changesMeasure() schema.Measure {
	return schema.Measure{Name: "changes", Dim: unit.One, Doc: "How often the data had been changed since they were loaded, before this repetition."}
}

// change notes in what a fake_update works on that it was changed once more, and gives how often it was before; -1 where it changes nothing.
func (w *world) change(req providers.MeasureRequest) (found int, err error) {
	id := text(req.Config, "thing")
	if req.Type != updateName || id == "" {
		return -1, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	all, err := w.things()
	if err != nil {
		return -1, err
	}
	for _, t := range all {
		if t.ID == id || slices.Contains(t.Aliases, id) {
			found = t.Changes
			t.Changes++
			return found, w.save(t)
		}
	}
	return -1, fmt.Errorf("the thing %q does not stand any more", id)
}
