package run_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers/measure"
)

// cache is a slot with two states under a test; what is said of the state "on" is filled in.
const cache = `
matrix {
  axis "cache" {
    values = ["off", "on"]
  }
}
setup "fake_thing" "disk" {
}
setup "fake_thing" "cache" {
  label       = setup.fake_thing.disk.id
  slot        = "cache"
  state       = matrix.cache
  create_time = "10ms"
  switch_time = "5ms"
  %s
}
test "fake" "t" {
  thing = setup.fake_thing.cache.id
  count = 1
}
`

// world reads what became of things in the fake world, by verb and the thing's name.
func (b *bench) world() []string {
	b.t.Helper()
	raw, err := os.ReadFile(filepath.Join(b.dir, ".assay", "fake", "world.log"))
	if err != nil {
		b.t.Fatal(err)
	}
	ids := []string{}
	for _, t := range b.plan.Things {
		name := t.Instance.Name
		if len(t.Instance.Coordinates) > 0 {
			name += ":" + t.State
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(string(t.Outputs), `{"id":"`), `"`)
		ids = append(ids, id, name)
	}
	var out []string
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		line = strings.NewReplacer(ids...).Replace(line)
		switch words := strings.Fields(line); words[0] {
		case "run":
			continue
		case "create":
			line = strings.Join(words[:2], " ")
		}
		out = append(out, line)
	}
	return out
}

func TestSwitch(t *testing.T) {
	off, on := "test.fake.t[cache=off]#1", "test.fake.t[cache=on]#1"
	made := []string{"create disk", "created disk", "create cache:off", "created cache:off"}
	gone := []string{"destroy disk", "destroyed disk"}
	for name, c := range map[string]struct {
		on    string
		world []string // between made and gone
		off   measure.Outcome
		then  measure.Outcome
	}{
		"in place": {
			"", []string{"switch cache:on off on", "switched cache:on", "destroy cache:on", "destroyed cache:on"}, measure.OK, measure.OK,
		},
		"failed, so what needs it is blocked": {
			`fail = "switch"`, []string{"switch cache:on off on", "switch failed cache:on", "destroy cache:on", "destroyed cache:on"}, measure.OK, measure.Blocked,
		},
		"failed, then created": {
			"fail = \"switch\"\nretry {\nattempts = 2\n}",
			[]string{
				"switch cache:on off on", "switch failed cache:on", "destroy cache:on", "destroyed cache:on",
				"create cache:on", "created cache:on", "destroy cache:on", "destroyed cache:on",
			}, measure.OK, measure.OK,
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := carryOut(t, context.Background(), fmt.Sprintf(cache, c.on), nil)
			if b.err != nil {
				t.Fatal(b.err)
			}
			want(t, b.outcomes(), map[string]measure.Outcome{off: c.off, on: c.then})
			if got, expect := b.world(), slices.Concat(made, c.world, gone); !slices.Equal(got, expect) {
				t.Errorf("the world saw\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(expect, "\n"))
			}
			if left := b.standing(); len(left) > 0 {
				t.Errorf("%v stand at the end", left)
			}
		})
	}
}

// TestSwitchWithoutTheStateBefore creates what could not be switched to.
func TestSwitchWithoutTheStateBefore(t *testing.T) {
	b := carryOut(t, context.Background(), fmt.Sprintf(cache, `fail = matrix.cache == "off" ? "create" : null`), nil)
	want(t, b.outcomes(), map[string]measure.Outcome{"test.fake.t[cache=off]#1": measure.Blocked, "test.fake.t[cache=on]#1": measure.OK})
	if left := b.standing(); len(left) > 0 || !slices.Contains(b.world(), "created cache:on") {
		t.Errorf("%v stand at the end; the world saw %q", left, b.world())
	}
}

// TestCancelBeforeSwitch takes away the state that would have been switched from: no other step does.
func TestCancelBeforeSwitch(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	b := carryOut(t, ctx, fmt.Sprintf(cache, ""), func(e record.Event) {
		if e.Event == record.SampleDone {
			cancel(run.ErrInterrupted)
		}
	})
	if left := b.standing(); len(left) > 0 {
		t.Errorf("%v stand at the end", left)
	}
	if w := b.world(); slices.Contains(w, "switched cache:on") || !slices.Contains(w, "destroyed cache:off") {
		t.Errorf("the world saw %q", w)
	}
}
