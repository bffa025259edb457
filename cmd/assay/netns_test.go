package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestHosts carries out specs on several hosts: network namespaces with an sshd each, whose links can be cut. The hosts have process
// numbers and folders /srv and /tmp of their own; all else they share with this machine.
func TestHosts(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes network namespaces")
	}
	for _, tool := range []string{"ip", "unshare", "/usr/sbin/sshd", "fio"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed (Debian: iproute2, util-linux, openssh-server, fio)")
		}
	}
	dir := t.TempDir()
	sweepNamespaces(t)
	specs, err := filepath.Abs(filepath.Join("..", "..", "specs"))
	if err != nil {
		t.Fatal(err)
	}
	var hosts []*namespace
	for n := range 6 { // scripts run at the same time: each has two of its own
		hosts = append(hosts, newNamespace(t, dir, n+1))
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "hosts"),
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("SPECS", specs)
			env.Setenv("HOME", dir)
			env.Setenv("SSH_AUTH_SOCK", "")
			env.Setenv("NO_COLOR", "1")
			env.Setenv("ASSAY_LOCKS", filepath.Join(env.WorkDir, "locks"))
			for i, h := range hosts {
				env.Setenv(fmt.Sprintf("HOST%d", i+1), "ssh://root@"+h.address)
				env.Setenv(fmt.Sprintf("IP%d", i+1), h.address)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": jsonValue, "run": latestRun,
			"link":  func(ts *testscript.TestScript, neg bool, args []string) { linkCommand(ts, neg, args, hosts) },
			"quiet": func(ts *testscript.TestScript, neg bool, args []string) { quietCommand(ts, neg, args, hosts) },
		},
	})
}

// namespacePrefix begins the names of our namespaces; the number of the process that made them follows.
const namespacePrefix = "assay-test-"

// namespace is a host.
type namespace struct {
	name    string
	address string
}

