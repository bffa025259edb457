package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// TestFault: what speaks against a command that ended, whatever its status.
func TestFault(t *testing.T) {
	refused := string(sample(t, "iperf3-refused.json"))
	for name, c := range map[string]struct {
		command        command
		exit           measure.Exit
		stdout, stderr string
		want           string
	}{
		"fine":                {command{}, measure.Exit{}, "", "", ""},
		"status":              {command{}, measure.Exit{Argv: []string{"/bin/tool", "-x"}, Code: 3}, "", "a\ncannot open\n", "tool ended with status 3; it said: cannot open"},
		"wanted status":       {command{status: 3}, measure.Exit{Code: 3}, "", "", ""},
		"not wanted status":   {command{status: 3}, measure.Exit{}, "", "", "the command ended with status 0"},
		"signal":              {command{}, measure.Exit{Code: -1, Signal: "SIGKILL"}, "", "", "was ended by SIGKILL"},
		"cancelled":           {command{}, measure.Exit{Code: -1, Signal: "SIGTERM", Error: "timeout"}, "", "", "did not run to its end: timeout"},
		"expected":            {command{expect: []string{"^ok$", "b+"}}, measure.Exit{}, "begin\nok\n", "abba", ""},
		"expectation missing": {command{expect: []string{"^ok$"}}, measure.Exit{}, "begin\nnot ok\n", "", "in its output there is no ^ok$; it said: not ok"},
		"one of two missing":  {command{expect: []string{"begin", "end"}}, measure.Exit{}, "begin\n", "disk full\n", "there is no end; it said: disk full"},
		"failure in stdout":   {command{failIf: []string{`^\s*"error":`}}, measure.Exit{}, refused, "", `fail_if): "error":`},
		"failure in stderr":   {command{failIf: []string{"(?i)warning"}}, measure.Exit{}, "ok", "Warning: x\nrest", "fail_if): Warning: x"},
		"failure not there":   {command{failIf: []string{"error"}}, measure.Exit{}, "ok", "", ""},
		"unprintable":         {command{}, measure.Exit{Code: 1}, "", "\x1b[31mred\xff\n", "it said: ·[31mred·"},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.command.fault(c.exit, []byte(c.stdout), []byte(c.stderr))
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestAnswer: an inspection that says nothing, or both, is no answer.
func TestAnswer(t *testing.T) {
	plain := inspection{standing: "^up$"}
	full := inspection{standing: "^up$", partial: "half", absent: "no such", absentStatus: 1}
	for name, c := range map[string]struct {
		i      inspection
		exit   measure.Exit
		output string
		want   providers.Standing // empty: an error
	}{
		"standing":                      {plain, measure.Exit{}, "x\nup\n", providers.Stands},
		"standing with a bad end":       {plain, measure.Exit{Code: 1}, "up", ""},
		"nothing":                       {plain, measure.Exit{}, "", providers.Absent},
		"nothing with a bad end":        {plain, measure.Exit{Code: 1}, "permission denied", ""},
		"killed":                        {plain, measure.Exit{Code: -1, Signal: "SIGKILL"}, "up", ""},
		"absent by its status":          {inspection{standing: "up", absentStatus: 1}, measure.Exit{Code: 1}, "", providers.Absent},
		"absent by another status":      {inspection{standing: "up", absentStatus: 1}, measure.Exit{Code: 2}, "", ""},
		"standing with absent's status": {inspection{standing: "up", absentStatus: 1}, measure.Exit{Code: 1}, "up", ""},
		"absent":                        {full, measure.Exit{Code: 7}, "no such thing", providers.Absent},
		"neither":                       {full, measure.Exit{}, "hello", ""},
		"both":                          {full, measure.Exit{}, "up\nno such thing", ""},
		"partial":                       {full, measure.Exit{}, "half of it", providers.Partial},
		"partial with a bad end":        {full, measure.Exit{Code: 9}, "half of it", ""},
		"standing before partial":       {full, measure.Exit{}, "half\nup", providers.Stands},
	} {
		t.Run(name, func(t *testing.T) {
			for _, stream := range []string{"stdout", "stderr"} {
				out, said := []byte(c.output), []byte(nil)
				if stream == "stderr" {
					out, said = said, out
				}
				got, err := c.i.answer(c.exit, out, said)
				if got != c.want || (err != nil) != (c.want == "") {
					t.Errorf("on %s: %q, %v; want %q", stream, got, err, c.want)
				}
			}
		})
	}
}

func TestSwitching(t *testing.T) {
	all := []command{{argv: []string{"a"}, leaves: "off"}, {argv: []string{"b"}}, {argv: []string{"c"}, leaves: "off"}, {argv: []string{"d"}}}
	for from, want := range map[string]string{"off": "ac", "degraded": "bd", providers.AnyState: "bd"} {
		got := ""
		for _, c := range switching(all, from) {
			got += c.argv[0]
		}
		if got != want {
			t.Errorf("from %s: %s, want %s", from, got, want)
		}
	}
	if got := switching(all[:1], "on"); got != nil {
		t.Errorf("there is none from on, but %v", got)
	}
}

// TestHead keeps the beginning, and takes all.
func TestHead(t *testing.T) {
	var h head
	for range 3 {
		if n, err := h.Write(make([]byte, maxOutput/2+1)); n != maxOutput/2+1 || err != nil {
			t.Fatal(n, errors.Unwrap(err))
		}
	}
	if h.Len() != maxOutput {
		t.Errorf("%d bytes are kept", h.Len())
	}
}
