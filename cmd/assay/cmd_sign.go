package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/sign"
	"github.com/spf13/cobra"
)

func (a *app) signCommand() *cobra.Command {
	var runs, key string
	c := &cobra.Command{
		Use:   "sign RUN",
		Short: "Sign a record with an SSH key",
		Long: `Sign the manifest of a record, and with it every file that the run wrote, with ssh-keygen -Y sign. The key is a file with a
private key, or with a public one whose private half is in the SSH agent; a key with a passphrase has to be in the agent. The
signature is kept in the record, as manifest.json.sig. A record that is not as its run left it is not signed. RUN is a path,
an id or "latest".`,
		Example: `  assay sign latest --key ~/.ssh/id_ed25519
  assay verify latest --allowed-signers allowed_signers`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			rec, err := record.Find(runs, args[0])
			if err != nil {
				return err
			}
			if key == "" {
				return errors.New("--key is missing: the file of the key with which to sign")
			}
			_, differences, err := rec.Verify()
			if err != nil {
				return err
			}
			if len(differences) > 0 {
				return fmt.Errorf("run %s is not as it was left, so it is not signed: %s", rec.ID, strings.Join(differences, "; "))
			}
			if _, err := rec.Read(record.SignatureFile); err == nil {
				return fmt.Errorf("run %s is signed already; remove %s from it to sign it anew", rec.ID, record.SignatureFile)
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			manifest, err := rec.Read(record.ManifestFile)
			if err != nil {
				return err
			}
			h, err := a.hosts.Dial(c.Context(), "")
			if err != nil {
				return err
			}
			signature, err := sign.Sign(c.Context(), h, key, os.Getenv("SSH_AUTH_SOCK"), manifest)
			if err != nil {
				return err
			}
			by, err := sign.Check(c.Context(), h, manifest, signature)
			if err != nil {
				return err
			}
			if err := rec.Write(record.SignatureFile, signature); err != nil {
				return err
			}
			a.printf("Run %s is signed with %s.\n", rec.ID, by.Key)
			return nil
		},
	}
	c.Flags().StringVar(&runs, "runs", defaultRuns, "the `directory` in which runs are kept")
	c.Flags().StringVar(&key, "key", "", "the `file` of the key with which to sign")
	return c
}

// signature tells who signed a record: in words, or what speaks against the signature. Without a file of allowed signers it is only told
// with which key.
func (a *app) signature(ctx context.Context, rec *record.Record, allowed, identity string) (words, against string, err error) {
	signature, err := rec.Read(record.SignatureFile)
	if errors.Is(err, fs.ErrNotExist) {
		if allowed == "" {
			return "", "", nil
		}
		return "", "the run is not signed: it has no " + record.SignatureFile, nil
	}
	if err != nil {
		return "", "", err
	}
	manifest, err := rec.Read(record.ManifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", record.SignatureFile + " is there, and the manifest that it signs is gone", nil
	}
	if err != nil {
		return "", "", err
	}
	h, err := a.hosts.Dial(ctx, "")
	if err != nil {
		return "", "", err
	}
	var by sign.Signer
	if allowed == "" {
		by, err = sign.Check(ctx, h, manifest, signature)
		words = fmt.Sprintf("Signed with %s; whose that is was not checked: --allowed-signers FILE does.", by.Key)
	} else {
		by, err = sign.Verify(ctx, h, allowed, identity, manifest, signature)
		words = fmt.Sprintf("Signed by %s with %s.", by.Name, by.Key)
	}
	if errors.Is(err, sign.ErrInvalid) {
		return "", record.SignatureFile + ": " + err.Error(), nil
	}
	return words, "", err
}
