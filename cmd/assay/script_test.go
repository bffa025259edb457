package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	commands := map[string]func(){"assay": func() { os.Exit(Main()) }}
	maps.Copy(commands, providerPrograms)
	testscript.Main(m, commands)
}

// TestScripts runs the command as a user would: each script is the commands, then the files.
func TestScripts(t *testing.T) {
	specs, err := filepath.Abs(filepath.Join("..", "..", "specs"))
	if err != nil {
		t.Fatal(err)
	}
	var scripts atomic.Int32
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SPECS", specs)
			env.Setenv("SAMPLES", filepath.Join(specs, "..", "providers", "fio", "testdata", "samples"))
			env.Setenv("NO_COLOR", "1")
			// A name that nothing else on this machine has, for what has no folder: namespaces, pid files.
			env.Setenv("UNIQUE", fmt.Sprintf("assay-test-%d-%d", os.Getpid(), scripts.Add(1)))
			env.Setenv("ASSAY_LOCKS", filepath.Join(env.WorkDir, "locks")) // two scripts are two benches
			env.Setenv("PROGRAMS", programDirectory(env.Getenv("PATH")))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": jsonValue, "edit": edit, "run": latestRun,
			"interrupt": interrupt, "killed": killed, "busy": busy, "twice": twice, "tmpfs": tmpfs,
		},
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return os.Geteuid() == 0, nil
		},
	})
}

// exits STATUS COMMAND ARG… runs a command that must end with just this status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG…]")
	}
	err := ts.Exec(args[1], args[2:]...)
	status := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("exit status %d, want %s", status, args[0])
	}
}

// json FILE PATH WANT compares a value in a JSON file, or in stdout, with a regular expression. PATH is dotted; an element of a list is
// found by its index, or by NAME=VALUE of one of its fields; len is the length.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH WANT")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &v))
	for _, step := range strings.Split(args[1], "/") {
		next, err := child(v, step)
		if err != nil {
			ts.Fatalf("%s: %v", args[1], err)
		}
		v = next
	}
	got := fmt.Sprint(v)
	if f, ok := v.(float64); ok {
		got = strconv.FormatFloat(f, 'f', -1, 64)
	}
	if match := regexp.MustCompile("^(?:" + args[2] + ")$").MatchString(got); match == neg {
		ts.Fatalf("%s is %s, want %s", args[1], got, args[2])
	}
}

func child(v any, step string) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		if step == "len" {
			return float64(len(v)), nil
		}
		c, ok := v[step]
		if !ok {
			return nil, fmt.Errorf("there is no %q", step)
		}
		return c, nil
	case []any:
		if step == "len" {
			return float64(len(v)), nil
		}
		if i, err := strconv.Atoi(step); err == nil && i < len(v) {
			return v[i], nil
		}
		name, value, _ := strings.Cut(step, "=")
		for _, e := range v {
			if m, ok := e.(map[string]any); ok && fmt.Sprint(m[name]) == value {
				return e, nil
			}
		}
		return nil, fmt.Errorf("no element %q", step)
	}
	return nil, fmt.Errorf("%v has no %q", v, step)
}

// edit FILE REGEXP REPLACEMENT changes a file; the expression must match.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE REGEXP REPLACEMENT")
	}
	path := ts.MkAbs(args[0])
	raw, err := os.ReadFile(path)
	ts.Check(err)
	re := regexp.MustCompile(args[1])
	if !re.Match(raw) {
		ts.Fatalf("%s does not match %s", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, re.ReplaceAll(raw, []byte(args[2])), 0o644))
}

// run [DIR] sets RUN to the newest run below DIR, and RESULTS to its results.
func latestRun(ts *testscript.TestScript, neg bool, args []string) {
	dir := filepath.Join(".assay", "runs")
	if len(args) > 0 {
		dir = args[0]
	}
	entries, err := os.ReadDir(ts.MkAbs(dir))
	ts.Check(err)
	if len(entries) == 0 {
		ts.Fatalf("no runs in %s", dir)
	}
	run := filepath.Join(dir, entries[len(entries)-1].Name())
	ts.Setenv("RUN", run)
	ts.Setenv("RESULTS", filepath.Join(run, "report", "results.json"))
}

