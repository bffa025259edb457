package host

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// hostKeys checks the key of a host against known_hosts. There is no way round it: what a bench is told to erase must be the
// bench, whatever StrictHostKeyChecking says.
type hostKeys struct {
	check ssh.HostKeyCallback
	name  string   // host:port, or the HostKeyAlias, as known_hosts has it
	files []string // all that may exist
	s     settings
}

func readHostKeys(s settings) (*hostKeys, error) {
	k := &hostKeys{name: net.JoinHostPort(s.host, strconv.Itoa(s.port)), files: s.knownHosts, s: s}
	if s.hostKey != "" {
		k.name = net.JoinHostPort(s.hostKey, "22") // an alias stands without a port
	}
	var there []string
	for _, f := range s.knownHosts {
		if _, err := os.Stat(f); err == nil {
			there = append(there, f)
		}
	}
	check, err := knownhosts.New(there...)
	if err != nil {
		return nil, fmt.Errorf("known_hosts cannot be read: %w", err)
	}
	k.check = check
	return k, nil
}

// algorithms are those of the keys that known_hosts has for the host: a server that has more kinds of keys than were recorded must
// show one that can be checked. nil, the library's choice, where it has none.
func (k *hostKeys) algorithms() []string {
	var known *knownhosts.KeyError
	if !errors.As(k.check(k.name, &net.TCPAddr{}, noKey{}), &known) {
		return nil
	}
	var list []string
	for _, want := range known.Want {
		kinds := []string{want.Key.Type()}
		if kinds[0] == ssh.KeyAlgoRSA {
			kinds = []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}
		}
		for _, kind := range kinds {
			if !slices.Contains(list, kind) {
				list = append(list, kind)
			}
		}
	}
	return list
}

// verify is the callback of a connection.
func (k *hostKeys) verify(_ string, remote net.Addr, key ssh.PublicKey) error {
	err := k.check(k.name, remote, key)
	if err == nil {
		return nil
	}
	shown := fmt.Sprintf("%s %s", key.Type(), ssh.FingerprintSHA256(key))
	entry := knownhosts.Normalize(k.name)
	var known *knownhosts.KeyError
	var revoked *knownhosts.RevokedError
	file := "known_hosts"
	if len(k.files) > 0 {
		file = k.files[0]
	}
	switch {
	case errors.As(err, &revoked):
		return &HostKeyError{fmt.Sprintf("the host key of %s, %s, is revoked at %s:%d", entry, shown, revoked.Revoked.Filename, revoked.Revoked.Line)}
	case errors.As(err, &known) && len(known.Want) > 0:
		var had []string
		for _, w := range known.Want {
			had = append(had, fmt.Sprintf("%s %s at %s:%d", w.Key.Type(), ssh.FingerprintSHA256(w.Key), w.Filename, w.Line))
		}
		return &HostKeyError{fmt.Sprintf("the host key of %s has changed: it shows %s, and known is %s; if the host was set up anew, compare the fingerprint there and run "+
			"ssh-keygen -f %s -R '%s'; else somebody may stand in between", entry, shown, strings.Join(had, ", "), known.Want[0].Filename, entry)}
	case errors.As(err, &known):
		return &HostKeyError{fmt.Sprintf("the host key of %s is not known: it shows %s, which is not in %s; compare it with what the host prints for "+
			"ssh-keygen -lf /etc/ssh/ssh_host_%s_key.pub, and log in once with ssh -p %d %s@%s to record it", entry, shown, file, shortKind(key.Type()), k.s.port, k.s.user, k.s.alias)}
	}
	return &HostKeyError{fmt.Sprintf("the host key of %s, %s, cannot be checked: %v", entry, shown, err)}
}

// shortKind is the kind of a key as it stands in the name of its file.
func shortKind(kind string) string {
	switch {
	case strings.Contains(kind, "ed25519"):
		return "ed25519"
	case strings.Contains(kind, "ecdsa"):
		return "ecdsa"
	}
	return "rsa"
}

// HostKeyError says that a host could not be shown to be the one that is meant. Trying again does not help.
type HostKeyError struct{ text string }

func (e *HostKeyError) Error() string { return e.text }

// noKey is a key that no host has.
type noKey struct{}

func (noKey) Type() string                        { return "none" }
func (noKey) Marshal() []byte                     { return []byte("none") }
func (noKey) Verify([]byte, *ssh.Signature) error { return errors.New("no key") }
