package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/hashicorp/go-hclog"
)

// progress shows the events of a run as they come: live lines on a terminal, elsewhere one plain line for each event that a person wants
// to see, or one JSON object for each event.
type progress struct {
	w     io.Writer
	live  *live // nil: not on a terminal
	json  bool
	plan  *plan.Plan
	mu    sync.Mutex
	steps map[string]int // step → its number
	done  int
	err   error // the first of writing
	// uncounted: not the steps of the plan are what is done.
	uncounted bool
}

// progress makes the one that a run shows itself by, and tells the run of it. The steps that are over already, when a run is gone on with, are
// counted.
func (a *app) progress(json bool, o *run.Options) *progress {
	out := &progress{w: a.stdout, json: json, plan: o.Plan, steps: map[string]int{}}
	if !json {
		if out.live = liveOn(a.stdout, o.Plan); out.live != nil {
			out.w = out.live
		}
	}
	if o.Resume != nil {
		for _, s := range o.Plan.Steps {
			if st := o.Resume.Step(s.ID); st.Done != nil || st.Sample != nil || st.Blocked != "" || s.Action == plan.Destroy && st.Removals > 0 {
				out.count(record.Event{Step: s.ID})
				if out.live != nil {
					out.live.over[s.ID] = true
				}
			}
		}
	}
	o.Emit = out.event
	o.Log = hclog.New(&hclog.LoggerOptions{Name: "assay", Output: out.beside(a.stderr), Level: hclog.LevelFromString(os.Getenv("ASSAY_LOG"))})
	return out
}

// total is how long it takes by the plan, without what is over.
func (p *progress) total() string {
	longest := 0.0
	left := map[string]float64{}
	for _, s := range p.plan.Steps {
		if p.steps[s.ID] == 0 {
			left[s.Bench] += s.EstimateS
			longest = max(longest, left[s.Bench])
		}
	}
	return unit.FormatSeconds(longest)
}

// beside gives what may be written to while live lines are shown, in place of w.
func (p *progress) beside(w io.Writer) io.Writer {
	if p.live != nil && terminal(w) {
		return p.live
	}
	return w
}

// typed takes notice that a person has ended a line on the terminal, by which it has moved on.
func (p *progress) typed() {
	if p.live != nil {
		p.live.typed()
	}
}

// end takes the live lines away, and tells whether events could not be printed.
func (p *progress) end() error {
	if p.live != nil {
		p.live.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

func (p *progress) event(e record.Event) {
	if p.live != nil {
		p.live.event(e)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.json {
		p.plain(e)
		return
	}
	line, err := json.Marshal(e)
	if err == nil {
		_, err = p.w.Write(append(line, '\n'))
	}
	p.err = cmp.Or(p.err, err)
}

func (p *progress) plain(e record.Event) {
	what := e.Address
	load := e.Action == string(plan.Load) || e.Action == string(plan.Reuse)
	if e.Repetition > 0 && !load {
		what += fmt.Sprintf(" repetition %d", e.Repetition)
	}
	switch e.Event {
	case record.Done:
		verb := map[string]string{"create": "created", "load": "loaded", "reuse": "still stands", "switch": "switched to", "destroy": "removed", record.WakeAction: "woken"}[e.Action]
		p.count(e)
		p.line("%s %s (%s)", what, verb, unit.FormatSeconds(e.DurationS))
	case record.SampleDone:
		if e.Action == string(plan.Observe) {
			if e.Outcome != measure.OK && e.Outcome != measure.Blocked {
				p.line("%s %s: %s", what, words(e.Outcome), e.Reason)
			}
			break
		}
		p.count(e)
		if load && e.Reused == "" && (e.Outcome == measure.OK || e.Outcome == measure.Blocked) {
			break // said by the event before
		}
		if e.Reused != "" {
			p.line("%s is taken over from run %s", what, e.Reused)
		} else if e.Outcome == measure.OK {
			p.line("%s measured (%s)", what, unit.FormatSeconds(e.DurationS))
		} else {
			p.line("%s %s: %s", what, words(e.Outcome), e.Reason)
		}
	case record.FailedStep:
		p.line("%s: attempt %d failed: %s", what, e.Attempt, e.Reason)
	case record.Blocked:
		p.count(e)
		p.line("%s is blocked: %s", what, e.Reason)
	case record.Quarantine:
		p.line("%s", e.Reason)
	case record.Interrupt:
		p.line("Interrupted: %s; once more to leave all for --resume.", e.Text)
	case record.Resume:
		if e.Action != record.RemoveAction {
			p.line("Going on with it: what may stand is looked at.")
		}
		if e.Reason != "" {
			p.line("%s", e.Reason)
		}
		if e.Text != "" {
			p.line("Since the run began, the machine has changed: %s", e.Text)
		}
	case record.Adopt:
		p.line("%s stands", what)
	case record.Gone:
		p.line("%s is not there", what)
	case record.End:
		if e.Text != "" {
			p.line("%s", e.Text)
		}
	}
}

// count notes that a step is over, once.
func (p *progress) count(e record.Event) {
	if p.steps[e.Step] == 0 {
		p.done++
		p.steps[e.Step] = p.done
	}
}

func (p *progress) line(format string, args ...any) {
	if p.uncounted {
		fmt.Fprintf(p.w, format+"\n", args...)
		return
	}
	fmt.Fprintf(p.w, "[%d/%d] %s\n", p.done, len(p.plan.Steps), fmt.Sprintf(format, args...))
}

func words(o measure.Outcome) string {
	switch o {
	case measure.DidNotFinish:
		return "did not finish"
	case measure.Invalid:
		return "is invalid"
	case measure.Blocked:
		return "is blocked"
	}
	return string(o)
}