// interrupt STATUS EVENT COMMAND ARG… starts a command, sends it SIGINT once its journal has an event of that kind, and checks
// the status with which it ends. What it printed is in out.txt and err.txt.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt STATUS EVENT COMMAND [ARG…]")
	}
	known := journals(ts)
	cmd, closeFiles := startCommand(ts, args[2:])
	defer closeFiles()
	seen := waitForText(ts, known, `"event":"`+args[1]+`"`)
	ts.Check(cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait() // the status is looked at below
	if !seen {
		ts.Fatalf("no event %q came", args[1])
	}
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// killed TEXT COMMAND ARG… starts a command and sends it SIGKILL once a journal holds the text. What it printed is in out.txt and err.txt.
func killed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: killed TEXT COMMAND [ARG…]")
	}
	known := journals(ts)
	cmd, closeFiles := startCommand(ts, args[1:])
	defer closeFiles()
	seen := waitForText(ts, known, args[0])
	ts.Check(cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	if !seen {
		ts.Fatalf("no journal came to hold %q", args[0])
	}
}

// twice STATUS TEXT1 TEXT2 COMMAND ARG… starts a command and sends it SIGINT once its journal holds the first text, and again once it holds the
// second; it must end with that status within ten seconds.
func twice(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: twice STATUS TEXT1 TEXT2 COMMAND [ARG…]")
	}
	known := journals(ts)
	cmd, closeFiles := startCommand(ts, args[3:])
	defer closeFiles()
	for _, text := range args[1:3] {
		if !waitForText(ts, known, text) {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // it was killed
			ts.Fatalf("no journal came to hold %q", text)
		}
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	late := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	_ = cmd.Wait() // the status is looked at below
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// tmpfs DIR OPTIONS mounts a file system in memory on a directory, or mounts it anew with other options.
func tmpfs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tmpfs DIR OPTIONS")
	}
	dir := ts.MkAbs(args[0])
	flags, options := uintptr(0), args[1]
	if options == "ro" {
		flags, options = unix.MS_RDONLY, ""
	}
	if _, err := os.Stat(dir); err == nil {
		ts.Check(unix.Mount("none", dir, "tmpfs", flags|unix.MS_REMOUNT, options))
		return
	}
	ts.Check(os.Mkdir(dir, 0o755))
	ts.Check(unix.Mount("none", dir, "tmpfs", flags, options))
	ts.Defer(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

// busy COMMAND ARG… starts a command, waits until its journal has an intent, and lets it go on until the script ends.
func busy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: busy COMMAND [ARG…]")
	}
	known := journals(ts)
	cmd, closeFiles := startCommand(ts, args)
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
		closeFiles()
	})
	if !waitForText(ts, known, `"event":"intent"`) {
		ts.Fatalf("no journal came to have an intent")
	}
}

// startCommand starts a program of PATH with its output in out.txt and err.txt.
func startCommand(ts *testscript.TestScript, argv []string) (*exec.Cmd, func()) {
	program := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if fi, err := os.Stat(filepath.Join(dir, argv[0])); err == nil && !fi.IsDir() {
			program = filepath.Join(dir, argv[0])
			break
		}
	}
	stdout, err := os.Create(ts.MkAbs("out.txt"))
	ts.Check(err)
	stderr, err := os.Create(ts.MkAbs("err.txt"))
	ts.Check(err)
	cmd := exec.Command(program, argv[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), stdout, stderr
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "NO_COLOR", "GOCOVERDIR", "ASSAY_LOCKS"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(cmd.Start())
	return cmd, func() { stdout.Close(); stderr.Close() }
}

// journals reads the journals of all runs.
func journals(ts *testscript.TestScript) map[string]string {
	files, err := filepath.Glob(ts.MkAbs(filepath.Join(".assay", "runs", "*", "journal.jsonl")))
	ts.Check(err)
	out := map[string]string{}
	for _, f := range files {
		if raw, err := os.ReadFile(f); err == nil {
			out[f] = string(raw)
		}
	}
	return out
}

// waitForText waits until a journal has a text that none of the known ones had.
func waitForText(ts *testscript.TestScript, known map[string]string, text string) bool {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for f, now := range journals(ts) {
			if strings.Contains(strings.TrimPrefix(now, known[f]), text) {
				return true
			}
		}
	}
	return false
}
