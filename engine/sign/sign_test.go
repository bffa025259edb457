package sign

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/providers/host"
)

// newKey makes a key pair with ssh-keygen and gives the file, and its line in a file of allowed signers without the name.
func newKey(t *testing.T, dir, name, passphrase string) (file, line string) {
	t.Helper()
	file = filepath.Join(dir, name)
	var out bytes.Buffer
	res, err := host.Local().Run(context.Background(), host.Cmd{Argv: []string{"ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", "", "-f", file}, Stdout: &out, Stderr: &out})
	if err != nil || !res.OK() {
		t.Fatalf("ssh-keygen: %v %s", err, out.String())
	}
	raw, err := os.ReadFile(file + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	return file, strings.TrimSpace(string(raw))
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestVerify: who signed is found in the file of allowed signers, and nothing else passes for a signature.
func TestVerify(t *testing.T) {
	dir, ctx, h := t.TempDir(), context.Background(), host.Local()
	aliceKey, alice := newKey(t, dir, "alice", "")
	_, bob := newKey(t, dir, "bob", "")
	message := []byte("{\"files\": {}}\n")
	signature, err := Sign(ctx, h, aliceKey, "", message)
	if err != nil {
		t.Fatal(err)
	}
	both := "alice@example.com " + alice + "\nbob@example.com " + bob + "\n"
	for _, c := range []struct {
		name, allowed, identity string
		message, signature      []byte
		want, against           string
	}{
		{"hers", both, "", message, signature, "alice@example.com", ""},
		{"hers, by name", both, "alice@example.com", message, signature, "alice@example.com", ""},
		{"for assay alone", `alice@example.com namespaces="assay" ` + alice + "\n", "", message, signature, "alice@example.com", ""},
		{"not for assay", `alice@example.com namespaces="git" ` + alice + "\n", "", message, signature, "", "does not hold"},
		{"of two names", "a@example.com,b@example.com " + alice + "\n", "", message, signature, "a@example.com", ""},
		{"the second of two names", "a@example.com,b@example.com " + alice + "\n", "b@example.com", message, signature, "b@example.com", ""},
		{"no longer", `alice@example.com valid-before="20200101" ` + alice + "\n", "", message, signature, "", "does not hold"},
		{"another's name", both, "bob@example.com", message, signature, "", "not as one of bob@example.com"},
		{"of nobody known", "bob@example.com " + bob + "\n", "", message, signature, "", "which is nobody's in"},
		{"another message", both, "", []byte("{}\n"), signature, "", "incorrect signature"},
		{"another message, by name", both, "alice@example.com", []byte("{}\n"), signature, "", "incorrect signature"},
		{"no signature", both, "", message, []byte("hello\n"), "", "does not hold"},
		{"an empty one", both, "", message, nil, "", "does not hold"},
	} {
		by, err := Verify(ctx, h, write(t, dir, "allowed", c.allowed), c.identity, c.message, c.signature)
		if c.against == "" {
			if err != nil || by.Name != c.want || !strings.HasPrefix(by.Key, "ED25519 key SHA256:") {
				t.Errorf("%s: %+v, %v", c.name, by, err)
			}
		} else if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.against) {
			t.Errorf("%s: %+v, %v; want %q", c.name, by, err, c.against)
		}
	}
	if by, err := Check(ctx, h, message, signature); err != nil || by.Name != "" || !strings.HasPrefix(by.Key, "ED25519 key SHA256:") {
		t.Errorf("%+v, %v", by, err)
	}
	if _, err := Check(ctx, h, []byte("x"), signature); !errors.Is(err, ErrInvalid) {
		t.Errorf("another message: %v", err)
	}
	if _, err := Verify(ctx, h, filepath.Join(dir, "gone"), "", message, signature); err == nil || errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "the allowed signers") {
		t.Errorf("no file: %v", err)
	}
	// A signature for another purpose.
	var out bytes.Buffer
	res, err := h.Run(ctx, host.Cmd{Argv: []string{"ssh-keygen", "-Y", "sign", "-n", "file", "-f", aliceKey}, Stdin: bytes.NewReader(message), Stdout: &out})
	if err != nil || !res.OK() {
		t.Fatal(err)
	}
	if _, err := Check(ctx, h, message, out.Bytes()); !errors.Is(err, ErrInvalid) {
		t.Errorf("another namespace: %v", err)
	}
}

// TestSignThroughAgent: the private half may be in the agent alone.
func TestSignThroughAgent(t *testing.T) {
	dir, err := os.MkdirTemp("", "agent") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	ctx, h := context.Background(), host.Local()
	key, line := newKey(t, dir, "k", "")
	socket := filepath.Join(dir, "s")
	run := func(ctx context.Context, argv ...string) (host.Result, error) {
		return h.Run(ctx, host.Cmd{Argv: argv, Env: []string{"SSH_AUTH_SOCK=" + socket}})
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := run(running, "ssh-agent", "-D", "-a", socket)
		ended <- err
	}()
	t.Cleanup(func() { stop(); <-ended })
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(socket); err == nil {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("the agent ended: %v", err)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the agent has no socket after a minute")
		}
	}
	if res, err := run(ctx, "ssh-add", "-q", key); err != nil || !res.OK() {
		t.Fatalf("ssh-add: %+v, %v", res, err)
	}
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	if _, err := Sign(ctx, h, key+".pub", "", []byte("m")); err == nil {
		t.Error("signed without the agent")
	}
	signature, err := Sign(ctx, h, key+".pub", socket, []byte("m"))
	if err != nil {
		t.Fatal(err)
	}
	if by, err := Verify(ctx, h, write(t, dir, "allowed", "alice "+line+"\n"), "", []byte("m"), signature); err != nil || by.Name != "alice" {
		t.Errorf("%+v, %v", by, err)
	}
}

// TestSignWithoutAKey: what cannot sign says why, and asks nobody.
func TestSignWithoutAKey(t *testing.T) {
	dir, ctx, h := t.TempDir(), context.Background(), host.Local()
	locked, _ := newKey(t, dir, "locked", "a secret of hers")
	for _, c := range []struct{ key, want string }{
		{filepath.Join(dir, "gone"), "No such file"},
		{locked, "has to be in the agent: ssh-add"},
		{locked + ".pub", "has to be in the agent: ssh-add"},
	} {
		if _, err := Sign(ctx, h, c.key, "", []byte("m")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", filepath.Base(c.key), err, c.want)
		}
	}
}
