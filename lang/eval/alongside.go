package eval

import (
	"fmt"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/hashicorp/hcl/v2"
)

// companion is a test that another, its leader, lists in alongside.
type companion struct {
	*block
	rng hcl.Range // where the leader names it
}

// alongside reads the list of a leader. What it may list is checked once every block is open.
func (e *evaluator) alongside(b *block, a *hcl.Attribute) {
	items, diags := hcl.ExprList(a.Expr)
	if diags.HasErrors() {
		e.errorf(a.Expr.Range(), "Not a list", "alongside lists the tests that start together with this one, such as [test.fio.other].")
	}
	for _, item := range items {
		t, ok := traversal(item)
		if !ok || t.RootName() != "test" || len(t) != 3 || stepName(t[1]) == "" || stepName(t[2]) == "" {
			e.errorf(item.Range(), "Not a test", "alongside lists tests as they stand, such as test.fio.other.")
			continue
		}
		name := addr.Block{Kind: "test", Type: stepName(t[1]), Name: stepName(t[2])}
		if c := e.blocks[name]; c != nil {
			b.companions = append(b.companions, companion{c, item.Range()})
		} else {
			e.errorf(item.Range(), "Unknown test", "There is no %s%s", name, e.blockHint("test", name))
		}
	}
}

// lead gives every companion its leader.
func (e *evaluator) lead() {
	for _, b := range e.order {
		for _, c := range b.companions {
			switch {
			case c.block == b:
				e.errorf(c.rng, "Alongside itself", "%s is this test. List the others that start together with it.", b.cfg.Addr)
			case c.leader == b:
				e.errorf(c.rng, "Listed twice", "%s is in this list already. Name it once.", c.cfg.Addr)
			case c.leader != nil:
				e.errorf(c.rng, "Two leaders", "%s runs alongside %s already, and it can start with one of the two only. List all that start together in one of them.", c.cfg.Addr, c.leader.cfg.Addr)
			case len(c.companions) > 0:
				e.errorf(c.rng, "Companion that leads", "%s lists others in its own alongside. List all that start together in one place.", c.cfg.Addr)
			default:
				c.leader = b
				e.ledBy(c.block)
			}
		}
		for _, t := range b.together() {
			if len(b.companions) > 0 {
				e.startsOnce(t)
			}
		}
	}
}

// startsOnce refuses rounds in a test that starts together with others: how many there are is known only at the end, and others would
// not run beside the later ones.
func (e *evaluator) startsOnce(b *block) {
	for _, s := range b.meta.blocks["steady_state"] {
		e.errorf(s.rng, "Rounds beside others", "%s starts together with others, once in each repetition, so it cannot measure in rounds until they are steady. Leave steady_state out, or run it alone.", b.cfg.Addr)
	}
}

// ledBy refuses what a companion takes from its leader.
func (e *evaluator) ledBy(c *block) {
	said := map[string]hcl.Range{}
	if a := c.meta.attrs["repeat"]; a != nil {
		said["repeat"] = a.Range
	}
	for _, r := range c.meta.blocks["retry"] {
		said["retry"] = r.rng
	}
	for _, name := range sortedKeys(said) {
		e.errorf(said[name], "Set by the leader", "%s runs alongside %s: as often as that one, and again whenever that one is tried again. Say %s there.", c.cfg.Addr, c.leader.cfg.Addr, name)
	}
}

// together lists a test with all that start together with it, the leader first. They have the same axes.
func (b *block) together() []*block {
	if b.leader != nil {
		b = b.leader
	}
	group := []*block{b}
	for _, c := range b.companions {
		if c.leader == b {
			group = append(group, c.block)
		}
	}
	return group
}

// follow makes an instance as its leader is at these coordinates: run as often, and not run where that is not. present is false where the
// leader is absent.
func (e *evaluator) follow(b *block, inst *spec.Instance, at addr.Coordinates) (leader *spec.Instance, present bool) {
	leader = e.instance(b.leader, at)
	switch {
	case leader == nil:
		return nil, b.leader.broken // then an error says so
	case inst.Skip != "" || leader.Skip != "":
		if inst.Skip == "" {
			inst.Skip = fmt.Sprintf("it runs alongside %s, which is skipped: %s", leader.Addr, leader.Skip)
		}
		inst.Repeat = leader.Repeat
		return nil, true
	case inst.Import != nil && leader.Import != nil:
		return nil, true
	case inst.Import != nil:
		e.errorf(inst.Import.Range, "Imported beside what runs", "The results of %s are imported, and %s, alongside which it runs, is run. Import both, or neither.", inst.Addr, leader.Addr)
	case leader.Import != nil:
		e.errorf(leader.Import.Range, "Imported beside what runs", "The results of %s are imported, and %s, which runs alongside, is run. Import both, or neither.", leader.Addr, inst.Addr)
	default:
		inst.Repeat, inst.Attempts, inst.Backoff = leader.Repeat, leader.Attempts, leader.Backoff
		return leader, true
	}
	return nil, true
}
