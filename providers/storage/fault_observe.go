package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/md"
)

// faultArtifact holds what the kernel said of the array during a test: one JSON object a line.
const faultArtifact = "array.jsonl"

// faultLine is one look at the array.
type faultLine struct {
	Time     time.Time `json:"time"`
	When     string    `json:"when"` // before, during, after
	Level    string    `json:"level"`
	State    string    `json:"array_state"`
	Degraded int       `json:"degraded"`
	Action   md.Action `json:"sync_action"`
	Done     int64     `json:"sync_done,omitempty"`  // bytes of one member
	Total    int64     `json:"sync_total,omitempty"` // likewise
	Speed    float64   `json:"sync_speed,omitempty"` // B/s of one member
	Members  []string  `json:"members,omitempty"`    // before and after: NAME SLOT STATES
}

// The values of when.
const (
	whenBefore = "before"
	whenDuring = "during"
	whenAfter  = "after"
)

// observe looks at the array before a test, while it runs, and after it. A rebuild is let begin when the test is ready, and the test only
// once it has. That the array is not as it should be is for parse to say.
func (fault) observe(ctx context.Context, dial host.Dialer, req providers.ObserveRequest, sink providers.Sink) error {
	f, problems := faultOf(req.Target)
	if len(problems) > 0 {
		return errors.New(problems[0].Detail)
	}
	h, err := dial(ctx, f.host)
	if err != nil {
		return err
	}
	out, err := sink.Artifact(faultArtifact)
	if err != nil {
		return errors.Join(err, h.Close())
	}
	err = f.observe(ctx, worker{Host: h, sink: sink}, out)
	return errors.Join(err, out.Close(), h.Close())
}

func (f faultConfig) observe(ctx context.Context, w worker, out io.Writer) error {
	a, err := f.array(ctx, w)
	if err != nil {
		return err
	}
	if a == nil {
		return fmt.Errorf("%s is not there", f.leg)
	}
	look := func(ctx context.Context, when string) error {
		a, err := md.Read(ctx, w, a.Kernel)
		if err != nil {
			return err
		}
		return json.NewEncoder(out).Encode(f.line(a, when))
	}
	if err := look(ctx, whenBefore); err != nil {
		return err
	}
	if f.state == rebuilding && isBroken(a) {
		if err := w.run(ctx, "rebuild", md.Act(f.leg, md.Idle)); err != nil {
			return err
		}
		if _, err := f.await(ctx, w, a.Kernel, "to be rebuilt", func(a *md.Array) bool { return a.Action == md.Recover && a.Progress.Total > 0 }); err != nil {
			return err
		}
	}
	if err := look(ctx, whenDuring); err != nil {
		return err
	}
	w.sink.Progress(-1, "watching "+f.leg)
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stateTime)
			defer cancel()
			return look(last, whenAfter)
		case <-time.After(pollTime):
			if err := look(ctx, whenDuring); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

func (f faultConfig) line(a *md.Array, when string) faultLine {
	l := faultLine{
		Time: time.Now().UTC(), When: when, Level: a.Level, State: a.State, Degraded: a.Degraded, Action: a.Action,
		Done: a.Progress.Done, Total: a.Progress.Total, Speed: a.Progress.Speed,
	}
	if when == whenDuring {
		return l
	}
	for _, m := range a.Members {
		l.Members = append(l.Members, fmt.Sprintf("%s %d %v", m.Name, m.Slot, m.States))
	}
	return l
}
