package command

import (
	"bytes"
	"cmp"
	"fmt"
	"path"

	"github.com/assay-bench/assay/providers/measure"
)

// fault says why a command that ended has not succeeded; empty where it has. What it said is part of the reason.
func (c command) fault(exit measure.Exit, stdout, stderr []byte) string {
	name := "the command"
	if len(exit.Argv) > 0 {
		name = path.Base(exit.Argv[0])
	}
	why := ""
	switch {
	case exit.Error != "":
		why = "did not run to its end: " + exit.Error
	case exit.Signal != "":
		why = "was ended by " + exit.Signal
	case exit.Code != c.status:
		why = fmt.Sprintf("ended with status %d", exit.Code)
	}
	for _, p := range c.failIf {
		if line, ok := find(p, stdout, stderr); ok && why == "" {
			return fmt.Sprintf("%s printed what means failure (fail_if): %s", name, line)
		}
	}
	said := lastLine(stderr)
	if why == "" {
		for _, p := range c.expect {
			if _, ok := find(p, stdout, stderr); !ok {
				why = fmt.Sprintf("ended with status %d, but in its output there is no %s", exit.Code, printable(p))
				said = cmp.Or(said, lastLine(stdout))
				break
			}
		}
	}
	if why == "" {
		return ""
	}
	if said != "" {
		why += "; it said: " + said
	}
	return name + " " + why
}

// find looks for a pattern in either stream and gives the line in which it begins.
func find(pattern string, streams ...[]byte) (line string, ok bool) {
	re, err := compile(pattern)
	if err != nil {
		return "", false // Plan refuses it
	}
	for _, s := range streams {
		if at := re.FindIndex(s); at != nil {
			start := bytes.LastIndexByte(s[:at[0]], '\n') + 1
			text, _, _ := bytes.Cut(s[start:], []byte("\n"))
			return printable(string(bytes.TrimSpace(text))), true
		}
	}
	return "", false
}

// lastLine is the last line that says something, which with most tools is the one that says what went wrong.
func lastLine(out []byte) string {
	out = bytes.TrimSpace(out)
	return printable(string(bytes.TrimSpace(out[bytes.LastIndexByte(out, '\n')+1:])))
}
