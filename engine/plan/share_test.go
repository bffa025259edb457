package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/google/go-cmp/cmp"
)

const sharers = `
matrix {
  axis "n" {
    values = [1, 2]
  }
}
setup "fake_thing" "s" {
  label = matrix.n
}
test "fake" "a" {
  claims = ["cpu", "io"]
  share  = true
  count  = matrix.n
}
test "fake" "b" {
  claims = ["io", "cpu", "own"]
  share  = true
  count  = 1
}
`

// TestShare: tests that share what both would have for themselves are on different benches, and say so. All that do not share take turns.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		name, spec string
		benches    int
		shares     string // of b
		warning    string
	}{
		{"both", sharers, 3, `"cpu" and "io" with test.fake.a`, ""},
		{"neither", strings.ReplaceAll(sharers, "share  = true", ""), 1, "", ""},
		{"one of them", strings.Replace(sharers, "share  = true", "", 1), 1, "",
			`test.fake.b says share = true, but no test that could run at the same time shares "io", "cpu" and "own".`},
		{"a third does not", sharers + "test \"fake\" \"c\" {\nclaims = [\"io\"]\ncount = 1\n}\n", 1, "", "says share = true, but"},
		{"on one thing", strings.ReplaceAll(sharers, "share  = true", "share  = true\nthing = setup.fake_thing.s.id"), 2, `"cpu" and "io" with test.fake.a and test.fake.b`, ""},
		{"what stands is not shared", strings.Replace(sharers, "  label = matrix.n", "  claims = [\"io\"]", 1) + "test \"fake\" \"c\" {\nthing = setup.fake_thing.s.id\ncount = 1\n}\n", 1, "", "says share = true, but"},
		{"nothing to share", "test \"fake\" \"b\" {\nshare = true\ncount = 1\n}\n", 1, "", "test.fake.b says share = true, but it claims nothing for itself."},
		{"nobody else", "test \"fake\" \"b\" {\nshare = true\nclaims = [\"io\"]\ncount = 1\n}\n", 1, "", `no test that could run at the same time shares "io"`},
		{"together", sharers + "test \"fake\" \"d\" {\ncount = 1\nclaims = [\"io\"]\nshare = true\nalongside = [test.fake.b]\n}\n", 3, `"cpu" and "io" with test.fake.a`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, diags := tryBuild(t, c.spec)
			if p == nil {
				t.Fatal(diags)
			}
			if len(p.Benches) != c.benches {
				t.Errorf("%d benches, want %d", len(p.Benches), c.benches)
			}
			var shares []string
			for _, x := range p.Tests {
				for _, s := range x.Sharing {
					if x.Instance.Name == "b" {
						shares = append(shares, s.Text())
					}
				}
			}
			if len(shares) > 0 {
				shares = shares[:1]
			}
			if d := cmp.Diff(c.shares, strings.Join(shares, "; ")); d != "" {
				t.Error(d)
			}
			if got := diags.Error(); c.warning == "" && strings.Contains(got, "Share without effect") || !strings.Contains(got, c.warning) {
				t.Errorf("diagnostics are %q, want %q", got, c.warning)
			}
			var text, md bytes.Buffer
			if err := plan.Text(&text, p, nil, false); err != nil {
				t.Fatal(err)
			}
			if err := plan.Markdown(&md, p); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text.String(), "\n           shares ") != (c.shares != "") || strings.Contains(md.String(), "<br>shares ") != (c.shares != "") {
				t.Errorf("it is not shown what is shared:\n%s\n%s", &text, &md)
			}
			if p.Warnings = nil; c.shares == "" {
				if err := replay(p); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestShareTargets: what a target leaves out may be what is shared with, so nothing is said.
func TestShareTargets(t *testing.T) {
	if p := build(t, sharers, "test.fake.b"); len(p.Warnings) > 0 {
		t.Error(p.Warnings)
	}
}
