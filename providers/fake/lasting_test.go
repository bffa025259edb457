package fake

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/google/go-cmp/cmp"
)

// TestLastingMarks: what a monitor marks is a moment, or lasts until a later second.
func TestLastingMarks(t *testing.T) {
	for text, want := range map[string]any{
		"2 mark disk fails":    measure.Mark{T: 2, Text: "disk fails"},
		"2 until 4 rebuild it": measure.Mark{T: 2, Until: 4, Text: "rebuild it"},
		"2 until 2 rebuild":    `"2 rebuild" is no time after 2, with a text`,
		"2 until 4":            `"4" is no time after 2, with a text`,
		"2 until soon rebuild": `"soon rebuild" is no time after 2, with a text`,
	} {
		req := providers.ParseRequest{Imported: true, Format: importFormat, Artifacts: []measure.Artifact{
			{Name: "x", Data: []byte(watchHeader + "\n0 load 0.4\n" + text + "\nend\n")},
		}}
		req.Kind, req.Type = "monitor", "fake"
		res, err := (&Provider{}).Parse(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if reason, bad := want.(string); bad {
			if !strings.Contains(res.Sample.Reason, reason) {
				t.Errorf("%s: reason %q, want %q", text, res.Sample.Reason, reason)
			}
			continue
		}
		if len(res.Series) != 2 {
			t.Fatalf("%s: %+v", text, res)
		}
		if d := cmp.Diff([]measure.Mark{want.(measure.Mark)}, res.Series[1].Marks); d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}
