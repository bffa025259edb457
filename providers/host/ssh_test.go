package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func (b *bench) root() string { return "ssh://root@127.0.0.1:" + b.port }

// The Host blocks are those of the bench's ~/.ssh/config.
func TestDialGoesBySSHConfig(t *testing.T) {
	b := needBench(t)
	for address, who := range map[string]string{
		"ssh://alias":                "root\n",
		"ssh://" + sudoer + "@alias": sudoer + "\n",
		"ssh://behind":               sudoer + "\n",
		"ssh://behind?become=sudo":   "root\n",
		"ssh://onlyrsa":              "root\n",
		b.root() + "?become=sudo":    "root\n",
	} {
		var out bytes.Buffer
		h := dialed(t, address)
		if h.Address() != address {
			t.Errorf("%s: its address is %q", address, h.Address())
		}
		res, err := watched(t, h, t.Context(), Cmd{Argv: []string{"id", "-un"}, Stdout: &out})
		if err != nil || !res.OK() || out.String() != who {
			t.Errorf("%s: %+v, %v, %q; want %q", address, res, err, out.String(), who)
		}
	}
}

func TestWhatDialRefuses(t *testing.T) {
	b := needBench(t)
	shown := fingerprint(t, b.file("host_ed25519.pub"))
	for address, want := range map[string][]string{
		"ssh://unknown":                         {"is not known", "SHA256:", b.file("empty"), "ssh-keygen -lf", "ssh -p " + b.port + " root@unknown"},
		"ssh://changed":                         {"has changed", shown, fingerprint(t, b.file("other.pub")), b.file("changed") + ":1", "ssh-keygen -f", "-R '[127.0.0.1]:" + b.port + "'"},
		"ssh://otherkind":                       {"no host key of the kinds", "ecdsa-sha2-nistp256", "ssh -p " + b.port},
		"ssh://stranger":                        {"lets root not in", "1 keys"},
		"ssh://locked":                          {"passphrase", "ssh-add"},
		"ssh://command":                         {"ProxyCommand is not supported", "ProxyJump"},
		"ssh://root@127.0.0.1:1":                {"127.0.0.1:1 cannot be reached", "refused"},
		"ssh://" + asked + "@alias?become=sudo": {"sudo asks for a password", "NOPASSWD"},
		"ssh://assay-no-such-user@127.0.0.1:" + b.port:    {"lets assay-no-such-user not in"},
		"ssh://root@assay-no-such-host.invalid?become=no": {"?become=no is not known"},
	} {
		h, err := Dial(t.Context(), address)
		if err == nil {
			h.Close()
			t.Errorf("%s: there is a host", address)
			continue
		}
		for _, w := range append(want, address) {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v; want %q", address, err, w)
			}
		}
	}
}

func fingerprint(t *testing.T, file string) string {
	t.Helper()
	out, err := exec.Command("ssh-keygen", "-lf", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))[1]
}

func TestAgent(t *testing.T) {
	b := needBench(t)
	socket := filepath.Join(scratch(t), "agent")
	agent := exec.Command("ssh-agent", "-D", "-a", socket)
	if err := agent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = agent.Process.Kill()
		_ = agent.Wait()
	})
	for deadline := time.Now().Add(patience); !exists(socket); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no agent")
		}
	}
	ask := filepath.Join(scratch(t), "ask")
	if err := os.WriteFile(ask, []byte("#!/bin/sh\necho passphrase\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	add := exec.Command("ssh-add", b.file("locked"))
	add.Env = append(os.Environ(), "SSH_AUTH_SOCK="+socket, "SSH_ASKPASS="+ask, "SSH_ASKPASS_REQUIRE=force", "DISPLAY=none")
	if out, err := add.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("SSH_AUTH_SOCK", socket)
	dialed(t, "ssh://locked")
}

func TestDialEndsWithItsContext(t *testing.T) {
	// A server that takes the connection and says nothing.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	errStop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		if c, err := l.Accept(); err == nil {
			defer c.Close()
			cancel(errStop)
			_, _ = io.Copy(io.Discard, c)
		}
	}()
	if h, err := Dial(ctx, "ssh://root@"+l.Addr().String()); h != nil || !errors.Is(err, errStop) {
		t.Errorf("%v; want the cause", err)
	}
}

