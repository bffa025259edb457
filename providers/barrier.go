package providers

import (
	"context"
	"sync"
)

// Barrier makes one gate for n parts of a test that begin together, each on a host of its own: it holds each until all have come, then asks
// gate once, and its answer is that of all. A part whose context ends is let go with the cause; the others wait on, until theirs end.
func Barrier(n int, gate Gate) Gate {
	var mu sync.Mutex
	come := 0
	open := make(chan struct{})
	var answer error
	return func(ctx context.Context) error {
		mu.Lock()
		come++
		last := come == n
		mu.Unlock()
		if last {
			answer = gate(ctx)
			close(open)
		}
		select {
		case <-open:
			return answer
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
