package eval_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/google/go-cmp/cmp"
)

// TestJSONSyntax: the same spec in JSON evaluates to the same; only what the array is needed for is written twice there.
func TestJSONSyntax(t *testing.T) {
	native, err := os.ReadFile("testdata/golden/example/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	s, diags := evaluate(readSources(t, "testdata/golden/json"), options())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	got := dump(s)
	for _, drive := range []string{"sas", "sata"} {
		got = strings.ReplaceAll(got, "]\n  needs setup.fake_thing.array[drive="+drive+"]\n  repeat=6", "]\n  repeat=6")
	}
	if d := cmp.Diff(string(native), got); d != "" {
		t.Error(d)
	}
}

// TestJSONErrors: mistakes in JSON syntax are found as in the native one, at the string in which they stand.
func TestJSONErrors(t *testing.T) {
	const matrix = `{"matrix": {"axis": {"rw": {"values": ["read", "write"]}, "drive": {"case": {"sas": {}, "sata": {}}}}}, `
	for _, c := range []struct{ name, rest, want string }{
		{"comparison", `"locals": {"a": "${matrix.rw == 5}"}}`, `2,20-34: Comparison of different types`},
		{"object", `"locals": {"a": ["x", {"b": "${matrix.drive == \"sas\"}"}]}}`, `Comparison with an object`},
		{"unknown axis", `"locals": {"a": "${matrix.rv}"}}`, `2,26-29: Unknown axis; There is no axis "rv". Did you mean "rw"?`},
		{"unit", `"setup": {"fake_thing": {"t": {"size": "4kb"}}}}`, `2,40-45: Invalid quantity`},
		{"argument", `"setup": {"fake_thing": {"t": {"sze": "4KiB"}}}}`, `Extraneous JSON object property`},
		{"measure", `"kpi": {"k": {"measure": "test.fio.nope.iops", "min": 1}}}`, `Unknown test`},
		{"not a measure", `"kpi": {"k": {"measure": "iops of it", "min": 1}}}`, `Not a reference`},
		{"depends_on", `"setup": {"fake_thing": {"t": {"depends_on": ["setup.fake_thing.u"]}}}}`, `Unknown setup`},
		{"depends_on text", `"setup": {"fake_thing": {"t": {"depends_on": ["u v"]}}}}`, `Not a setup`},
		{"on", `"setup": {"fake_thing": {"t": {"on": "hardware.x"}}}}`, `Unknown hardware`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, diags := evaluate(diag.Sources{"s.assay.json": []byte(matrix + "\n" + c.rest)}, options())
			text := ""
			for _, d := range diags {
				text += fmt.Sprintln(d)
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("want %q, got %q", c.want, text)
			}
		})
	}
}
