package umltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the test binary that can run in a machine: this one, or where it looks for races, which needs more address space than a
// machine gives, the same without that.
func binary(t *testing.T) (string, error) {
	if !race {
		return os.Executable()
	}
	path := filepath.Join(t.TempDir(), "plain.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go test -c: %w: %s", err, out)
	}
	return path, nil
}
