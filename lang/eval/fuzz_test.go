package eval_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
)

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// FuzzFront: whatever bytes a spec is made of, the front end answers with diagnostics, in bounded time, and every
// diagnostic can be printed.
func FuzzFront(f *testing.F) {
	for _, pattern := range []string{"testdata/errors/*.assay.hcl", "testdata/golden/*/*.assay.*"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			f.Add(readFile(f, file), filepath.Ext(file) == ".json")
		}
	}
	for _, c := range limitCases() {
		if len(c.src) < 4096 {
			f.Add([]byte(c.src), filepath.Ext(c.file) == ".json")
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte, json bool) {
		name := "s.assay.hcl"
		if json {
			name = "s.assay.json"
		}
		src := diag.Sources{name: raw}
		done := time.AfterFunc(20*time.Second, func() { panic("this takes too long") })
		_, diags := evaluate(src, options())
		_, more := eval.ParseVarFile("v.assayvars", raw)
		done.Stop()
		for _, d := range append(diags, more...) {
			if d.Subject != nil && (d.Subject.Start.Byte < 0 || d.Subject.Start.Byte > len(raw)+1) {
				t.Errorf("%s points at byte %d of %d", d.Summary, d.Subject.Start.Byte, len(raw))
			}
		}
		src["v.assayvars"] = raw
		if err := diag.Write(&bytes.Buffer{}, src, append(diags, more...), 60, true); err != nil {
			t.Error(err)
		}
		diag.JSON(src, append(diags, more...))
	})
}
