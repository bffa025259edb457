package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestSSH carries out a spec on this machine as a host over ssh, through a real sshd on the loopback.
func TestSSH(t *testing.T) {
	const sshd = "/usr/sbin/sshd"
	if _, err := os.Stat(sshd); err != nil {
		t.Skip("sshd is not installed (Debian: openssh-server)")
	}
	if os.Geteuid() != 0 {
		t.Skip("logging in as root takes an sshd of root's")
	}
	dir := t.TempDir()
	port := startSSHD(t, sshd, dir)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "ssh"),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", dir)
			env.Setenv("SSH_AUTH_SOCK", "")
			env.Setenv("HOST", "ssh://root@127.0.0.1:"+port)
			env.Setenv("SCRATCH", filepath.Join(env.WorkDir, "scratch"))
			env.Setenv("NO_COLOR", "1")
			env.Setenv("ASSAY_LOCKS", filepath.Join(env.WorkDir, "locks"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "json": jsonValue, "run": latestRun},
	})
}

// startSSHD starts a server that lets in the key in dir/.ssh, where its own key is known, and gives its port. It ends with the test.
func startSSHD(t *testing.T, sshd, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	for _, d := range []string{"/run/sshd", filepath.Join(dir, ".ssh")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	hostKey, key := filepath.Join(dir, "host"), filepath.Join(dir, ".ssh", "id_ed25519")
	for _, file := range []string{hostKey, key} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	public, err := os.ReadFile(hostKey + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "sshd_config")
	for file, text := range map[string]string{
		config: fmt.Sprintf("ListenAddress 127.0.0.1:%s\nHostKey %s\nPidFile none\nAuthorizedKeysFile %s.pub\nPermitRootLogin prohibit-password\n"+
			"PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\nSubsystem sftp internal-sftp\n", port, hostKey, key),
		filepath.Join(dir, ".ssh", "known_hosts"): "[127.0.0.1]:" + port + " " + string(public),
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := exec.Command(sshd, "-D", "-e", "-f", config)
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	var log strings.Builder
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	})
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			return port
		}
	}
	t.Fatal("sshd does not listen")
	return ""
}
