package plan_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
)

// TestLossIsLoud: what would be erased and written stands at the top and at its step, in both forms.
func TestLossIsLoud(t *testing.T) {
	disk := providers.Erase{Host: "db1", Device: "/dev/sdb", Serial: "S0001", Model: "UM511a", Size: 1920e9, Holds: "ext4 | *mail*"}
	step := plan.Step{
		ID: "s1", Address: "setup.storage_raid.array", Coordinates: addr.Coordinates{}, Action: plan.Create, Round: 1, Bench: "1",
		Commands: []providers.Command{{On: "db1", Argv: []string{"mdadm", "--create", "a|b`c"}}},
		Erases:   []providers.Erase{disk, {Device: "/dev/sdc", Serial: "S0002"}}, Writes: 3 << 30, EstimateS: 60,
	}
	again := step
	again.ID, again.Erases = "s2", []providers.Erase{disk}
	p := &plan.Plan{
		Spec: plan.SpecInfo{Title: "Arrays <b>"}, Steps: []plan.Step{step, again}, EstimateS: 120,
		Benches: []plan.Bench{{Name: "1", Steps: 2, EstimateS: 120}}, Order: plan.Order{Order: plan.Grouped, Rounds: 1},
		Warnings: []string{"something"},
	}
	var text, md bytes.Buffer
	if err := plan.Text(&text, p, nil, false); err != nil {
		t.Fatal(err)
	}
	if err := plan.Markdown(&md, p); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, out, want string }{
		{"text", text.String(), "2 steps on 1 bench, about 2min; 2 disks ERASED; 6 GiB written."},
		{"text", text.String(), "erases db1 /dev/sdb S0001 (UM511a, 1.92 TB): ext4 | *mail*\n"},
		{"text", text.String(), "erases /dev/sdc S0002: unknown contents\n"},
		{"text", text.String(), "           writes 3 GiB\n"},
		{"text", text.String(), "db1 $ mdadm --create 'a|b`c'"},
		{"md", md.String(), "> [!CAUTION]\n> **2 DISKS ERASED**\n"},
		{"md", md.String(), `> | db1 /dev/sdb S0001 (UM511a, 1.92 TB) | ext4 \| \*mail\* |`},
		{"md", md.String(), "**ERASES** /dev/sdc S0002: unknown contents"},
		{"md", md.String(), "`` db1 $ mdadm --create 'a\\|b`c' ``"},
		{"md", md.String(), "> [!WARNING]\n> something"},
		{"md", md.String(), "Arrays &lt;b>"},
	} {
		if !strings.Contains(c.out, c.want) {
			t.Errorf("%s lacks %q:\n%s", c.name, c.want, c.out)
		}
	}
}
