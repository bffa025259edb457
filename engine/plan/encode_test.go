package plan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/google/go-cmp/cmp"
)

// TestEncode holds the stream against what encoding/json writes in one go, looks that each step is a line, and reads it back.
func TestEncode(t *testing.T) {
	tricky := plan.Plan{FormatVersion: 1, Spec: plan.SpecInfo{Title: "x\n  \"steps\": [] <&>"}, Tests: []plan.Test{}}
	for name, p := range map[string]*plan.Plan{"judged": build(t, judged), "wide": build(t, wideSpec(500)), "empty": {}, "tricky": &tricky} {
		whole, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := plan.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if err := errors.Join(json.Unmarshal(whole, &a), json.Unmarshal(got, &b)); err != nil || !cmp.Equal(a, b) {
			t.Errorf("%s: %v %s", name, err, cmp.Diff(a, b))
			continue
		}
		if n := bytes.Count(got, []byte("\n    {\"id\":\"s")); n != len(p.Steps) {
			t.Errorf("%s: %d steps stand on a line of their own, want %d", name, n, len(p.Steps))
		}
		if p.FormatVersion == 0 {
			continue
		}
		back, err := plan.Decode(got)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := plan.Encode(back); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: read back and written again it is another plan: %v", name, err)
		}
	}
}
