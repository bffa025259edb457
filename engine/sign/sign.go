// Package sign signs a record's manifest with a key of the user's and says who signed one, through OpenSSH's ssh-keygen -Y: the
// keys, the agent and the file of allowed signers are those that git uses too. It knows bytes and programs; which bytes are
// signed, and where the signature is kept, is told elsewhere.
package sign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/assay-bench/assay/providers/host"
)

// Namespace is what the signatures are for: one that was made for git, or for a file of another kind, does not count here. A
// line of the allowed signers may name it: namespaces="assay".
const Namespace = "assay"

// Signer is who signed, as ssh-keygen says it.
type Signer struct {
	Name string // as the allowed signers have it; empty where nobody was asked who that is
	Key  string // ED25519 key SHA256:…
}

// ErrInvalid is wrapped by the errors of a signature that does not hold: of other bytes, for something else, or by somebody who is not
// allowed. Other errors mean that it could not be checked.
var ErrInvalid = errors.New("the signature does not hold")

// Sign gives the armored signature of a message. The key is a file with a private key, or with a public one whose private half an
// agent (SSH_AUTH_SOCK) has. A key with a passphrase has to be in the agent: nobody is asked for one.
func Sign(ctx context.Context, h host.Host, key, agent string, message []byte) ([]byte, error) {
	path, err := filepath.Abs(key)
	if err != nil {
		return nil, err
	}
	var env []string
	if agent != "" {
		env = []string{"SSH_AUTH_SOCK=" + agent}
	}
	out, why, err := keygen(ctx, h, env, message, "sign", "-n", Namespace, "-f", path)
	if err != nil {
		return nil, err
	}
	if why != "" {
		if strings.Contains(why, "passphrase") {
			why += "; a key with a passphrase has to be in the agent: ssh-add " + key
		}
		return nil, fmt.Errorf("signing with %s: %s", key, why)
	}
	if !bytes.HasPrefix(out, []byte("-----BEGIN SSH SIGNATURE-----")) {
		return nil, fmt.Errorf("signing with %s: ssh-keygen ended well and gave no signature", key)
	}
	return out, nil
}

// Check tells whether a signature is one of the message, made for assay by the holder of its key. It does not tell who that is.
func Check(ctx context.Context, h host.Host, message, signature []byte) (Signer, error) {
	return withFile(ctx, h, signature, func(file string) (Signer, error) {
		return check(ctx, h, message, "check-novalidate", "-n", Namespace, "-s", file)
	})
}

// Verify tells who signed a message, by a file of allowed signers (ssh-keygen(1), ALLOWED SIGNERS). With an identity it has to be
// that one. Where the key belongs to several, the first for whom it holds is named.
func Verify(ctx context.Context, h host.Host, allowed, identity string, message, signature []byte) (Signer, error) {
	path, err := filepath.Abs(allowed)
	if err != nil {
		return Signer{}, err
	}
	if _, err := h.Stat(ctx, path); err != nil {
		return Signer{}, fmt.Errorf("the allowed signers: %w", err)
	}
	return withFile(ctx, h, signature, func(file string) (Signer, error) {
		names := []string{identity}
		if identity == "" {
			// What was altered is to be called that, not the key of somebody unknown.
			by, err := check(ctx, h, message, "check-novalidate", "-n", Namespace, "-s", file)
			if err != nil {
				return by, err
			}
			out, why, err := keygen(ctx, h, nil, nil, "find-principals", "-s", file, "-f", path)
			if err != nil {
				return Signer{}, err
			}
			if why != "" {
				return by, fmt.Errorf("%w: it was made with %s, which is nobody's in %s (%s)", ErrInvalid, by.Key, allowed, why)
			}
			names = strings.Split(strings.TrimSpace(string(out)), "\n")
		}
		var first error
		for _, name := range names {
			s, err := check(ctx, h, message, "verify", "-f", path, "-I", name, "-n", Namespace, "-s", file)
			if err == nil || !errors.Is(err, ErrInvalid) {
				return s, err
			}
			if first == nil {
				first = fmt.Errorf("%w, not as one of %s by %s", err, name, allowed)
			}
		}
		return Signer{}, first
	})
}

// goodRE is what ssh-keygen says of a signature that holds.
var goodRE = regexp.MustCompile(`(?m)^Good "` + Namespace + `" signature (?:for (.+) )?with (\S+ key \S+)$`)

// check runs one of the checks. What counts is the sentence and the status together.
func check(ctx context.Context, h host.Host, message []byte, args ...string) (Signer, error) {
	out, why, err := keygen(ctx, h, nil, message, args...)
	if err != nil {
		return Signer{}, err
	}
	if why != "" {
		return Signer{}, fmt.Errorf("%w: %s", ErrInvalid, why)
	}
	m := goodRE.FindSubmatch(out)
	if m == nil {
		return Signer{}, fmt.Errorf("ssh-keygen ended well and did not say that the signature is good: %q", out)
	}
	return Signer{Name: string(m[1]), Key: string(m[2])}, nil
}

// keygen runs ssh-keygen -Y with the message as its standard input. why is what it said when it did not end well.
func keygen(ctx context.Context, h host.Host, env []string, message []byte, args ...string) (out []byte, why string, err error) {
	var stdout, stderr bytes.Buffer
	argv := append([]string{"ssh-keygen", "-Y"}, args...)
	res, err := h.Run(ctx, host.Cmd{Argv: argv, Env: env, Stdin: bytes.NewReader(message), Stdout: &stdout, Stderr: &stderr})
	if err != nil {
		return nil, "", fmt.Errorf("ssh-keygen -Y %s: %w", args[0], err)
	}
	if res.OK() {
		return stdout.Bytes(), "", nil
	}
	var words []string
	for _, text := range []string{stdout.String(), stderr.String()} {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && line != "Could not verify signature." && line != "Signing data on standard input" {
				words = append(words, strings.TrimPrefix(line, "Enter passphrase: "))
			}
		}
	}
	if len(words) == 0 {
		words = []string{fmt.Sprintf("ssh-keygen -Y %s ended with status %d %s", args[0], res.Code, res.Signal)}
	}
	return nil, strings.TrimSpace(strings.Join(words, "; ")), nil
}

// withFile lends a signature to a function as a file, which ssh-keygen wants it to be.
func withFile(ctx context.Context, h host.Host, signature []byte, use func(path string) (Signer, error)) (s Signer, err error) {
	dir, remove, err := h.TempDir(ctx)
	if err != nil {
		return Signer{}, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	path := filepath.Join(dir, "signature")
	if err := h.WriteFile(ctx, path, signature, 0o600); err != nil {
		return Signer{}, fmt.Errorf("writing the signature to check it: %w", err)
	}
	return use(path)
}
