package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// silence is how long a link may say nothing: then it is taken for lost. In that time it gives beats signs of life.
const (
	silence = time.Minute
	beats   = 6
)

// link is one connection to a host, through its jump hosts.
type link struct {
	client *ssh.Client
	jumps  []*ssh.Client
	down   chan struct{} // closed when the connection is
	cause  error         // of down; set before it is closed
	mute   atomic.Bool   // we have given it up

	path, home string    // of the login, or of root
	boot       time.Time // when the host started, in this machine's clock
}

// dialLink opens a connection as ssh itself would: HostName, User, Port, IdentityFile, IdentitiesOnly, IdentityAgent, ProxyJump,
// HostKeyAlias, UserKnownHostsFile, GlobalKnownHostsFile and ConnectTimeout of ~/.ssh/config (of $HOME) and /etc/ssh/ssh_config
// hold. The host key is checked whatever StrictHostKeyChecking says. There are no questions: no passwords, no passphrases.
func dialLink(ctx context.Context, t target, silence time.Duration) (*link, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/"
	}
	config, err := readConfiguration(home)
	if err != nil {
		return nil, err
	}
	s, err := config.settle(t, home)
	if err != nil {
		return nil, err
	}
	l := &link{down: make(chan struct{})}
	if err := l.reach(ctx, config, home, s); err != nil {
		l.close()
		return nil, err
	}
	go func() {
		err := l.client.Wait()
		switch {
		case l.mute.Load():
			err = fmt.Errorf("the host said nothing for %s", silence)
		case err == nil || errors.Is(err, io.EOF):
			err = errors.New("the host closed it")
		}
		l.cause = err
		close(l.down)
	}()
	go l.keepAlive(silence)
	return l, nil
}

// reach connects to each host on the way and then to the last.
func (l *link) reach(ctx context.Context, config configuration, home string, s settings) error {
	for _, hop := range s.jump {
		t, err := parseAddress("ssh://" + strings.TrimPrefix(strings.TrimSpace(hop), "ssh://"))
		if err != nil {
			return fmt.Errorf("ProxyJump of %s: %w", s.alias, err)
		}
		via, err := config.settle(t, home)
		if err != nil {
			return err
		}
		client, err := login(ctx, via, l.dialer())
		if err != nil {
			return fmt.Errorf("jump host %s: %w", t.host, err)
		}
		l.jumps = append(l.jumps, client)
	}
	client, err := login(ctx, s, l.dialer())
	if err != nil {
		return err
	}
	l.client = client
	return nil
}

// dialer dials from the last host that was reached, at first from this machine.
func (l *link) dialer() func(context.Context, string, string) (net.Conn, error) {
	if n := len(l.jumps); n > 0 {
		return l.jumps[n-1].DialContext
	}
	return (&net.Dialer{KeepAlive: silence / beats}).DialContext
}

// login connects and logs in within the time that s allows.
func login(ctx context.Context, s settings, dial func(context.Context, string, string) (net.Conn, error)) (*ssh.Client, error) {
	address := net.JoinHostPort(s.host, strconv.Itoa(s.port))
	hostKeys, err := readHostKeys(s)
	if err != nil {
		return nil, err
	}
	k := readKeys(s)
	defer k.close()
	ctx, cancel := context.WithTimeoutCause(ctx, s.timeout, fmt.Errorf("%s did not let us in within %s; is it up, and can it be reached?", address, s.timeout))
	defer cancel()
	conn, err := dial(ctx, "tcp", address)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s cannot be reached: %w", address, err)
	}
	// The handshake knows no context; a closed connection ends it.
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	var refused error // the library passes errors of the callback on as text
	c, channels, requests, err := ssh.NewClientConn(conn, address, &ssh.ClientConfig{
		User: s.user,
		Auth: []ssh.AuthMethod{ssh.PublicKeys(k.signers...)},
		HostKeyCallback: func(name string, remote net.Addr, key ssh.PublicKey) error {
			refused = hostKeys.verify(name, remote, key)
			return refused
		},
		HostKeyAlgorithms: hostKeys.algorithms(),
	})
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = conn.Close()
		return nil, loginError(ctx, err, refused, address, s, k, hostKeys)
	}
	return ssh.NewClient(c, channels, requests), nil
}

// loginError says what to do about a failed handshake.
func loginError(ctx context.Context, err, refused error, address string, s settings, k *keys, hostKeys *hostKeys) error {
	var negotiation *ssh.AlgorithmNegotiationError
	switch {
	case refused != nil:
		return refused
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &negotiation) && strings.Contains(err.Error(), "host key"):
		return &HostKeyError{fmt.Sprintf("%s has no host key of the kinds that known_hosts has for it (%s); record one that it has with ssh -p %d %s@%s, after comparing its fingerprint",
			address, strings.Join(hostKeys.algorithms(), ", "), s.port, s.user, s.alias)}
	case strings.Contains(err.Error(), "unable to authenticate"):
		notes := ""
		if len(k.notes) > 0 {
			notes = " (" + strings.Join(k.notes, "; ") + ")"
		}
		return fmt.Errorf("%s lets %s not in with any of %d keys%s; try ssh -p %d %s@%s", address, s.user, len(k.signers), notes, s.port, s.user, s.alias)
	}
	return fmt.Errorf("%s: %w", address, err)
}

// keepAlive asks the host for a sign of life, and gives the link up when there is none.
func (l *link) keepAlive(silence time.Duration) {
	ticker := time.NewTicker(silence / beats)
	defer ticker.Stop()
	for {
		select {
		case <-l.down:
			return
		case <-ticker.C:
		}
		answer := make(chan struct{})
		go func() {
			// A refusal is a sign of life too; without the link the call returns as well.
			_, _, _ = l.client.SendRequest("keepalive@openssh.com", true, nil)
			close(answer)
		}()
		select {
		case <-answer:
		case <-time.After(silence):
			l.mute.Store(true)
			l.close()
			return
		}
	}
}

// lost reports whether the link is gone.
func (l *link) lost() bool {
	select {
	case <-l.down:
		return true
	default:
		return false
	}
}

func (l *link) close() {
	if l.client != nil {
		_ = l.client.Close()
	}
	for i := len(l.jumps) - 1; i >= 0; i-- {
		_ = l.jumps[i].Close()
	}
}
