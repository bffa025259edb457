package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// barrier lets tests that start together wait for each other: none starts before all are ready. When one is over before all were ready,
// the start is called off for the others.
type barrier struct {
	mu      sync.Mutex
	missing int           // that are not ready yet
	open    chan struct{} // closed when all are ready, or the start is called off
	off     error         // why it is called off
	culprit string        // step that called it off
}

func newBarrier(n int) *barrier { return &barrier{missing: n, open: make(chan struct{})} }

// ready waits until all are ready. It gives an error when the start is called off or ctx ends.
func (b *barrier) ready(ctx context.Context) error {
	b.mu.Lock()
	if b.off == nil {
		if b.missing--; b.missing == 0 {
			close(b.open)
		}
	}
	b.mu.Unlock()
	select {
	case <-b.open:
		return cmp.Or(b.calledOff(), context.Cause(ctx))
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// over says that a test is over. Where not all were ready by then, the start is called off.
func (b *barrier) over(step, address string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.missing == 0 || b.off != nil {
		return
	}
	if err == nil {
		err = errors.New("it ended")
	}
	b.off, b.culprit = fmt.Errorf("the start was called off, since %s was not ready: %w", address, err), step
	close(b.open)
}

func (b *barrier) calledOff() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.off
}

// clock ends a context at a timeout, and stands still while a test waits for others: the timeout is that of its own work.
type clock struct {
	mu    sync.Mutex
	timer *time.Timer // nil: there is no timeout
	left  time.Duration
	since time.Time
}

// newClock starts a clock; without a positive limit it never ends the context. stop must be called.
func newClock(ctx context.Context, limit time.Duration) (_ context.Context, c *clock, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	c = &clock{left: limit, since: time.Now()}
	if limit > 0 {
		c.timer = time.AfterFunc(limit, func() { cancel(errTimeout) })
	}
	return ctx, c, func() {
		c.hold()
		cancel(context.Canceled)
	}
}

// hold stops the clock.
func (c *clock) hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil && c.timer.Stop() {
		c.left -= time.Since(c.since)
	}
}

// resume lets it go on after hold, with what was left.
func (c *clock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.since = time.Now()
		c.timer.Reset(max(c.left, 0))
	}
}
