package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers/storage/umltest"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestInAMachine runs scripts as a user would, in a machine of their own that has md RAID.
func TestInAMachine(t *testing.T) {
	specs, err := filepath.Abs(filepath.Join("..", "..", "specs"))
	if err != nil {
		t.Fatal(err)
	}
	umltest.Run(t, umltest.Machine{MemoryMiB: 5120, Timeout: 25 * time.Minute}, func(t *testing.T) {
		testscript.Run(t, testscript.Params{
			Dir:                 filepath.Join("testdata", "uml"),
			RequireExplicitExec: true,
			Setup: func(env *testscript.Env) error {
				env.Setenv("NO_COLOR", "1")
				env.Setenv("SPECS", specs)
				env.Setenv("ASSAY_LOCKS", filepath.Join(env.WorkDir, "locks"))
				return nil
			},
			Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "json": jsonValue, "run": latestRun, "edit": edit},
		})
	})
}
