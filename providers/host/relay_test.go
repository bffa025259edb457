package host

import (
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// relay stands between assay and sshd, so that a test can cut the link.
type relay struct {
	l     net.Listener
	mu    sync.Mutex
	mute  bool
	shut  bool // nobody gets through any more
	conns []net.Conn
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{l: l}
	t.Cleanup(func() { l.Close(); r.cut() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			r.mu.Lock()
			shut := r.shut
			r.mu.Unlock()
			if shut {
				near.Close()
				continue
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				return
			}
			r.mu.Lock()
			r.conns = append(r.conns, near, far)
			r.mu.Unlock()
			go r.carry(near, far)
			go r.carry(far, near)
		}
	}()
	return r
}

func (r *relay) carry(to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		r.mu.Lock()
		mute := r.mute
		r.mu.Unlock()
		if err != nil {
			if !mute { // nor does the other side hear of an end
				to.Close()
			}
			return
		}
		if !mute {
			_, _ = to.Write(buf[:n])
		}
	}
}

// silence swallows everything from now on, as a cable that was pulled out does.
func (r *relay) silence(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mute = on
}

// cut breaks the connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Close()
	}
	r.conns = nil
}

// close breaks the connections and lets no new ones through, or lets them again.
func (r *relay) close(shut bool) {
	r.mu.Lock()
	r.shut = shut
	r.mu.Unlock()
	if shut {
		r.cut()
	}
}

// through is a host behind a relay, which has a known_hosts of its own.
func through(t *testing.T, b *bench, become string) (*remote, *relay) {
	t.Helper()
	r := newRelay(t, "127.0.0.1:"+b.port)
	_, port, _ := net.SplitHostPort(r.l.Addr().String())
	home := scratch(t)
	if err := os.Mkdir(filepath.Join(home, ".ssh"), 0o700); err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(b.file("host_ed25519.pub"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"config":      "IdentityFile " + b.file("user") + "\n",
		"known_hosts": "[127.0.0.1]:" + port + " " + string(key),
	} {
		if err := os.WriteFile(filepath.Join(home, ".ssh", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	return dialed(t, "ssh://"+sudoer+"@127.0.0.1:"+port+become), r
}
