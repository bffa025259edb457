package host

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// bench is a real sshd on the loopback, with users to log in as, and a HOME that has the configuration to reach it. It is shared by
// the tests and never changed once they run.
type bench struct {
	dir    string
	port   string
	server *exec.Cmd
	undo   []func() error
}

var (
	theBench   *bench
	whyNoBench string
)

// The users of the bench: one whom sudo lets be root without a password, and one whom it asks for it. They are this process's own.
var (
	sudoer = fmt.Sprintf("assaytest%d", os.Getpid())
	asked  = sudoer + "n"
)

func TestMain(m *testing.M) {
	code := func() int {
		var err error
		theBench, err = newBench()
		switch {
		case errors.As(err, new(missingError)):
			whyNoBench = err.Error()
		case err != nil:
			fmt.Fprintln(os.Stderr, "the sshd for the tests:", err)
			return 1
		}
		defer theBench.remove()
		return m.Run()
	}()
	os.Exit(code)
}

// missingError is what the tests of ssh cannot be without; then they skip.
type missingError string

func (e missingError) Error() string { return string(e) }

func newBench() (b *bench, err error) {
	sshd := "/usr/sbin/sshd"
	if _, err := os.Stat(sshd); err != nil {
		return nil, missingError("sshd is not installed (Debian: openssh-server)")
	}
	if os.Geteuid() != 0 {
		return nil, missingError("sshd for several users is started by root only")
	}
	for _, tool := range []string{"sudo", "useradd", "userdel", "ssh-keygen", "ssh-agent", "ssh-add"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, missingError(tool + " is not installed (Debian: sudo, passwd, openssh-client)")
		}
	}
	b = &bench{}
	defer func() {
		if err != nil {
			b.remove()
		}
	}()
	if b.dir, err = os.MkdirTemp("", "assay-sshd-"); err != nil {
		return nil, err
	}
	b.undo = append(b.undo, func() error { return os.RemoveAll(b.dir) })
	if err := os.Chmod(b.dir, 0o755); err != nil {
		return nil, err
	}
	for _, name := range []string{sudoer, asked} {
		if err := b.addUser(name); err != nil {
			return nil, err
		}
	}
	rule := "/etc/sudoers.d/" + sudoer
	if err := os.WriteFile(rule, []byte(sudoer+" ALL=(root) NOPASSWD: ALL\n"), 0o440); err != nil {
		return nil, err
	}
	b.undo = append(b.undo, func() error { return os.Remove(rule) })
	for _, k := range []struct{ name, kind string }{{"host_ed25519", "ed25519"}, {"host_rsa", "rsa"}, {"other", "ed25519"}, {"user", "ed25519"}} {
		if err := run("ssh-keygen", "-q", "-t", k.kind, "-N", "", "-C", "", "-f", b.file(k.name)); err != nil {
			return nil, err
		}
	}
	if err := run("ssh-keygen", "-q", "-t", "ed25519", "-N", "passphrase", "-C", "", "-f", b.file("locked")); err != nil {
		return nil, err
	}
	if err := b.serve(sshd); err != nil {
		return nil, err
	}
	return b, b.home()
}

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) addUser(name string) error {
	// The password * lets nobody in, and does not lock the account as none would.
	if err := run("useradd", "-m", "-s", "/bin/bash", "-p", "*", name); err != nil {
		return err
	}
	b.undo = append(b.undo, func() (err error) {
		// userdel refuses as long as a session of the user is about to end.
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
			if err = run("userdel", "-r", name); err == nil {
				return nil
			}
		}
		return err
	})
	return nil
}

