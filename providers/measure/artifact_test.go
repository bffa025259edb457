package measure

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestOpen: an artifact reads the same from memory and from a file, and one that is gone is an error.
func TestOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.log")
	if err := os.WriteFile(file, []byte("1, 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, a := range []Artifact{{Name: "x.log", File: file}, {Name: "x.stdout", Data: []byte("1, 2\n")}} {
		for range 2 { // from its beginning each time
			r, err := a.Open()
			if err != nil {
				t.Fatal(err)
			}
			if raw, err := io.ReadAll(r); err != nil || string(raw) != "1, 2\n" || r.Close() != nil {
				t.Errorf("%s: %q, %v", a.Name, raw, err)
			}
		}
	}
	if _, err := (Artifact{Name: "y.log", File: file + "x"}).Open(); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}
