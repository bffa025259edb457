package plan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/google/go-cmp/cmp"
)

func TestTargetMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, address string
		want             bool
	}{
		{"test.fio.seq", "test.fio.seq[rw=read]", true},
		{"test.fio.*", "test.fio.seq[rw=read]", true},
		{"test.*", "test.fio.seq[rw=read]", true},
		{"*", "test.fio.seq", true},
		{"test.fio.*[rw=read]", "test.fio.seq[bs=4KiB,rw=read]", true},
		{"test.fio.*[rw=read]", "test.fio.seq[rw=write]", false},
		{"test.fio.*[rw=read]", "test.fio.seq", false},
		{"test.fio.seq[rw=*read,bs=?KiB]", "test.fio.seq[bs=4KiB,rw=randread]", true},
		{"test.fio.seq[bs=?KiB]", "test.fio.seq[bs=16KiB]", false},
		{"test.fio.s", "test.fio.seq", false},
		{"test.f*o.*q", "test.fio.seq", true},
		{"test.f*o.*x", "test.fio.seq", false},
		{`test.fio.seq[盘="SAS 盘"]`, `test.fio.seq[盘="SAS 盘"]`, true},
	} {
		targets, err := plan.ParseTargets([]string{c.pattern})
		if err != nil {
			t.Fatal(err)
		}
		inst, err := addr.ParseInstance(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got := targets[0].Matches(inst); got != c.want {
			t.Errorf("%s matches %s: %v", c.pattern, c.address, got)
		}
	}
	for _, bad := range []string{"", "[rw=read]", "test.fio.seq[rw", "test.fio.seq[]", "test.fio.seq[rw]", "rw=read"} {
		if _, err := plan.ParseTargets([]string{bad}); err == nil || !strings.Contains(err.Error(), "test.fio.*[rw=read]") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestTargets narrows a plan to some tests, with what they stand on and what judges them.
func TestTargets(t *testing.T) {
	for name, c := range map[string]struct {
		targets           []string
		tests, setups     int
		kpis, comparisons int
		notJudged         []string
	}{
		"all":                    {nil, 4, 2, 2, 2, nil},
		"one axis":               {[]string{"test.fake.*[rw=read]"}, 2, 2, 2, 1, nil},
		"one arm":                {[]string{"test.fake.seq[drive=sas]"}, 2, 1, 1, 0, []string{"kpi.gain"}},
		"two targets":            {[]string{"test.*[drive=sas,rw=read]", "test.*[drive=sata,rw=write]"}, 2, 2, 1, 0, []string{"kpi.gain"}},
		"what stands on a setup": {[]string{"setup.fake_thing.array[drive=sata]"}, 2, 1, 0, 0, []string{"kpi.gain", "kpi.latency"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := build(t, judged, c.targets...)
			var not []string
			for _, n := range p.Judgement.NotJudged {
				not = append(not, n.Block)
			}
			got := []int{len(p.Tests), len(p.Things), len(p.Judgement.KPIs), len(p.Judgement.Comparisons)}
			if d := cmp.Diff([]int{c.tests, c.setups, c.kpis, c.comparisons}, got); d != "" {
				t.Errorf("tests, setups, KPIs, comparisons: %s", d)
			}
			if d := cmp.Diff(c.notJudged, not); d != "" {
				t.Errorf("not judged: %s", d)
			}
			if d := cmp.Diff(c.targets, p.Targets); d != "" {
				t.Error(d)
			}
			if err := replay(p); err != nil {
				t.Error(err)
			}
		})
	}
	deep := build(t, `
setup "fake_thing" "disk" {
}
setup "fake_thing" "array" {
label = setup.fake_thing.disk.id
}
setup "fake_thing" "other" {
label = "other"
}
test "fake" "a" {
thing = setup.fake_thing.array.id
count = 1
}
test "fake" "b" {
thing = setup.fake_thing.other.id
count = 1
}
`, "setup.*.disk")
	if len(deep.Tests) != 1 || deep.Tests[0].Address != "test.fake.a" || len(deep.Things) != 2 {
		t.Errorf("%d tests, %d things", len(deep.Tests), len(deep.Things))
	}
	if err := replay(deep); err != nil {
		t.Error(err)
	}
	targets, err := plan.ParseTargets([]string{"test.fake.seq[rw=reed]"})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = plan.Build(context.Background(), fakes(t), plan.Request{Sources: diag.Sources{"x.assay.hcl": []byte(judged)}, Path: ".", Targets: targets})
	if err == nil || !strings.Contains(err.Error(), `"test.fake.seq[rw=reed]" picks nothing`) || !strings.Contains(err.Error(), "one is test.fake.seq[") {
		t.Errorf("a target that picks nothing: %v", err)
	}
}
