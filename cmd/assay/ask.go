package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// asker lets a run ask the person at the terminal; nil where there is none. done says that what a person has to do is done already: then nobody
// is asked, and what inspect says decides.
func (a *app) asker(p *progress, done bool) func(ctx context.Context, address, what string) error {
	if done {
		return func(context.Context, string, string) error { return nil }
	}
	f, ok := a.stdin.(*os.File)
	if !ok || !terminal(f) {
		return nil
	}
	lines := readLines(f)
	return func(ctx context.Context, address, what string) error {
		fmt.Fprintf(p.beside(a.stderr), "%s is up to you:\n  %s\n%s\n", address, strings.ReplaceAll(strings.TrimSpace(what), "\n", "\n  "),
			"Type done and Enter when that is so; anything else fails the step.")
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case l := <-lines:
			p.typed()
			switch answer := strings.TrimSpace(l.text); {
			case l.err != nil:
				return fmt.Errorf("waiting for a person: %w", l.err)
			case answer != "done":
				return fmt.Errorf("the person answered %q, and not that it is done", answer)
			}
			return nil
		}
	}
}

type inputLine struct {
	text string
	err  error
}

// readLines gives the lines of r one by one, each when it is asked for or typed ahead, then the error for ever.
func readLines(r io.Reader) <-chan inputLine {
	lines := make(chan inputLine)
	go func() {
		b := bufio.NewReader(r)
		for {
			text, err := b.ReadString('\n')
			if errors.Is(err, io.EOF) && text != "" {
				err = nil
			}
			lines <- inputLine{text, err}
		}
	}()
	return lines
}
