package host

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// counted is a host that counts how often it was closed.
type counted struct {
	Host
	closed *atomic.Int32
}

func (c counted) Close() error {
	c.closed.Add(1)
	return nil
}

func TestPool(t *testing.T) {
	var dialed, closed atomic.Int32
	fail := errors.New("no route")
	var broken atomic.Bool
	p := NewPool(func(_ context.Context, address string) (Host, error) {
		if broken.Load() {
			return nil, fail
		}
		dialed.Add(1)
		return counted{Local(), &closed}, nil
	})
	ctx := context.Background()
	broken.Store(true)
	if _, err := p.Dial(ctx, "a"); !errors.Is(err, fail) {
		t.Fatalf("error %v", err)
	}
	broken.Store(false)
	var wg sync.WaitGroup
	for range 20 {
		for _, address := range []string{"a", "b"} {
			wg.Go(func() {
				h, err := p.Dial(ctx, address)
				if err != nil {
					t.Error(err)
					return
				}
				if err := h.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	if dialed.Load() != 2 || closed.Load() != 0 {
		t.Fatalf("dialed %d times and closed %d, want 2 and 0", dialed.Load(), closed.Load())
	}
	if err := p.Close(); err != nil || closed.Load() != 2 {
		t.Fatalf("closed %d of 2: %v", closed.Load(), err)
	}
	if _, err := p.Dial(ctx, "a"); err != nil || dialed.Load() != 3 {
		t.Fatalf("a closed pool opens again: dialed %d, %v", dialed.Load(), err)
	}
}
