package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const backupAndRestore = `
matrix {
  axis "store" {
    values = ["nfs", "disk"]
  }
  axis "threads" {
    values = [1, 8]
  }
}
setup "fake_thing" "store" {
  label  = matrix.store
  claims = ["path"]
}
test "fake" "restore" {
  takes  = test.fake.backup.left
  count  = matrix.threads
  repeat = matrix.threads == 1 ? 2 : 1
}
test "fake" "backup" {
  thing  = setup.fake_thing.store.id
  count  = 1
  repeat = 2
}
`

// TestChains: a test that uses what another leaves is run after it in each repetition, whatever the order.
func TestChains(t *testing.T) {
	const nfs, disk = "create store[store=nfs] ", " create store[store=disk] "
	inTurn := func(store string, list ...string) string {
		return strings.ReplaceAll(strings.Join(list, " "), "S", "store="+store)
	}
	b1, b2, b3 := "backup[S]#1", "backup[S]#2", "backup[S]#3"
	one1, one2, eight1 := "restore[S,threads=1]#1", "restore[S,threads=1]#2", "restore[S,threads=8]#1"
	for _, c := range []struct {
		name, spec, targets, steps string
	}{
		{"grouped", backupAndRestore, "",
			nfs + inTurn("nfs", b1, one1, eight1, b2, one2) + " destroy store[store=nfs]" + disk + inTurn("disk", b1, one1, eight1, b2, one2) + " destroy store[store=disk]"},
		{"interleaved", "spec {\norder = \"interleaved\"\n}\n" + backupAndRestore, "",
			nfs + inTurn("nfs", b1, one1, eight1) + " destroy store[store=nfs]" + disk + inTurn("disk", b1, one1, eight1, b2, one2) + " destroy store[store=disk] " +
				nfs + inTurn("nfs", b2, one2) + " destroy store[store=nfs]"},
		{"picked", backupAndRestore, "test.fake.restore[store=nfs,threads=8]", nfs + inTurn("nfs", b1, eight1, b2) + " destroy store[store=nfs]"},
		{"only what it needs is picked", backupAndRestore, "test.fake.backup[store=nfs]", nfs + inTurn("nfs", b1, b2) + " destroy store[store=nfs]"},
		{"skipped", strings.Replace(backupAndRestore, "count  = 1\n", "count = 1\nskip {\nwhen = matrix.store == \"nfs\"\nreason = \"x\"\n}\n", 1), "",
			strings.TrimSpace(disk) + " " + inTurn("disk", b1, one1, eight1, b2, one2) + " destroy store[store=disk]"},
		{"without things", strings.ReplaceAll(backupAndRestore, "thing  = setup.fake_thing.store.id", "seed = matrix.store"), "test.*[store=disk]",
			inTurn("disk", b1, one1, eight1, b2, one2)},
		{"more repetitions before", strings.Replace(backupAndRestore, "repeat = 2", "repeat = 3", 1), "test.*[store=nfs]",
			nfs + inTurn("nfs", b1, one1, eight1, b2, one2, b3) + " destroy store[store=nfs]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var targets []string
			if c.targets != "" {
				targets = []string{c.targets}
			}
			p := build(t, c.spec, targets...)
			if err := replay(p); err != nil {
				t.Error(err)
			}
			var steps []string
			for _, s := range p.Steps {
				name := strings.NewReplacer("setup.fake_thing.", "", "test.fake.", "").Replace(s.Address)
				if s.Repetition > 0 {
					steps = append(steps, fmt.Sprintf("%s#%d", name, s.Repetition))
				} else {
					steps = append(steps, string(s.Action)+" "+name)
				}
			}
			if d := cmp.Diff(strings.Fields(c.steps), strings.Fields(strings.Join(steps, " "))); d != "" {
				t.Errorf("steps (-want +got):\n%s", d)
			}
			if len(p.Benches) != 1 {
				t.Errorf("%d benches, want 1", len(p.Benches))
			}
		})
	}
}