// serve starts sshd on a port of its own.
func (b *bench) serve(sshd string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, b.port, _ = net.SplitHostPort(l.Addr().String())
	l.Close()
	if err := os.MkdirAll("/run/sshd", 0o755); err != nil { // sshd's own, gone with every boot
		return err
	}
	// SHLVL keeps bash from the login scripts of this machine's root, which may be slow and are not what is tested.
	config := fmt.Sprintf(`ListenAddress 127.0.0.1:%[1]s
HostKey %[2]s/host_ed25519
HostKey %[2]s/host_rsa
PidFile none
AuthorizedKeysFile %[2]s/authorized_keys
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
SetEnv SHLVL=2
MaxSessions 100
MaxStartups 100
Subsystem sftp internal-sftp
`, b.port, b.dir)
	if err := os.WriteFile(b.file("sshd_config"), []byte(config), 0o644); err != nil {
		return err
	}
	var authorized []byte
	for _, key := range []string{"user.pub", "locked.pub"} {
		data, err := os.ReadFile(b.file(key))
		if err != nil {
			return err
		}
		authorized = append(authorized, data...)
	}
	if err := os.WriteFile(b.file("authorized_keys"), authorized, 0o644); err != nil {
		return err
	}
	b.server = exec.Command(sshd, "-D", "-e", "-f", b.file("sshd_config"))
	b.server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	var log strings.Builder
	b.server.Stderr = &log
	if err := b.server.Start(); err != nil {
		return err
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if c, err := net.Dial("tcp", "127.0.0.1:"+b.port); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("sshd does not listen: %s", log.String())
}

// home makes the HOME of whoever runs assay: what ssh would read there is all that Dial gets to know.
func (b *bench) home() error {
	if err := os.MkdirAll(b.file("home/.ssh"), 0o700); err != nil {
		return err
	}
	config := fmt.Sprintf(`Host alias
  HostName 127.0.0.1
  Port %[1]s
  User root
Host behind
  HostName 127.0.0.1
  Port %[1]s
  User %[3]s
  ProxyJump alias
Host unknown
  HostName 127.0.0.1
  Port %[1]s
  User root
  UserKnownHostsFile %[2]s/empty
Host changed
  HostName 127.0.0.1
  Port %[1]s
  User root
  UserKnownHostsFile %[2]s/changed
Host onlyrsa
  HostName 127.0.0.1
  Port %[1]s
  User root
  UserKnownHostsFile %[2]s/onlyrsa
Host otherkind
  HostName 127.0.0.1
  Port %[1]s
  User root
  UserKnownHostsFile %[2]s/otherkind
Host stranger
  HostName 127.0.0.1
  Port %[1]s
  User root
  IdentityFile %[2]s/other
  IdentitiesOnly yes
Host locked
  HostName 127.0.0.1
  Port %[1]s
  User root
  IdentityFile %[2]s/locked
Host command
  HostName 127.0.0.1
  ProxyCommand nc %%h %%p
Host stranger locked
  IdentitiesOnly yes
Host !stranger !locked *
  IdentityFile %[2]s/user
  StrictHostKeyChecking no
`, b.port, b.dir, sudoer)
	key := func(name string) string {
		data, err := os.ReadFile(b.file(name + ".pub"))
		if err != nil {
			return ""
		}
		return fmt.Sprintf("[127.0.0.1]:%s %s\n", b.port, strings.TrimSpace(string(data)))
	}
	ecdsa := "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBEmKSENjQEezOmxkZMy7opKgwFB9nkt5YRrYMjNuG5N87uRgg6CLrbo5wAdT/y6v0mKV0U2w0WZ2YB/++Tpockg="
	for name, text := range map[string]string{
		"home/.ssh/config": config, "home/.ssh/known_hosts": key("host_ed25519"), "empty": "", "changed": key("other"), "onlyrsa": key("host_rsa"),
		"otherkind": fmt.Sprintf("[127.0.0.1]:%s %s\n", b.port, ecdsa),
	} {
		if err := os.WriteFile(b.file(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for name, value := range map[string]string{"HOME": b.file("home"), "SSH_AUTH_SOCK": ""} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// remove ends the server by its number, and takes away what was made, the last first.
func (b *bench) remove() {
	if b == nil {
		return
	}
	if b.server != nil && b.server.Process != nil {
		_ = b.server.Process.Signal(syscall.SIGTERM)
		_ = b.server.Wait()
	}
	for i := len(b.undo) - 1; i >= 0; i-- {
		if err := b.undo[i](); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
}

func run(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}

func needBench(t *testing.T) *bench {
	t.Helper()
	if theBench == nil {
		t.Skip(whyNoBench)
	}
	return theBench
}

// places are the hosts that must behave alike: this machine, and itself over ssh.
var places = []struct{ name, form string }{
	{"local", ""},
	{"root over ssh", "ssh://root@127.0.0.1:%s"},
	{"user over ssh", "ssh://" + sudoer + "@127.0.0.1:%s"},
	{"sudo over ssh", "ssh://" + sudoer + "@127.0.0.1:%s?become=sudo"},
}

// everywhere runs a test on each of the places, with grace between SIGTERM and SIGKILL.
func everywhere(t *testing.T, grace time.Duration, test func(*testing.T, Host)) {
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			if p.form == "" {
				test(t, local{grace: grace})
				return
			}
			b := needBench(t)
			h := dialed(t, fmt.Sprintf(p.form, b.port))
			h.grace = grace
			test(t, h)
		})
	}
}

func dialed(t *testing.T, address string) *remote {
	t.Helper()
	h, err := Dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h.(*remote)
}

// scratch is a directory in which every user may write.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "assay-host-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}