func TestWhatCannotBeStartedOverSSH(t *testing.T) {
	b := needBench(t)
	h := dialed(t, b.root())
	dir := scratch(t)
	for name, mode := range map[string]fs.FileMode{"not-executable": 0o644, "no-shebang": 0o755} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("echo no shebang\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	path := []string{"PATH=" + dir}
	for name, tc := range map[string]struct {
		cmd     Cmd
		missing bool
		want    string
	}{
		"not found":      {Cmd{Argv: []string{"no-such-tool"}, Env: path}, true, "no-such-tool: not found on PATH of " + h.Address() + " (" + dir + ")"},
		"absolute":       {Cmd{Argv: []string{"/no/such/tool"}}, true, "/no/such/tool: no such program on " + h.Address()},
		"not executable": {Cmd{Argv: []string{"not-executable"}, Env: path}, true, dir + "/not-executable: it is not executable"},
		"a directory":    {Cmd{Argv: []string{dir}}, true, "it is a directory"},
		"relative":       {Cmd{Argv: []string{"./tool"}}, false, "without slashes or an absolute path"},
		"no name":        {Cmd{Argv: []string{""}}, false, "without slashes or an absolute path"},
		"nothing":        {Cmd{}, false, "at least the name of a program"},
		"no shebang":     {Cmd{Argv: []string{dir + "/no-shebang"}}, false, "a script without a #! line"},
		"NUL":            {Cmd{Argv: []string{"true", "a\x00b"}}, false, "NUL"},
		"environment":    {Cmd{Argv: []string{"true"}, Env: []string{"NAME"}}, false, "expected NAME=value"},
		"name":           {Cmd{Argv: []string{"true"}, Env: []string{"A.B=1"}}, false, "letters, digits and _"},
		"cookie":         {Cmd{Argv: []string{"true"}, Env: []string{"ASSAY_COMMAND=x"}}, false, "cannot stand"},
		"too long":       {Cmd{Argv: []string{"true", strings.Repeat("x", 4<<20)}}, false, "too long"},
		"no directory":   {Cmd{Argv: []string{"true"}, Dir: "/no/such/dir"}, false, "working directory: stat /no/such/dir"},
		"directory file": {Cmd{Argv: []string{"true"}, Dir: dir + "/no-shebang"}, false, "is not a directory"},
	} {
		res, err := watched(t, h, t.Context(), tc.cmd)
		var missing *NotFoundError
		if err == nil || errors.As(err, &missing) != tc.missing || !strings.Contains(err.Error(), tc.want) || res.Code != -1 || !res.Started.IsZero() {
			t.Errorf("%s: %+v, %v; want an error with %q", name, res, err, tc.want)
		}
	}
	version, found, err := ToolVersion(t.Context(), h, "no-such-tool")
	if version != "" || found || err != nil {
		t.Errorf("the version of a tool that is not there: %q, %v, %v", version, found, err)
	}
	if version, found, err = ToolVersion(t.Context(), h, "sed"); !strings.Contains(version, "sed") || !found || err != nil {
		t.Errorf("the version of sed: %q, %v, %v", version, found, err)
	}
}

func TestEnvironmentIsFixedOverSSH(t *testing.T) {
	b := needBench(t)
	t.Setenv("PASSWORD", "secret")
	for address, home := range map[string]string{
		"ssh://" + sudoer + "@127.0.0.1:" + b.port:                  "/home/" + sudoer,
		"ssh://" + sudoer + "@127.0.0.1:" + b.port + "?become=sudo": "/root",
	} {
		var out bytes.Buffer
		value := "a 'b' \\ \n ! $HOME \xff"
		_, err := watched(t, dialed(t, address), t.Context(), Cmd{Argv: []string{"env", "-0"}, Env: []string{"A=1", "A=2", "EMPTY=", "ODD=" + value}, Stdout: &out})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range strings.Split(strings.TrimSuffix(out.String(), "\x00"), "\x00") {
			name, value, _ := strings.Cut(e, "=")
			got[name] = value
		}
		if len(got["ASSAY_COMMAND"]) != 26 || !strings.HasSuffix(got["PATH"], "bin") || !strings.Contains(got["PATH"], "/usr/sbin") {
			t.Errorf("%s: %q", address, got)
		}
		delete(got, "ASSAY_COMMAND")
		delete(got, "PATH")
		want := map[string]string{"HOME": home, "LC_ALL": "C", "A": "2", "EMPTY": "", "ODD": value}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %q; want %q", address, got, want)
		}
	}
}

