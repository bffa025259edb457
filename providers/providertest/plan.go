package providertest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

func checkThingPlan(b *bench, c Thing) {
	p := b.provider()
	t := b.typ(p, c.kind(), c.Type)
	target := b.target(t, c.kind(), c.Name, valuesAt(c.Values, b.place(cty.NilVal)))
	res := checkPlan(b, p, t, target)
	if len(res.ReleaseCommands) == 0 {
		b.Errorf("ReleaseCommands is empty: the plan could not say how the thing is taken away")
	}
}

func checkTestPlan(b *bench, c Test) {
	p := b.provider()
	place := b.stand(p, c)
	t := b.typ(p, "test", c.Type)
	target := b.target(t, "test", c.Name, valuesAt(c.Values, place))
	cold := checkPlan(b, p, t, target)
	if t.Warmup {
		target.Warmup = 3 * time.Second
		warm := b.plan(p, target)
		if warm.Estimate < cold.Estimate+target.Warmup {
			b.Errorf("with a warm-up of %v the estimate is %v, and without it %v", target.Warmup, warm.Estimate, cold.Estimate)
		}
		if cmp.Equal(cold.Commands, warm.Commands) {
			b.Errorf("the plan's commands do not say that it warms up")
		}
	}
}

// checkPlan: reads at most, answers twice the same, also from another provider of the kind; promises only what is
// known and declared; and says what will be done.
func checkPlan(b *bench, p providers.Provider, t *schema.Type, target providers.Target) *providers.PlanResponse {
	before := b.tree()
	res := b.plan(p, target)
	again, other := b.plan(p, target), b.plan(b.provider(), target)
	if diff := cmp.Diff(before, b.tree()); diff != "" {
		b.Errorf("Plan changed files:\n%s", diff)
	}
	if diff := cmp.Diff(res, again, equalCty); diff != "" {
		b.Errorf("Plan answers differently the second time:\n%s", diff)
	}
	if diff := cmp.Diff(res, other, equalCty); diff != "" {
		b.Errorf("Plan of another provider of the kind answers differently:\n%s", diff)
	}
	checkOffline(b, target)
	checkProblems(b, t, res.Problems)
	if len(res.Commands) == 0 {
		b.Errorf("Commands is empty: the plan could not say what is done")
	}
	for _, c := range append(append([]providers.Command{}, res.Commands...), res.ReleaseCommands...) {
		checkCommand(b, c)
	}
	seen := map[string]bool{}
	for _, c := range res.Claims {
		if c.Name == "" || seen[c.Name] {
			b.Errorf("claim %q is empty or given twice", c.Name)
		}
		seen[c.Name] = true
	}
	if res.Estimate < 0 || res.ReleaseEstimate < 0 || res.Writes < 0 {
		b.Errorf("an estimate is negative: %v, %v, %d B", res.Estimate, res.ReleaseEstimate, res.Writes)
	}
	if res.Slot == "" != (res.State == "") {
		b.Errorf("slot %q and state %q go together", res.Slot, res.State)
	}
	return res
}

// checkOffline plans on a dialer that fails the test when it is used.
func checkOffline(b *bench, target providers.Target) {
	p := b.provider()
	if b.cases.Offline != nil {
		p = b.configure(b.cases.Offline(b, func(_ context.Context, address string) (host.Host, error) {
			b.Errorf("Plan offline dialled host %q", address)
			return nil, errors.New("offline: no host may be used")
		}))
	}
	before := b.tree()
	res, err := p.Plan(b.context(), providers.PlanRequest{Target: target, Offline: true})
	if err != nil || res == nil {
		b.Fatalf("Plan offline: %v, %v", res, err)
	}
	for _, pr := range res.Problems {
		if !pr.Warning {
			b.Errorf("Plan offline: %s: %s: %s", pr.Attribute, pr.Summary, pr.Detail)
		}
	}
	if diff := cmp.Diff(before, b.tree()); diff != "" {
		b.Errorf("Plan offline changed files:\n%s", diff)
	}
}

func checkProblems(b *bench, t *schema.Type, problems []providers.Problem) {
	for _, pr := range problems {
		known := pr.Attribute == "" || t.Body.Attribute(pr.Attribute) != nil
		for _, n := range t.Body.Blocks {
			known = known || n.Name == pr.Attribute
		}
		if !known {
			b.Errorf("problem %q is about %q, which the type does not have", pr.Summary, pr.Attribute)
		}
		if strings.TrimSpace(pr.Summary) == "" || strings.TrimSpace(pr.Detail) == "" {
			b.Errorf("problem %q (%q) needs a summary, and a detail that says what to do", pr.Summary, pr.Detail)
		}
	}
}

// badOutputs says what is wrong with promised outputs: they are of the declared type and known. Without declared outputs
// no value is needed.
func badOutputs(t *schema.Type, outputs cty.Value) string {
	if outputs == cty.NilVal {
		if len(t.Outputs) > 0 {
			return "Outputs is missing; the type declares some"
		}
		return ""
	}
	if want := t.OutputsType(); !outputs.Type().Equals(want) {
		return fmt.Sprintf("Outputs is of type %#v, declared is %#v", outputs.Type(), want)
	}
	if outputs.ContainsMarked() {
		return "Outputs is marked; providers know no marks"
	}
	if !outputs.IsWhollyKnown() {
		return fmt.Sprintf("Outputs is not wholly known: %#v; every output is promised", outputs)
	}
	for name, v := range outputs.AsValueMap() {
		if v.IsNull() {
			return fmt.Sprintf("output %s is null; every output is promised", name)
		}
	}
	return ""
}

func checkCommand(b *bench, c providers.Command) {
	forms := 0
	for _, given := range []bool{len(c.Argv) > 0, c.SQL != "", c.HTTP != "", c.Manual != ""} {
		if given {
			forms++
		}
	}
	if forms != 1 {
		b.Errorf("command %+v: just one of argv, sql, http and manual is set", c)
	}
	if len(c.Argv) > 1 && strings.HasSuffix(c.Argv[0], "sh") && strings.HasPrefix(c.Argv[1], "-c") {
		b.Errorf("command %q is a shell string", c.Argv)
	}
}

// checkBad: refused with a problem about the attribute, offline and online.
func checkBad(b *bench, c Bad) {
	p := b.provider()
	t := b.typ(p, c.Kind, c.Type)
	target := b.target(t, c.Kind, "bad", c.Values)
	for _, offline := range []bool{true, false} {
		res, err := p.Plan(b.context(), providers.PlanRequest{Target: target, Offline: offline})
		if err != nil || res == nil {
			b.Fatalf("Plan (offline %v): %v, %v; what is wrong with a configuration is a Problem", offline, res, err)
		}
		checkProblems(b, t, res.Problems)
		found := false
		for _, pr := range res.Problems {
			found = found || !pr.Warning && pr.Attribute == c.Attribute
		}
		if !found {
			b.Errorf("Plan (offline %v): no problem about %q, but %+v", offline, c.Attribute, res.Problems)
		}
	}
}

// tree describes every file below the working directory and the cases' places: its mode and time of change.
func (b *bench) tree() map[string]string {
	b.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(b.root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err == nil {
			files[path] = info.Mode().String() + " " + info.ModTime().String()
		}
		return err
	})
	if err != nil {
		b.Fatalf("reading the directories: %v", err)
	}
	return files
}

// equalCty compares configurations and outputs.
var equalCty = cmp.Comparer(func(x, y cty.Value) bool {
	if x == cty.NilVal || y == cty.NilVal {
		return x == cty.NilVal && y == cty.NilVal
	}
	return x.RawEquals(y)
})
