package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
)

// TestLiveLines is about what the block says at a given time, on terminals of several sizes.
func TestLiveLines(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	p := &plan.Plan{Benches: []plan.Bench{{Name: "1"}, {Name: "2"}}, Steps: []plan.Step{
		{ID: "s1", Bench: "1", Action: plan.Create, Address: "setup.fake_thing.array", EstimateS: 60},
		{ID: "s2", Bench: "1", Action: plan.RunTest, Address: "test.fake.读取[drive=固态硬盘]", Repetition: 1, EstimateS: 30},
		{ID: "s3", Bench: "1", Action: plan.RunTest, Address: "test.fake.读取[drive=固态硬盘]", Repetition: 2, EstimateS: 30},
		{ID: "s4", Bench: "1", Action: plan.Destroy, Address: "setup.fake_thing.array"},
		{ID: "s5", Bench: "2", Action: plan.RunTest, Address: "test.fake.other", Repetition: 1, EstimateS: 100},
	}}
	event := func(kind record.Kind, step string, e record.Event) record.Event {
		e.Event, e.Step = kind, step
		return e
	}
	start := []record.Event{
		event(record.Intent, "s5", record.Event{Action: "run", Attempt: 1}),
		event(record.Intent, "s1", record.Event{Action: "create", Attempt: 1}),
		event(record.Progress, "s5", record.Event{Share: 0.25, Text: "180k IOPS\nand more"}),
	}
	later := append(start[:3:3], event(record.Done, "s1", record.Event{Action: "create"}), event(record.Intent, "s2", record.Event{Action: "run", Attempt: 2}))
	residue := append(start[:3:3], event(record.FailedStep, "s1", record.Event{Action: "create"}), event(record.Intent, "s1", record.Event{Action: "destroy"}))
	for name, c := range map[string]struct {
		events        []record.Event
		columns, rows int
		want          []string
	}{
		"two lines for each": {start, 80, 24, []string{
			"1  create setup.fake_thing.array",
			"    10 s of about 60 s · then test.fake.读取[drive=固态硬盘] repetition 1",
			"2  test.fake.other repetition 1",
			"    10 s of about 100 s (25 %) · 180k IOPS and more · the bench's last step",
			"[0/5] 10 s elapsed, about 110 s left",
		}},
		"one line where the terminal is low": {later, 80, 5, []string{
			"1  test.fake.读取[driv…] repetition 1, attempt 2  10 s of 30 s · then repetitio…",
			"2  test.fake.other repetition 1  10 s of 100 s · 180k IOPS and more · the bench…",
			"[1/5] 10 s elapsed, about 90 s left",
		}},
		"not all fit": {start, 40, 3, []string{
			"    and 2 more",
			"[0/5] 10 s elapsed, about 110 s left",
		}},
		"what a failed creation left is removed": {residue, 200, 24, []string{
			"1  remove setup.fake_thing.array",
			"    10 s of about 60 s · then test.fake.读取[drive=固态硬盘] repetition 1",
			"2  test.fake.other repetition 1",
			"    10 s of about 100 s (25 %) · 180k IOPS and more · the bench's last step",
			"[0/5] 10 s elapsed, about 110 s left",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(0, 0)
			var out bytes.Buffer
			l := newLive(&out, p, func() (int, int) { return c.columns + 1, c.rows }, func() time.Time { return now })
			for _, e := range c.events {
				l.event(e)
			}
			now = now.Add(10 * time.Second)
			fmt.Fprintln(l, "what is said above")
			got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if d := cmp.Diff(append([]string{"what is said above"}, c.want...), got); d != "" {
				t.Error(d)
			}
			for _, line := range got[1:] {
				if w := displaywidth.String(line); w > c.columns {
					t.Errorf("%q takes %d columns of %d", line, w, c.columns)
				}
			}
		})
	}
}

// tmux is a real pseudo-terminal, that of tmux, in which assay runs.
type tmux struct {
	t      *testing.T
	socket string
}

func (x tmux) run(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

// screen is what a person sees, and what has scrolled away.
func (x tmux) screen() string {
	var lines []string
	for _, l := range strings.Split(x.run("capture-pane", "-p", "-J", "-S", "-500"), "\n") {
		lines = append(lines, strings.TrimRight(l, " "))
	}
	return strings.Join(lines, "\n")
}

// wait looks at the screen until it shows what is wanted. check is called for each look.
func (x tmux) wait(want string, check func(screen string)) string {
	x.t.Helper()
	re := regexp.MustCompile(want)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		s := x.screen()
		check(s)
		if re.MatchString(s) {
			return s
		}
		if time.Now().After(deadline) {
			x.t.Fatalf("the screen never showed %s:\n%s", want, s)
		}
	}
}

// TestLiveTerminal runs assay in a terminal of 80 by 24, looks at the screen all the time, and interrupts it.
func TestLiveTerminal(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	whole := regexp.MustCompile(`(?m)^\[\d+/\d+\] .* elapsed, about .* left$`)
	once := func(screen string) {
		if n := len(whole.FindAllString(screen, -1)); n > 1 {
			t.Errorf("the block stands %d times on the screen:\n%s", n, screen)
		}
	}
	for name, c := range map[string]struct{ spec, look, last string }{
		"one bench": {`
setup "fake_thing" "array" {}
test "fake" "read" {
  thing    = setup.fake_thing.array.id
  count    = 1
  duration = "1h"
  repeat   = 2
}
`, `(?m)^\[1/4\] setup\.fake_thing\.array created .*\ntest\.fake\.read repetition 1\n    \d+ s of about 1h \(\d %\) · pretending · then repetition 2\n\[1/4\] `,
			`(?m)^\[2/4\] setup\.fake_thing\.array removed`},
		"twelve benches in Chinese": {`
matrix {
  axis "台" {
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
  }
}
test "fake" "顺序读取" {
  claims   = ["disk:${matrix.台}"]
  count    = 1
  duration = "1h"
}
`, `(?m)(^\d+  test\.fake\.顺序读取\[台=\d+\] repetition 1  \d+ s of 1h · pretending · the.*\n){12}\[0/12\] `,
			`(?m)^\[0/12\] Interrupted`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Symlink(self, filepath.Join(dir, "assay")); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "main.assay.hcl"), []byte(c.spec), 0o644); err != nil {
				t.Fatal(err)
			}
			x := tmux{t, filepath.Join(dir, "tmux")}
			x.run("-u", "new-session", "-d", "-x", "80", "-y", "24", "-c", dir, "./assay apply . ; exec cat")
			defer x.run("kill-server")
			x.wait(c.look, once)
			x.run("resize-window", "-x", "50", "-y", "40")
			x.wait(`(?m)^\[\d+/\d+\] .* elapsed, about (1h|59min)`, once)
			x.run("resize-window", "-x", "100", "-y", "40")
			x.wait(`(?m) \(\d %\) · pretending · th.*\n\[\d+/`, once)
			x.run("send-keys", "C-c")
			x.wait(c.last, once)
			end := x.wait(`(?m)^Interrupted\.$`, once)
			if whole.MatchString(end) {
				t.Errorf("the block stands there when all is over:\n%s", end)
			}
		})
	}
}
