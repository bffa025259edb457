package host

import (
	"context"
	"errors"
	"sync"
)

// Pool keeps the hosts that it opened, so that a login is paid once and not for every step. Its Dial is a Dialer; closing a
// host that it gave leaves the connection open until the pool is closed. It may be used concurrently.
type Pool struct {
	dial  Dialer
	mu    sync.Mutex
	hosts map[string]*pooled
}

type pooled struct {
	mu   sync.Mutex // held while it is opened
	host Host       // nil: not open
}

// NewPool makes a pool over a dialer.
func NewPool(dial Dialer) *Pool {
	return &Pool{dial: dial, hosts: map[string]*pooled{}}
}

// Dial gives the open host of an address, or opens it. A failure is not kept: the next call tries again.
func (p *Pool) Dial(ctx context.Context, address string) (Host, error) {
	p.mu.Lock()
	e := p.hosts[address]
	if e == nil {
		e = &pooled{}
		p.hosts[address] = e
	}
	p.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.host == nil {
		h, err := p.dial(ctx, address)
		if err != nil {
			return nil, err
		}
		e.host = h
	}
	return lent{e.host}, nil
}

// Close closes every host. The pool may be used again afterwards.
func (p *Pool) Close() error {
	p.mu.Lock()
	hosts := p.hosts
	p.hosts = map[string]*pooled{}
	p.mu.Unlock()
	var errs []error
	for _, e := range hosts {
		e.mu.Lock()
		if e.host != nil {
			errs = append(errs, e.host.Close())
			e.host = nil
		}
		e.mu.Unlock()
	}
	return errors.Join(errs...)
}

// lent is a host that stays open when its user is done with it.
type lent struct{ Host }

func (lent) Close() error { return nil }
