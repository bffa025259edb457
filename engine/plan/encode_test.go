package plan_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/google/go-cmp/cmp"
)

// TestEncode holds the stream against what encoding/json writes in one go, and reads it back.
func TestEncode(t *testing.T) {
	tricky := plan.Plan{FormatVersion: 1, Spec: plan.SpecInfo{Title: "x\n  \"steps\": [] <&>"}, Tests: []plan.Test{}}
	for name, p := range map[string]*plan.Plan{"judged": build(t, judged), "wide": build(t, wideSpec(500)), "empty": {}, "tricky": &tricky} {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(p); err != nil {
			t.Fatal(err)
		}
		got, err := plan.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s: %s", name, cmp.Diff(want.String(), string(got)))
			continue
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
