package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// versionTimeout is enough for a tool on a busy machine to say its version.
const versionTimeout = 20 * time.Second

// UnknownVersion is the version of a tool that is there and does not say it.
const UnknownVersion = "unknown"

// ToolVersion looks a program up on a host and asks it for its version with --version. The version is the first line that has a
// digit, as the tool prints it (fio-3.33), of standard output, else of standard error; UnknownVersion where the tool fails, says
// nothing of the kind, or does not end. The error is not nil only where the host could not be asked. Only programs that
// are known to take --version may be asked: another one might begin to work.
func ToolVersion(ctx context.Context, h Host, tool string) (version string, found bool, err error) {
	return toolVersion(ctx, h, tool, versionTimeout)
}

func toolVersion(ctx context.Context, h Host, tool string, timeout time.Duration) (version string, found bool, err error) {
	silent := errors.New("no answer in time")
	limited, cancel := context.WithTimeoutCause(ctx, timeout, silent)
	defer cancel()
	var stdout, stderr bytes.Buffer
	res, err := h.Run(limited, Cmd{Argv: []string{tool, "--version"}, Stdout: &stdout, Stderr: &stderr})
	var missing *NotFoundError
	switch {
	case errors.As(err, &missing):
		return "", false, nil
	case errors.Is(err, silent) && ctx.Err() == nil:
		return UnknownVersion, true, nil
	case err != nil:
		return "", false, fmt.Errorf("%s --version: %w", tool, err)
	case !res.OK():
		return UnknownVersion, true, nil
	}
	for _, out := range []*bytes.Buffer{&stdout, &stderr} {
		if v := versionLine(out.String()); v != "" {
			return v, true, nil
		}
	}
	return UnknownVersion, true, nil
}

// versionLine is the first line with a digit, without control characters, of at most 200 bytes.
func versionLine(out string) string {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) {
				return r
			}
			return -1
		}, strings.ToValidUTF8(line, "")))
		if strings.ContainsAny(line, "0123456789") && len(line) <= 200 {
			return line
		}
	}
	return ""
}
