package outline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/google/go-cmp/cmp"
)

// outlined writes an outline, a line for each node: its name, its axes, what it names.
func outlined(t *testing.T, src diag.Sources) string {
	t.Helper()
	m, _ := config.Parse(src)
	var b strings.Builder
	for _, n := range Of(m).Nodes {
		fmt.Fprintf(&b, "%s [%s] %s\n", n.Name, strings.Join(n.Axes, " "), strings.Join(n.Names, " "))
	}
	return b.String()
}

func TestOutline(t *testing.T) {
	for _, file := range []string{"spec.assay.hcl", "spec.assay.json", "broken.assay.hcl"} {
		src, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata", file+".want"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), outlined(t, diag.Sources{file: src})); d != "" {
			t.Errorf("%s: %s", file, d)
		}
	}
}

func TestNamed(t *testing.T) {
	m, diags := config.Parse(diag.Sources{"a.assay.hcl": []byte(`
locals {
  own  = local.own
  used = 1
  user = local.used
}
variable "v" {
  validation {
    condition = var.v > 1 && var.w > 1
    message   = "no"
  }
}
variable "w" {}
`)})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	o := Of(m)
	if d := cmp.Diff(map[string]bool{"local.used": true, "var.w": true}, o.Named()); d != "" {
		t.Error(d)
	}
	if o.Node("local.user") == nil || o.Node("local.none") != nil {
		t.Error("Node does not find what is there")
	}
}
