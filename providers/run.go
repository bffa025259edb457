package providers

import (
	"context"
	"errors"
	"fmt"

	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
)

// Run runs cmd on h with its output streamed into the artifacts NAME.stdout and NAME.stderr, and its exit recorded beside
// them. The error is nil whenever the command ended by itself, whatever its exit status.
func Run(ctx context.Context, h host.Host, sink Sink, name string, cmd host.Cmd) (measure.Exit, error) {
	stdout, err := sink.Artifact(name + ".stdout")
	if err != nil {
		return measure.Exit{}, err
	}
	stderr, err := sink.Artifact(name + ".stderr")
	if err != nil {
		return measure.Exit{}, errors.Join(err, stdout.Close())
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	res, err := h.Run(ctx, cmd)
	exit := measure.Exit{
		Name: name, Host: h.Address(), Argv: cmd.Argv,
		Code: res.Code, Signal: res.Signal, Started: res.Started, Ended: res.Ended,
	}
	if err != nil {
		exit.Error = err.Error()
		err = fmt.Errorf("%s: %w", cmd.Argv[0], err)
	}
	err = errors.Join(err, stdout.Close(), stderr.Close())
	sink.Exit(exit)
	return exit, err
}
