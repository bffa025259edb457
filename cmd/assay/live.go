package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"
)

// redraw is how often the live lines are drawn anew while nothing happens, for the elapsed time.
const redraw = 500 * time.Millisecond

// live is the block of lines at the foot of a terminal that says what every bench is doing: the step, how long it has run of how
// long it is expected to, the current figure, and what comes next. What is written to it scrolls by above the block.
type live struct {
	w     io.Writer
	size  func() (columns, rows int)
	now   func() time.Time
	plan  *plan.Plan
	began time.Time
	index map[string]int // step → its place in the plan

	mu      sync.Mutex
	over    map[string]bool
	running []*running // by bench, then by place
	drawn   []int      // columns of the block's lines, as they stand on the screen
	stop    chan struct{}
	ended   chan struct{}
}

// running is a step that has begun and is not over.
type running struct {
	plan.Step
	place   int
	attempt int
	since   time.Time
	share   float64 // negative: unknown
	figure  string
}

// liveOn gives live lines on w, or nil where w is no terminal that can draw them.
func liveOn(w io.Writer, p *plan.Plan) *live {
	if !terminal(w) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	f := w.(*os.File)
	size := func() (int, int) {
		columns, rows, err := term.GetSize(int(f.Fd()))
		if err != nil || columns <= 0 || rows <= 0 {
			return 80, 24
		}
		return columns, rows
	}
	l := newLive(w, p, size, time.Now)
	l.stop, l.ended = make(chan struct{}), make(chan struct{})
	go l.tick()
	return l
}

func newLive(w io.Writer, p *plan.Plan, size func() (int, int), now func() time.Time) *live {
	l := &live{w: w, plan: p, size: size, now: now, began: now(), index: map[string]int{}, over: map[string]bool{}}
	for i, s := range p.Steps {
		l.index[s.ID] = i
	}
	return l
}

func (l *live) tick() {
	defer close(l.ended)
	t := time.NewTicker(redraw)
	defer t.Stop()
	for {
		select {
		case <-l.stop:
			return
		case <-t.C:
			_, _ = l.Write(nil)
		}
	}
}