func TestSecretsStandInNoCommandLine(t *testing.T) {
	b := needBench(t)
	h := dialed(t, "ssh://"+sudoer+"@127.0.0.1:"+b.port+"?become=sudo")
	const secret = "a-password-of-the-test-7c1"
	var out bytes.Buffer
	// The pattern comes by standard input: it must not be found in grep's own command line.
	res, err := watched(t, h, t.Context(), Cmd{
		Argv: []string{"sh", "-c", `grep -lsaF -f - /proc/[0-9]*/cmdline; [ "${#PASSWORD}" = ` + fmt.Sprint(len(secret)) + ` ] && echo it is there`},
		Env:  []string{"PASSWORD=" + secret}, Stdin: strings.NewReader(secret + "\n"), Stdout: &out,
	})
	if err != nil || !res.OK() || out.String() != "it is there\n" {
		t.Errorf("%+v, %v: %s", res, err, out.String())
	}
}

func TestManyCommandsShareOneConnection(t *testing.T) {
	b := needBench(t)
	h := dialed(t, "ssh://"+sudoer+"@127.0.0.1:"+b.port)
	var group sync.WaitGroup
	ports := make([]string, 12)
	for i := range ports {
		group.Go(func() {
			var out bytes.Buffer
			res, err := h.Run(t.Context(), Cmd{Argv: []string{"sh", "-c", `ps -o ppid= $PPID; exit "$0"`, fmt.Sprint(i)}, Stdout: &out})
			if err != nil || res.Code != i {
				t.Errorf("%d: %+v, %v", i, res, err)
			}
			ports[i] = strings.TrimSpace(out.String())
		})
	}
	group.Wait()
	for _, p := range ports {
		if p != ports[0] {
			t.Errorf("several connections: %q", ports)
		}
	}
}

func TestFilesOverALostLink(t *testing.T) {
	b := needBench(t)
	h, relay := through(t, b, "")
	if _, err := h.Stat(t.Context(), "/"); err != nil {
		t.Fatal(err)
	}
	relay.silence(true)
	errStop := errors.New("stop")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, errStop)
	defer cancel()
	if _, err := h.ReadFile(ctx, "/etc/hostname"); !errors.Is(err, errStop) {
		t.Errorf("a silent link: %v; want the cause", err)
	}
	if _, err := h.Run(ctx, Cmd{Argv: []string{"true"}}); !errors.Is(err, errStop) {
		t.Errorf("a silent link: %v; want the cause", err)
	}
	relay.cut()
	relay.silence(false)
	for range 2 {
		if _, err := h.Stat(t.Context(), "/"); err == nil {
			return
		} else if !errors.As(err, new(*LinkError)) {
			t.Errorf("%v; want that the link is lost", err)
		}
	}
	t.Error("the second call finds no connection")
}

func TestACommandEndsWithAssay(t *testing.T) {
	b := needBench(t)
	h := dialed(t, b.root())
	h.grace = 300 * time.Millisecond
	pidFile := filepath.Join(scratch(t), "pid")
	go func() {
		readPid(t, pidFile)
		h.Close()
	}()
	_, err := watched(t, h, t.Context(), Cmd{Argv: []string{"sh", "-c", "sleep 1000 & echo $! >$0; wait", pidFile}})
	if err == nil {
		t.Error("no error")
	}
	waitGone(t, readPid(t, pidFile))
	if _, err := h.Run(t.Context(), Cmd{Argv: []string{"true"}}); err == nil || !strings.Contains(err.Error(), "is closed") {
		t.Errorf("after Close: %v", err)
	}
}
