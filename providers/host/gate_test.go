package host

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

func TestGate(t *testing.T) { everywhere(t, Grace, gate) }

func gate(t *testing.T, h Host) {
	dir := scratch(t)
	begun, never := filepath.Join(dir, "begun"), filepath.Join(dir, "never")
	early := false
	res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"touch", begun}, Gate: func(context.Context) error {
		early = exists(begun)
		return nil
	}})
	if err != nil || !res.OK() || early || !exists(begun) {
		t.Errorf("%+v, %v; it began before it might: %v", res, err, early)
	}
	calledOff := errors.New("called off")
	res, err = watched(t, h, t.Context(), Cmd{Argv: []string{"touch", never}, Gate: func(context.Context) error { return calledOff }})
	if !errors.Is(err, calledOff) || !res.Started.IsZero() || res.Code != -1 {
		t.Errorf("called off: %+v, %v", res, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err = watched(t, h, ctx, Cmd{Argv: []string{"touch", never}, Gate: func(ctx context.Context) error {
		cancel(calledOff)
		<-ctx.Done()
		return context.Cause(ctx)
	}})
	if !errors.Is(err, calledOff) || exists(never) {
		t.Errorf("cancelled: %v; it began: %v", err, exists(never))
	}
	missing := errors.As(func() error {
		_, err := watched(t, h, t.Context(), Cmd{Argv: []string{"no-such-tool"}, Gate: func(context.Context) error {
			t.Error("the gate was asked for what cannot be started")
			return nil
		}})
		return err
	}(), new(*NotFoundError))
	if !missing {
		t.Error("a program that is not there is no *NotFoundError")
	}
}
