// Command assay is the test bench as code: it plans, carries out, judges and reports benchmarks that are written down in HCL.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/providers/host"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Version is this assay's version.
const Version = "0.1.0"

// Exit statuses. 2 is what a crashed Go program returns, so it means nothing else.
const (
	exitOK          = 0
	exitError       = 1
	exitInterrupted = 130
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // a plan grows until it is written, so most collecting is in vain; this costs a tenth more memory
	}
	os.Exit(Main())
}

// Main runs assay with the process's own arguments and gives its exit status.
func Main() int {
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, hosts: host.NewPool(host.Dial)}
	return a.run(os.Args[1:])
}

// exitStatus is an error that has said all it has to say.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// app is what all commands share.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	cleanup        context.Context // ended by a second signal
	hosts          *host.Pool
}

func (a *app) run(args []string) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	var stop context.CancelFunc
	a.cleanup, stop = context.WithCancel(context.Background())
	defer stop()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		<-signals
		cancel(run.ErrInterrupted)
		<-signals
		stop()
	}()
	root := a.root()
	root.SetArgs(doubleDashes(root, args))
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	var status exitStatus
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, run.ErrInterrupted):
		fmt.Fprintln(a.stderr, sentence(err.Error()))
		return exitInterrupted
	}
	fmt.Fprintf(a.stderr, "%s %s\n", a.paint("1;31", "Error:"), err)
	return exitError
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "assay",
		Short: "The test bench as code",
		Long: `assay is to the test bench what Terraform is to the cloud. Specs in HCL say what is on the bench, what is compared with
what, and what would count as good enough. plan shows every step before anything is touched; apply carries it out and ends
in a verdict.

Exit status of apply and judge: 0 every required KPI passed; 1 the spec, the usage or the machine is wrong; 10 a required
KPI failed; 11 none failed, but something is incomplete or inconclusive; 130 interrupted. Other commands: 0 or 1.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(a.validateCommand(), a.planCommand(), a.applyCommand(), a.destroyCommand(), a.judgeCommand(), a.showCommand(), a.verifyCommand(), a.signCommand(), a.exportCommand(), a.whyCommand(), a.diffCommand(), a.runsCommand(), a.fmtCommand(), a.graphCommand(), a.providersCommand(), a.versionCommand())
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w; `%s --help` lists what it takes", err, c.CommandPath())
	})
	return root
}

// doubleDashes takes long flags with one dash too, as Terraform writes them: -auto-approve.
func doubleDashes(root *cobra.Command, args []string) []string {
	known := map[string]bool{"help": true, "version": true}
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	}
	out := make([]string, len(args))
	for i, arg := range args {
		if arg == "--" {
			copy(out[i:], args[i:])
			break
		}
		out[i] = arg
		if name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "="); len(name) > 1 && !strings.HasPrefix(arg, "--") && strings.HasPrefix(arg, "-") && known[name] {
			out[i] = "-" + arg
		}
	}
	return out
}
