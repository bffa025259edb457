package providers_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/assay-bench/assay/providers"
)

func TestHostKeys(t *testing.T) {
	for hosts, want := range map[string]string{
		"":                                        "localhost",
		"ssh://root@db1 ssh://lab@db2:22":         "db1 db2",
		"ssh://root@10.0.0.1:22?become=sudo":      "10.0.0.1",
		"ssh://u@[fe80::1]:22":                    "fe80::1",
		"ssh://root@db1:1 ssh://root@db1:2":       "db1:1 db1:2",
		"ssh://a@db1 ssh://b@db1":                 "ssh://a@db1 ssh://b@db1",
		"ssh://root@db1:1 ssh://root@db1:2 other": "db1:1 db1:2 other",
	} {
		list := strings.Fields(hosts)
		if hosts == "" {
			list = []string{""}
		}
		if got := strings.Join(providers.HostKeys(list), " "); got != want {
			t.Errorf("%q: %q, want %q", hosts, got, want)
		}
	}
}

func TestBarrier(t *testing.T) {
	const n = 5
	var mu sync.Mutex
	come, asked := 0, 0
	answer := errors.New("called off")
	gate := providers.Barrier(n, func(context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		asked++
		if come != n {
			t.Errorf("asked when %d of %d had come", come, n)
		}
		return answer
	})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			mu.Lock()
			come++
			mu.Unlock()
			if err := gate(t.Context()); err != answer {
				t.Errorf("answer %v", err)
			}
		})
	}
	wg.Wait()
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	// One who waits for somebody that never comes is let go by his context.
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	lonely := providers.Barrier(2, func(context.Context) error { return nil })
	if err := lonely(ctx); err != cause {
		t.Errorf("%v; want the cause", err)
	}
}
