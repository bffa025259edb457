package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const byHand = `
setup "command_manual" "cable" {
  instructions = "Make the file DIR/cable.\nMind the gap."
  undo         = "Remove the file DIR/cable."
  inspect {
    argv     = ["ls", "DIR"]
    standing = "^cable$"
    settle   = "0s"
  }
  outputs = {
    file = "DIR/cable"
  }
}
test "command" "t" {
  argv = ["wc", "-c", setup.command_manual.cable.outputs.file]
  measure "bytes" {
    pattern = "^(\\d+)"
  }
}
kpi "empty" {
  measure = test.command.t.bytes
  max     = 0
}
`

// TestAskInTerminal lets a person at a real terminal do what the spec asks for.
func TestAskInTerminal(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("ASSAY_LOCKS", t.TempDir())
	dir, world := t.TempDir(), t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "assay")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.assay.hcl"), []byte(strings.ReplaceAll(byHand, "DIR", world)), 0o644); err != nil {
		t.Fatal(err)
	}
	cable := filepath.Join(world, "cable")
	x := tmux{t, filepath.Join(dir, "tmux")}
	x.run("-u", "new-session", "-d", "-x", "120", "-y", "50", "-c", dir, "./assay apply . ; echo ended; ./assay apply . ; exec cat")
	defer x.run("kill-server")
	nothing := func(string) {}

	// A person who does what is asked.
	x.wait(`(?m)^setup\.command_manual\.cable is up to you:\n  Make the file .*/cable\.\n  Mind the gap\.\nType done`, nothing)
	x.wait(`(?m)^create setup\.command_manual\.cable\n.*waits for a person`, nothing)
	if err := os.WriteFile(cable, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	x.run("send-keys", "done", "Enter")
	x.wait(`(?m)^  Remove the file .*/cable\.\nType done`, nothing)
	if err := os.Remove(cable); err != nil {
		t.Fatal(err)
	}
	x.run("send-keys", "done", "Enter")
	end := x.wait(`(?m)^ended$`, nothing)
	if !strings.Contains(end, "\nPASS ") || strings.Count(end, "waits for a person") > 0 {
		t.Errorf("the screen at the end:\n%s", end)
	}

	// One who will not, and one who says so though it is not done. Then it is taken away, of which nothing is there.
	x.wait(`(?s)ended.*Type done`, nothing)
	x.run("send-keys", "no", "Enter")
	x.wait(`(?s)ended.*the person answered "no", and not that it is done.*INCONCLUSIVE`, nothing)
}
