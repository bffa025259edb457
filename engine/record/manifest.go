package record

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// Manifest names every file that a run wrote, by its SHA-256. What is derived is not in it, nor is its own signature.
type Manifest struct {
	FormatVersion int               `json:"format_version"`
	Files         map[string]string `json:"files"`
}

// WriteManifest seals a record after its run.
func (r *Record) WriteManifest() error {
	m, err := r.hash()
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return r.Write(ManifestFile, append(raw, '\n'))
}

func (r *Record) hash() (*Manifest, error) {
	m := &Manifest{FormatVersion: FormatVersion, Files: map[string]string{}}
	err := filepath.WalkDir(r.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(r.Dir, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == ReportDir || rel == SeriesDir {
				return fs.SkipDir
			}
			return nil
		}
		if rel == ManifestFile || rel == SignatureFile || rel == SamplesFile || rel == BaselineFile || strings.HasPrefix(d.Name(), ".tmp-") {
			return nil
		}
		m.Files[rel], err = hashFile(path)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("hashing the record: %w", err)
	}
	return m, nil
}

// hashFile gives the SHA-256 of a file, which may be larger than memory.
func hashFile(path string) (string, error) {
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

// Verify compares the record with its manifest. It gives the manifest's own hash, and a sentence for each difference.
func (r *Record) Verify() (hash string, differences []string, err error) {
	raw, err := r.Read(ManifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", []string{"the record has no manifest: the run did not come to its end"}, nil
	}
	if err != nil {
		return "", nil, err
	}
	sum := sha256.Sum256(raw)
	hash = hex.EncodeToString(sum[:])
	var want Manifest
	if err := json.Unmarshal(raw, &want); err != nil {
		return hash, []string{"the manifest cannot be read: " + err.Error()}, nil
	}
	have, err := r.hash()
	if err != nil {
		return hash, nil, err
	}
	names := map[string]bool{}
	for n := range want.Files {
		names[n] = true
	}
	for n := range have.Files {
		names[n] = true
	}
	for n := range names {
		switch w, h := want.Files[n], have.Files[n]; {
		case h == "":
			differences = append(differences, n+" is in the manifest, and is gone")
		case w == "":
			differences = append(differences, n+" is not in the manifest: it came after the run")
		case w != h:
			differences = append(differences, n+" is not as the run left it: its SHA-256 differs from the manifest's")
		}
	}
	sort.Strings(differences)
	return hash, differences, nil
}
