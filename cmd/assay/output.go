package main

import (
	"fmt"
	"io"
	"os"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"golang.org/x/term"
)

// color reports whether w is a terminal that wants colours.
func color(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && terminal(w)
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is the number of columns to fill; 100 where there is no terminal.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 100
}

// paint colours a word on standard error.
func (a *app) paint(code, s string) string {
	if !color(a.stderr) {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// diagnose prints diagnostics; the error is set when there are errors among them.
func (a *app) diagnose(src diag.Sources, diags hcl.Diagnostics) error {
	if err := diag.Write(a.stderr, src, diags, min(width(a.stderr), 100), color(a.stderr)); err != nil {
		return err
	}
	if diags.HasErrors() {
		return exitStatus(exitError)
	}
	return nil
}

func (a *app) printf(format string, args ...any) {
	fmt.Fprintf(a.stdout, format, args...)
}