// TestChainErrors: what one repetition cannot go through is an error that names both tests.
func TestChainErrors(t *testing.T) {
	for _, c := range []struct{ name, spec string }{
		{"test.fake.b needs setup.fake_thing.two, and test.fake.a needs setup.fake_thing.one, and both claim \"disk\"", `
setup "fake_thing" "one" {
  claims = ["disk"]
}
setup "fake_thing" "two" {
  label  = "two"
  claims = ["disk"]
}
test "fake" "b" {
  thing = setup.fake_thing.two.id
  takes = test.fake.a.left
  count = 1
}
test "fake" "a" {
  thing = setup.fake_thing.one.id
  count = 1
}
`},
		{"test.fake.a wants \"memory\" for itself, and so does setup.fake_thing.server, which stands for test.fake.b.", `
setup "fake_thing" "server" {
  claims = ["memory"]
}
test "fake" "a" {
  claims = ["memory"]
  count  = 1
}
test "fake" "b" {
  thing = setup.fake_thing.server.id
  takes = test.fake.a.left
  count = 1
}
`},
		{"test.fake.b needs setup.fake_thing.two, and test.fake.a needs setup.fake_thing.one, and both claim \"disk\" for themselves. The tests start together", `
setup "fake_thing" "one" {
  claims = ["disk"]
}
setup "fake_thing" "two" {
  label  = "two"
  claims = ["disk"]
}
test "fake" "b" {
  thing     = setup.fake_thing.two.id
  alongside = [test.fake.a]
  count     = 1
}
test "fake" "a" {
  thing = setup.fake_thing.one.id
  count = 1
}
`},
		{"test.fake.b needs setup.fake_thing.one and setup.fake_thing.two at once", `
setup "fake_thing" "one" {
  claims = ["disk"]
}
setup "fake_thing" "two" {
  label  = "two"
  claims = ["disk"]
}
test "fake" "a" {
  count = 1
}
test "fake" "b" {
  thing = "${setup.fake_thing.one.id} ${setup.fake_thing.two.id}"
  takes = test.fake.a.left
  count = 1
}
`},
	} {
		p, diags := tryBuild(t, c.spec)
		if p != nil || !strings.Contains(diags.Error(), c.name) || len(diags.Errs()) != 1 {
			t.Errorf("%v, want %s", diags, c.name)
		}
	}
}

const mixedLoad = `
matrix {
  axis "load" {
    values = ["none", "backup"]
  }
}
setup "fake_thing" "a" {
  claims = ["disk:1"]
}
setup "fake_thing" "b" {
  label  = "b"
  claims = ["disk:2"]
}
test "fake" "backup" {
  when     = matrix.load == "backup"
  thing    = setup.fake_thing.b.id
  takes    = test.fake.prepared.left
  count    = 1
  duration = "3min"
  claims   = ["io"]
}
test "fake" "queries" {
  thing      = setup.fake_thing.a.id
  count      = 1
  duration   = "1min"
  ready_time = "30s"
  repeat     = 2
  alongside  = [test.fake.backup]
  claims     = ["io"]
}
test "fake" "prepared" {
  count  = 1
  repeat = 2
}
`

// TestAlongside: tests that start together are on one bench, with all that both need, and count as long as the longest.
func TestAlongside(t *testing.T) {
	p := build(t, mixedLoad)
	if err := replay(p); err != nil {
		t.Error(err)
	}
	var steps []string
	for _, s := range p.Steps {
		text := strings.NewReplacer("setup.fake_thing.", "", "test.fake.", "").Replace(s.Address)
		if s.Alongside != "" {
			text = "+" + text
		}
		steps = append(steps, text)
	}
	both := []string{"prepared", "queries[load=backup]", "+backup[load=backup]"}
	want := slices.Concat([]string{"b", "a"}, both, both, []string{"b", "queries[load=none]", "queries[load=none]", "a"})
	if d := cmp.Diff(want, steps); d != "" {
		t.Errorf("steps (-want +got):\n%s", d)
	}
	if p.EstimateS != 2*90+2*180 {
		t.Errorf("it takes %v s", p.EstimateS)
	}
	if len(p.Benches) != 1 {
		t.Errorf("%d benches", len(p.Benches))
	}
	short := build(t, "spec {\norder = \"interleaved\"\n}\n"+strings.Replace(mixedLoad, "3min", "1s", 1))
	if short.EstimateS != 4*90 || short.Order.ExtraS != 0 {
		t.Errorf("with a short companion it takes %v s, %v s more than grouped", short.EstimateS, short.Order.ExtraS)
	}
	busy := strings.Replace(mixedLoad, `"disk:1"]`, `"disk:1", "io"]`, 1) // what the leader stands on disturbs the companion, which is what is asked for
	if err := replay(build(t, busy)); err != nil {
		t.Error(err)
	}
	for _, target := range []string{"test.fake.queries[load=backup]", "test.fake.backup"} {
		if p := build(t, mixedLoad, target); len(p.Tests) != 3 {
			t.Errorf("%s picks %d tests, want the leader, its companion and what that takes", target, len(p.Tests))
		}
	}
}
