package providers

import (
	"context"
	"errors"
)

// Asker is a Sink behind which there is a person.
type Asker interface {
	// Ask tells a person what to do and waits until it is done. The error says that it will not be, or that nobody can be asked.
	Ask(ctx context.Context, what string) error
}

// Ask asks the person behind a sink. Only types that declare themselves Manual do: before the first step of a run, somebody
// looks whether there is a person.
func Ask(ctx context.Context, sink Sink, what string) error {
	if a, ok := sink.(Asker); ok {
		return a.Ask(ctx, what)
	}
	return errors.New("a person has to do something, and nobody can be asked here: " + what)
}
