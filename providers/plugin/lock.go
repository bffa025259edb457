package plugin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// LockFile is the name of the file beside a spec that says which programs its provider blocks mean.
const LockFile = ".assay.lock.hcl"

// Platform is the kind of machine that a program was built for, as a lock file names it: linux_amd64.
const Platform = runtime.GOOS + "_" + runtime.GOARCH

// Locked is what a lock file says of one provider.
type Locked struct {
	Name   string            `hcl:"name,label"`
	Source string            `hcl:"source"` // as in the spec
	SHA256 map[string]string `hcl:"sha256"` // by platform
}

type lockBody struct {
	Providers []Locked `hcl:"provider,block"`
}

// Sum is the SHA-256 of a file, in hexadecimal.
func Sum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// ReadLock reads the lock file in a spec's folder: by the names of the providers; nothing where there is no such file.
func ReadLock(dir string) (map[string]Locked, error) {
	path := filepath.Join(dir, LockFile)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the lock file: %w", err)
	}
	f, diags := hclsyntax.ParseConfig(raw, path, hcl.InitialPos)
	var body lockBody
	if !diags.HasErrors() {
		diags = gohcl.DecodeBody(f.Body, nil, &body)
	}
	if diags.HasErrors() {
		return nil, fmt.Errorf("the lock file cannot be read; remove it and run `assay providers lock`: %w", diags)
	}
	out := map[string]Locked{}
	for _, l := range body.Providers {
		out[l.Name] = l
	}
	return out, nil
}

// WriteLock writes the lock file of a spec's folder in one act. Without any provider there is none.
func WriteLock(dir string, locked map[string]Locked) error {
	path := filepath.Join(dir, LockFile)
	if len(locked) == 0 {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	var b bytes.Buffer
	b.WriteString("# Written by `assay providers lock`. Keep it beside the spec, under version control.\n")
	for _, name := range slices.Sorted(maps.Keys(locked)) {
		l := locked[name]
		fmt.Fprintf(&b, "\nprovider %s {\n  source = %s\n  sha256 = {\n", quote(name), quote(l.Source))
		for _, platform := range slices.Sorted(maps.Keys(l.SHA256)) {
			fmt.Fprintf(&b, "    %s = %s\n", platform, quote(l.SHA256[platform]))
		}
		b.WriteString("  }\n}\n")
	}
	f, err := os.CreateTemp(dir, LockFile+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// quote writes a text as HCL does.
func quote(s string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
}