// newNamespace makes host n, which lets in the key in dir/.ssh. It goes with the test.
func newNamespace(t *testing.T, dir string, n int) *namespace {
	t.Helper()
	pid := os.Getpid()
	// 198.18.0.0/15 is for benchmarks of networks (RFC 2544): nobody has a route to it.
	net := (pid*8 + n) % (1 << 14) * 4
	ip := func(last int) string { return fmt.Sprintf("198.18.%d.%d", net>>8, net&255+last) }
	h := &namespace{name: fmt.Sprintf("%s%d-%d", namespacePrefix, pid, n), address: ip(2)}
	link := fmt.Sprintf("as%d-%d", pid, n) // our end
	must(t, "ip", "netns", "add", h.name)
	t.Cleanup(func() { deleteNamespace(t, h.name) })
	must(t, "ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", h.name)
	must(t, "ip", "addr", "add", ip(1)+"/30", "dev", link)
	must(t, "ip", "link", "set", link, "up")
	must(t, "ip", "-n", h.name, "addr", "add", ip(2)+"/30", "dev", "eth0")
	must(t, "ip", "-n", h.name, "link", "set", "eth0", "up")
	must(t, "ip", "-n", h.name, "link", "set", "lo", "up")
	if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("/srv", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	hostKey, key := filepath.Join(dir, fmt.Sprintf("host%d", n)), filepath.Join(dir, ".ssh", "id_ed25519")
	for _, file := range []string{hostKey, key} {
		if _, err := os.Stat(file); err != nil {
			must(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", file)
		}
	}
	public, err := os.ReadFile(hostKey + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".ssh", "config"), []byte("ConnectTimeout 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	known, err := os.OpenFile(filepath.Join(dir, ".ssh", "known_hosts"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(known, "%s %s", h.address, public)
	if err := known.Close(); err != nil {
		t.Fatal(err)
	}
	// A server that asks whether we are there finds soon that the link was cut; SHLVL keeps bash from root's own login scripts.
	config := filepath.Join(dir, fmt.Sprintf("sshd_config%d", n))
	inside := func(file string) string { return filepath.Join("/srv/ssh", strings.TrimPrefix(file, dir)) }
	text := fmt.Sprintf("ListenAddress %s:22\nHostKey %s\nPidFile none\nAuthorizedKeysFile %s.pub\nPermitRootLogin prohibit-password\nPasswordAuthentication no\n"+
		"KbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\nSetEnv SHLVL=2\nMaxSessions 50\nClientAliveInterval 1\nClientAliveCountMax 2\nSubsystem sftp internal-sftp\n",
		h.address, inside(hostKey), inside(key))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// The first process of the host's own numbers takes all others with it.
	server := exec.Command("ip", "netns", "exec", h.name, "unshare", "--mount", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child",
		"sh", "-c", `mount -t tmpfs tmpfs /srv && cp -r "$2" /srv/ssh && mount -t tmpfs tmpfs /tmp && hostname "$0" && exec /usr/sbin/sshd -D -e -f "$1"`,
		fmt.Sprintf("node%d", n), inside(config), dir)
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	var log strings.Builder
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		if t.Failed() {
			t.Logf("sshd of %s: %s", h.name, log.String())
		}
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		// Port 22 listens; a connection would be told of in the server's log.
		if out, _ := exec.Command("ip", "netns", "exec", h.name, "cat", "/proc/net/tcp").Output(); strings.Contains(string(out), ":0016 00000000:0000 0A") {
			return h
		}
		if time.Now().After(deadline) {
			t.Fatalf("sshd of %s does not listen", h.name)
		}
	}
}

// deleteNamespace ends what is left in a namespace, each by its number, and removes it with its link.
func deleteNamespace(t *testing.T, name string) {
	out, err := exec.Command("ip", "netns", "pids", name).Output()
	if err != nil {
		t.Errorf("processes of %s: %v", name, err)
	}
	for _, field := range strings.Fields(string(out)) {
		if pid, err := strconv.Atoi(field); err == nil && pid > 1 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	must(t, "ip", "netns", "delete", name)
}

// sweepNamespaces removes those of test runs that were killed.
func sweepNamespaces(t *testing.T) {
	t.Helper()
	out, err := exec.Command("ip", "netns", "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest, ours := strings.CutPrefix(name, namespacePrefix)
		number, _, _ := strings.Cut(rest, "-")
		if pid, err := strconv.Atoi(number); ours && err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			deleteNamespace(t, name)
		}
	}
}

func must(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
	}
}

// linkCommand is: link N down|up [PATTERN]. With a pattern it waits until a command line that begins so runs there.
func linkCommand(ts *testscript.TestScript, neg bool, args []string, hosts []*namespace) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: link N down|up [PATTERN]")
	}
	h := numbered(ts, args[0], hosts)
	if len(args) > 2 {
		for deadline := time.Now().Add(2 * time.Minute); !h.runs(args[2]); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				ts.Fatalf("nothing like %s runs on host %s", args[2], args[0])
			}
		}
	}
	ts.Check(ts.Exec("ip", "-n", h.name, "link", "set", "eth0", args[1])) // as a cable: our end stays up
}

// quietCommand is: quiet N PATTERN. It waits until no command line of a host begins so.
func quietCommand(ts *testscript.TestScript, neg bool, args []string, hosts []*namespace) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: quiet N PATTERN")
	}
	h := numbered(ts, args[0], hosts)
	for deadline := time.Now().Add(2 * time.Minute); h.runs(args[1]); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("%s still runs on host %s", args[1], args[0])
		}
	}
}

func numbered(ts *testscript.TestScript, n string, hosts []*namespace) *namespace {
	i, err := strconv.Atoi(n)
	if err != nil || i < 1 || i > len(hosts) {
		ts.Fatalf("there is no host %s", n)
	}
	return hosts[i-1]
}

// runs reports whether a process of the host has a command line that begins with text; of the program's path only the name counts.
func (h *namespace) runs(text string) bool {
	out, err := exec.Command("ip", "netns", "pids", h.name).Output()
	if err != nil {
		return false
	}
	for _, pid := range strings.Fields(string(out)) {
		line, err := os.ReadFile("/proc/" + pid + "/cmdline")
		words := strings.Split(string(line), "\x00")
		words[0] = filepath.Base(words[0])
		if err == nil && strings.HasPrefix(strings.Join(words, " "), text) {
			return true
		}
	}
	return false
}