// Close takes the block away.
func (l *live) Close() {
	if l.stop != nil {
		close(l.stop)
		<-l.ended
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	columns, _ := l.size()
	_, _ = io.WriteString(l.w, l.clear(columns))
}

// Write prints whole lines above the block.
func (l *live) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	columns, rows := l.size()
	out := l.clear(columns) + string(p)
	for _, line := range l.block(columns-1, rows) { // what fills the last column wraps on some terminals
		l.drawn = append(l.drawn, displaywidth.String(line.text))
		out += line.painted() + "\n"
	}
	if _, err := io.WriteString(l.w, out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// typed counts the line that a person has ended below the block, and draws it anew.
func (l *live) typed() {
	l.mu.Lock()
	if len(l.drawn) > 0 {
		l.drawn = append(l.drawn, 0)
	}
	l.mu.Unlock()
	_, _ = l.Write(nil)
}

// clear goes back to the block's first line and erases from there. Where the terminal has become narrower, it has wrapped the lines.
func (l *live) clear(columns int) string {
	rows := 0
	for _, width := range l.drawn {
		rows += max(1, (width+columns-1)/columns)
	}
	l.drawn = nil
	if rows == 0 {
		return ""
	}
	return fmt.Sprintf("\r\x1b[%dA\x1b[J", rows)
}

// event takes notice of what happens.
func (l *live) event(e record.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	place, ok := l.index[e.Step]
	if !ok {
		return
	}
	at := slices.IndexFunc(l.running, func(r *running) bool { return r.ID == e.Step })
	switch e.Event {
	case record.Intent:
		if at >= 0 {
			l.running = slices.Delete(l.running, at, at+1)
		}
		delete(l.over, e.Step) // it is tried again
		s := l.plan.Steps[place]
		s.Action = cmp.Or(plan.Action(e.Action), s.Action) // a failed creation's residue is removed in its own step
		l.running = append(l.running, &running{Step: s, place: place, attempt: e.Attempt, since: l.now(), share: -1})
		slices.SortStableFunc(l.running, func(a, b *running) int {
			return cmp.Or(cmp.Compare(l.bench(a.Bench), l.bench(b.Bench)), cmp.Compare(a.place, b.place))
		})
	case record.Progress:
		if at >= 0 {
			l.running[at].share, l.running[at].figure = e.Share, e.Text
		}
	case record.Done, record.SampleDone, record.Blocked, record.Quarantine:
		l.over[e.Step] = true
		if at >= 0 {
			l.running = slices.Delete(l.running, at, at+1)
		}
	case record.FailedStep:
		if at >= 0 {
			l.running = slices.Delete(l.running, at, at+1)
		}
	}
}

// bench is the place of a bench in the plan.
func (l *live) bench(name string) int {
	return slices.IndexFunc(l.plan.Benches, func(b plan.Bench) bool { return b.Name == name })
}

// line is one of the block's.
type line struct {
	text string
	dim  bool
}

func (l line) painted() string {
	if !l.dim || os.Getenv("NO_COLOR") != "" {
		return l.text
	}
	return "\x1b[2m" + l.text + "\x1b[0m"
}

// block lays the lines out: two for each running step where the terminal is high enough, else one, and one for the whole run.
func (l *live) block(columns, rows int) []line {
	room := max(1, rows-2) // one row is the cursor's, one that of the whole run
	each := 2
	if each*len(l.running) > room {
		each = 1
	}
	shown := len(l.running)
	if shown > room {
		shown = room - 1
	}
	var out []line
	for _, r := range l.running[:shown] {
		if each == 1 {
			out = append(out, line{text: l.oneLine(r, columns)})
			continue
		}
		out = append(out, line{text: shorten(l.what(r), columns)},
			line{text: fit("    "+join(l.time(r), r.figure, l.next(r)), columns), dim: true})
	}
	if more := len(l.running) - shown; more > 0 {
		out = append(out, line{text: fit(fmt.Sprintf("    and %d more", more), columns), dim: true})
	}
	return append(out, line{text: fit(l.whole(), columns)})
}

// oneLine shares the columns among what a step is, its time and figure, and what comes next.
func (l *live) oneLine(r *running, columns int) string {
	what := min(displaywidth.String(l.what(r)), columns*3/5)
	passed := whole(l.now().Sub(r.since).Seconds())
	if r.EstimateS > 0 {
		passed += " of " + whole(r.EstimateS)
	}
	return fit(shorten(l.what(r), what)+"  "+join(passed, r.figure, l.next(r)), columns)
}

// what names the step.
func (l *live) what(r *running) string {
	s := verb(r.Action) + title(r.Step)
	if r.attempt > 1 && r.Action != plan.Destroy {
		s += fmt.Sprintf(", attempt %d", r.attempt)
	}
	if len(l.plan.Benches) > 1 {
		return r.Bench + "  " + s
	}
	return s
}

// time says how long a step has run, and of how much.
func (l *live) time(r *running) string {
	passed := whole(l.now().Sub(r.since).Seconds())
	if r.EstimateS > 0 {
		passed += " of about " + whole(r.EstimateS)
	}
	if r.share >= 0 {
		passed += fmt.Sprintf(" (%d %%)", int(100*min(r.share, 1)))
	}
	return passed
}

// next names the step of the bench that comes after a running one.
func (l *live) next(r *running) string {
	for _, s := range l.plan.Steps[r.place+1:] {
		if s.Bench == r.Bench && !l.over[s.ID] && !slices.ContainsFunc(l.running, func(o *running) bool { return o.ID == s.ID }) {
			if s.Address == r.Address && s.Repetition > r.Repetition {
				return fmt.Sprintf("then repetition %d", s.Repetition)
			}
			return "then " + verb(s.Action) + title(s)
		}
	}
	return "the bench's last step"
}

// whole is the line about the run: the steps that are over, the time that has passed, and what is left on the longest bench.
func (l *live) whole() string {
	left := map[string]float64{}
	for _, s := range l.plan.Steps {
		if !l.over[s.ID] {
			left[s.Bench] += s.EstimateS
		}
	}
	for _, r := range l.running {
		left[r.Bench] -= min(r.EstimateS, l.now().Sub(r.since).Seconds())
	}
	longest := 0.0
	for _, s := range left {
		longest = max(longest, s)
	}
	return fmt.Sprintf("[%d/%d] %s elapsed, about %s left", len(l.over), len(l.plan.Steps), whole(l.now().Sub(l.began).Seconds()), whole(longest))
}

// whole writes seconds without fractions, which would only flicker.
func whole(seconds float64) string { return unit.FormatSeconds(float64(int(seconds + 0.5))) }

// title is a step's address and its repetition.
func title(s plan.Step) string {
	if s.Repetition > 0 {
		return fmt.Sprintf("%s repetition %d", s.Address, s.Repetition)
	}
	return s.Address
}

// verb says what is done to the thing that a step is about; a test is just run.
func verb(a plan.Action) string {
	switch a {
	case plan.Create:
		return "create "
	case plan.Load:
		return "load "
	case plan.Switch:
		return "switch to "
	case plan.Destroy:
		return "remove "
	case plan.ImportFiles:
		return "import "
	}
	return ""
}

func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// fit cuts a line to so many columns of a terminal, and keeps it one line.
func fit(s string, columns int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return displaywidth.TruncateString(s, columns, "…")
}

// shorten cuts a line in its coordinates: the block at its beginning and the repetition at its end tell more.
func shorten(s string, columns int) string {
	end := ""
	if i := strings.LastIndexByte(s, ']'); i >= 0 && displaywidth.String(s) > columns && displaywidth.String(s[i:]) <= columns*2/3 {
		end = s[i:]
	}
	return fit(s[:len(s)-len(end)], columns-displaywidth.String(end)) + end
}
