package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers"
)

// TestConsent: what was found on a disk is lost only by somebody's word for that disk.
func TestConsent(t *testing.T) {
	ext4 := providers.Erase{Device: "/dev/sdb", Serial: "S1", WWN: "naa.5", Holds: "ext4", Found: true}
	xfs := providers.Erase{Device: "/dev/sdc", Serial: "S2", Holds: "xfs", Found: true}
	blank := providers.Erase{Device: "/dev/sdd", Serial: "S3", Holds: "nothing"}
	for _, c := range []struct {
		name             string
		erases           []providers.Erase
		approved, agreed bool
		allowed          []string
		want             string // of the error; empty: it goes on
	}{
		{name: "nothing erased"},
		{name: "blank, nobody said anything", erases: []providers.Erase{blank}, want: "no terminal to ask: setup.x erases /dev/sdd S3: nothing"},
		{name: "blank, approved", erases: []providers.Erase{blank}, approved: true},
		{name: "found, nobody said anything", erases: []providers.Erase{ext4}, want: "no terminal to ask: setup.x erases /dev/sdb S1: ext4"},
		{name: "found, approved", erases: []providers.Erase{ext4, blank}, approved: true, want: "--auto-approve does not answer for what is on a disk: setup.x erases /dev/sdb S1: ext4. Save the plan"},
		{name: "found, allowed", erases: []providers.Erase{ext4}, allowed: []string{"s1"}},
		{name: "found, allowed by WWN", erases: []providers.Erase{ext4}, allowed: []string{"naa.5"}},
		{name: "one allowed, one not", erases: []providers.Erase{ext4, xfs}, approved: true, allowed: []string{"S1"}, want: "/dev/sdc S2: xfs"},
		{name: "another allowed", erases: []providers.Erase{ext4}, allowed: []string{"S2", ""}, want: "/dev/sdb S1"},
		{name: "without a serial number nothing allows it", erases: []providers.Erase{{Device: "/dev/sde", Holds: "xfs", Found: true}}, approved: true, allowed: []string{""}, want: "/dev/sde"},
		{name: "found, agreed before", erases: []providers.Erase{ext4, blank}, agreed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &plan.Plan{Steps: []plan.Step{{Address: "setup.x", Erases: c.erases}, {Address: "setup.x", Erases: c.erases}}}
			a := &app{stdin: strings.NewReader("yes\n"), stderr: &bytes.Buffer{}}
			err := a.consent(p, c.approved, c.agreed, c.allowed)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got %v, want %q", err, c.want)
			case err != nil && strings.Count(err.Error(), "erases") != 1:
				t.Errorf("the same disk is named more than once, or another one: %v", err)
			}
		})
	}
}
