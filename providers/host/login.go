package host

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// keys are what assay may log in with: those of the agent, then files. A key that cannot be used is a note, told only when
// nothing else lets us in.
type keys struct {
	signers []ssh.Signer
	notes   []string
	agent   net.Conn // nil: none; open as long as its signers are used
}

func readKeys(s settings) *keys {
	k := &keys{}
	var held []ssh.Signer
	if s.agent != "" {
		conn, err := net.Dial("unix", s.agent)
		if err == nil {
			k.agent = conn
			held, err = agent.NewClient(conn).Signers()
		}
		if err != nil {
			k.notes = append(k.notes, fmt.Sprintf("the agent at %s does not answer: %v", s.agent, err))
		}
	}
	var later []ssh.Signer
	for _, file := range s.identities {
		signer, held, err := readKey(file, held)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			k.notes = append(k.notes, fmt.Sprintf("%s: %v", file, err))
		case held:
			k.signers = append(k.signers, signer)
		default:
			later = append(later, signer)
		}
	}
	if !s.onlyThese {
		for _, h := range held {
			k.add(h)
		}
	}
	for _, l := range later {
		k.add(l)
	}
	if len(k.signers) == 0 {
		k.notes = append(k.notes, "no key: none in the agent, and no file of IdentityFile or ~/.ssh/id_* that can be used")
	}
	return k
}

// add keeps a key once: servers count the tries.
func (k *keys) add(s ssh.Signer) {
	for _, have := range k.signers {
		if bytes.Equal(have.PublicKey().Marshal(), s.PublicKey().Marshal()) {
			return
		}
	}
	k.signers = append(k.signers, s)
}

// readKey reads the private key in file. The agent's own is taken where it holds the same: a file with a passphrase is of use so.
func readKey(file string, held []ssh.Signer) (_ ssh.Signer, fromAgent bool, _ error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, false, err
	}
	signer, err := ssh.ParsePrivateKey(data)
	var locked *ssh.PassphraseMissingError
	var public ssh.PublicKey
	switch {
	case errors.As(err, &locked):
		public = locked.PublicKey
		if pub, err := os.ReadFile(file + ".pub"); public == nil && err == nil {
			public, _, _, _, _ = ssh.ParseAuthorizedKey(pub)
		}
	case err != nil:
		return nil, false, err
	default:
		public = signer.PublicKey()
	}
	if public != nil {
		for _, h := range held {
			if bytes.Equal(h.PublicKey().Marshal(), public.Marshal()) {
				return h, true, nil
			}
		}
	}
	if signer == nil {
		return nil, false, errors.New("it has a passphrase; put it into the agent with ssh-add")
	}
	return signer, false, nil
}

func (k *keys) close() {
	if k.agent != nil {
		_ = k.agent.Close()
	}
}
