package host

import (
	"strconv"
	"testing"
	"time"
)

// Over ssh this machine's clock is that of the host.
func TestClockOffset(t *testing.T) {
	b := needBench(t)
	facts, err := dialed(t, b.root()).Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	offset, err := strconv.ParseFloat(facts["volatile.clock.offset_s"], 64)
	if err != nil {
		t.Fatal(err)
	}
	uncertainty, err := strconv.ParseFloat(facts["volatile.clock.uncertainty_s"], 64)
	if err != nil || uncertainty <= 0 {
		t.Fatal(uncertainty, err)
	}
	const rounding = 1e-6
	if max(offset, -offset) > uncertainty+rounding {
		t.Errorf("this machine's clock differs from its own by %g s, and that is right to %g s", offset, uncertainty)
	}
}

func TestParseReading(t *testing.T) {
	for line, want := range map[string]reading{
		"12.34 1700000000.000000005\n": {up: 12.34, date: time.Unix(1700000000, 5)},
		"12.34 1700000000.%N\n":        {up: 12.34}, // a date(1) without fractions
		"12.34 1700000000\n":           {up: 12.34},
		"12.34 \n":                     {up: 12.34},
	} {
		if got, err := parseReading(line); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", line, got, err, want)
		}
	}
	if _, err := parseReading("logout\n"); err == nil {
		t.Error("no error")
	}
}

func TestOffset(t *testing.T) {
	middle := time.Unix(1000, 0)
	r := reading{middle: middle, up: 400, date: middle.Add(-1500 * time.Millisecond)}
	if r.offset() != -1500*time.Millisecond || !r.boot().Equal(time.Unix(600, 0)) {
		t.Errorf("offset %s, boot %s", r.offset(), r.boot())
	}
}

func TestParseEnding(t *testing.T) {
	for text, want := range map[string]ending{
		"end 3 - 10.01 12.5":         {word: "end", code: 3, started: 10.01, ended: 12.5},
		"end 137 SIGKILL 10.01 12.5": {word: "end", code: -1, signal: "SIGKILL", started: 10.01, ended: 12.5},
		"off":                        {word: "off", code: -1},
		"stuck":                      {word: "stuck", code: -1},
	} {
		if got, err := parseEnd(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "end", "end x - 1 2", "end 0 - 1", "over 0 - 1 2"} {
		if got, err := parseEnd(text); err == nil {
			t.Errorf("%q: %+v; want an error", text, got)
		}
	}
}
