package main

import (
	"bytes"
	"crypto/rand"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestSecrets plants a password in a run with a real MariaDB client, here and over ssh, and with fio, and looks for it in
// everything that the run leaves and prints, and in all command lines of the machine while it goes on.
func TestSecrets(t *testing.T) {
	const sshd = "/usr/sbin/sshd"
	if os.Geteuid() != 0 {
		t.Skip("logging in as root takes an sshd of root's")
	}
	password, control := "pw"+rand.Text(), "control"+rand.Text()
	home := t.TempDir()
	port := startSSHD(t, sshd, home)
	socket := startMariaDB(t, password)
	seen := watchCommandLines(t, password, control)
	t.Run("run", func(t *testing.T) { // scripts are parallel: it returns when all have ended
		testscript.Run(t, testscript.Params{
			Dir:                 filepath.Join("testdata", "secrets"),
			RequireExplicitExec: true,
			Setup: func(env *testscript.Env) error {
				for name, value := range map[string]string{
					"HOME": home, "SSH_AUTH_SOCK": "", "NO_COLOR": "1", "ASSAY_LOG": "trace", "CONTROL": control,
					"ASSAY_VAR_password": password, "ASSAY_VAR_socket": socket, "ASSAY_VAR_host": "ssh://root@127.0.0.1:" + port,
					"ASSAY_VAR_scratch": filepath.Join(env.WorkDir, "scratch"), "ASSAY_LOCKS": filepath.Join(env.WorkDir, "locks"),
				} {
					env.Setenv(name, value)
				}
				return nil
			},
			Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"exits": exits, "json": jsonValue, "run": latestRun,
				// secretfree FILE… fails where one of the files, or one in these folders, has the password in it.
				"secretfree": func(ts *testscript.TestScript, _ bool, args []string) {
					for _, name := range args {
						if n := search(ts, ts.MkAbs(name), password); n == 0 {
							ts.Fatalf("there is no file in %s", name)
						}
					}
				},
			},
		})
	})
	t.Run("command lines", func(t *testing.T) {
		found := seen()
		if line := found[password]; line != "" {
			t.Errorf("the password stood in a command line: %q", line)
		}
		if found[control] == "" {
			t.Error("the watch did not even see what is in a command line")
		}
	})
}

// search looks for a text in every file below a path, and gives how many there were.
func search(ts *testscript.TestScript, root, text string) (files int) {
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if files++; bytes.Contains(raw, []byte(text)) {
			ts.Fatalf("%s has the password in it", path)
		}
		return err
	}))
	return files
}

// watchCommandLines looks at the command lines of all processes again and again until seen is called, which gives a line for each of
// the texts that stood in one.
func watchCommandLines(t *testing.T, texts ...string) (seen func() map[string]string) {
	t.Helper()
	found := map[string]string{}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
			files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
			for _, file := range files {
				line, err := os.ReadFile(file)
				for _, text := range texts {
					if err == nil && bytes.Contains(line, []byte(text)) {
						found[text] = string(line)
					}
				}
			}
		}
	}()
	stop := sync.OnceFunc(func() { close(done); <-ended })
	t.Cleanup(stop)
	return func() map[string]string { stop(); return found }
}

// startMariaDB starts a server that listens on a socket only, with data of its own, and lets in the user bench with the password. It
// ends with the test.
func startMariaDB(t *testing.T, password string) (socket string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "assay-db-") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket = filepath.Join(dir, "socket")
	data := "--datadir=" + filepath.Join(dir, "data")
	install := exec.Command("mariadb-install-db", "--no-defaults", "--user=root", data, "--auth-root-authentication-method=normal", "--skip-test-db")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	server := exec.Command("mariadbd", "--no-defaults", "--user=root", data, "--socket="+socket, "--skip-networking",
		"--pid-file="+filepath.Join(dir, "pid"), "--innodb-buffer-pool-size=16M", "--innodb-flush-log-at-trx-commit=0")
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	var log bytes.Buffer
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		client := exec.Command("mariadb", "--no-defaults", "--user=root", "--socket="+socket)
		client.Stdin = strings.NewReader("CREATE USER bench@localhost IDENTIFIED BY '" + password + "'; GRANT ALL ON *.* TO bench@localhost;")
		out, err := client.CombinedOutput()
		if err == nil {
			return socket
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server does not listen: %s", out)
		}
	}
}
