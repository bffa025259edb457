package eval

import (
	"slices"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// duringTest reads the test that a monitor watches, which is named as it stands: the monitor has its axes. Where there is none, which
// is reported, the monitor is broken.
func (e *evaluator) duringTest(b *block, a *hcl.Attribute) *block {
	t, ok := traversal(a.Expr)
	want := addr.Block{Kind: "test"}
	if ok && len(t) == 3 && t.RootName() == "test" {
		want.Type, want.Name = stepName(t[1]), stepName(t[2])
	}
	if want.Type == "" || want.Name == "" {
		e.errorf(a.Expr.Range(), "Not a test", "during names one test block as it stands, such as test.fio.seq.")
		b.broken = true
		return nil
	}
	test := e.blocks[want]
	if test == nil {
		e.errorf(a.Expr.Range(), "Unknown test", "There is no %s%s", want, e.blockHint("test", want))
		b.broken = true
	}
	return test
}

// watchedAxes are the axes of a monitor: those of the test that it watches, and none without one. What names another axis is reported,
// since no one instance would belong to a run of the test.
func (e *evaluator) watchedAxes(b *block) []string {
	var axes []string
	if b.during != nil {
		test := b.during.cfg.Addr
		axes = e.refAxes(ref{root: "test", path: []string{test.Type, test.Name}, rng: b.cfg.Range})
	}
	if b.during == nil && !b.broken {
		e.checkContext(b)
	}
	check := func(own []string, rng hcl.Range) {
		for _, axis := range own {
			if b.during != nil && !b.during.broken && !contains(axes, axis) {
				e.errorf(rng, "Axis that the test lacks", "This depends on axis %q, but %s, which the monitor watches, does not.%s", axis, b.during.cfg.Addr, (&measured{axes: axes}).axesText())
				b.broken = true
			}
		}
	}
	for _, x := range b.expressions() {
		check(e.axesOf(x), x.Range())
	}
	for _, r := range b.dependsOn {
		check(e.refAxes(r), r.rng)
	}
	if b.during != nil && b.during.broken {
		b.broken = true
	}
	return axes
}

// checkContext reports what a monitor cannot have that watches every test on its hosts: they are at different coordinates, and stand on
// different things.
func (e *evaluator) checkContext(b *block) {
	const advice = "A monitor without during watches every test on its hosts, so %s. Give it during = test.TYPE.NAME."
	for _, i := range b.meta.blocks["import"] {
		e.errorf(i.rng, "Import without a test", advice, "files that it is imported from belong to none of them")
		b.broken = true
	}
	stands := func(rng hcl.Range) {
		e.errorf(rng, "Setup that may not stand", advice, "it cannot stand on a setup or dataset that some of them do without")
		b.broken = true
	}
	for _, r := range b.dependsOn {
		stands(r.rng)
	}
	for _, x := range b.expressions() {
		switch axes := e.axesOf(x); {
		case e.reaches(x, "setup", "dataset"):
			stands(x.Range())
		case len(axes) > 0:
			e.errorf(x.Range(), "Axis without a test", advice, "it cannot depend on an axis")
			b.broken = true
		}
	}
}

// watch binds a monitor to the instance that it watches. Unless its figures come from files, it has no run where the test has none.
func watch(monitor, test *spec.Instance) {
	if test == nil {
		return
	}
	monitor.During = test
	if monitor.Import != nil {
		return
	}
	monitor.Repeat = test.Repeat
	switch {
	case test.Skip != "":
		monitor.Skip = test.Addr.String() + " is skipped: " + test.Skip
	case test.Import != nil:
		monitor.Skip = test.Addr.String() + " is imported, so there is no run to watch"
	}
}

// joinNeeds lets tests stand on what their monitors need too.
func (e *evaluator) joinNeeds() {
	for _, b := range e.order {
		if b.during == nil {
			continue
		}
		for _, inst := range b.list {
			if inst.Idle() {
				continue
			}
			for _, n := range inst.Needs {
				if !slices.Contains(inst.During.Needs, n) {
					inst.During.Needs = append(slices.Clip(inst.During.Needs), n)
				}
			}
		}
	}
}
