// Package profiles holds the published limits that are built in, a JSON file each: data with a version, and a source for each limit.
// A provider may bring more in its schema, and a spec may name a file of its own.
package profiles

import (
	"embed"
	"fmt"

	"github.com/assay-bench/assay/lang/schema"
)

//go:embed *.json
var files embed.FS

// All gives the built-in profiles, sorted by name.
func All() ([]schema.Profile, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var out []schema.Profile
	for _, e := range entries {
		raw, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		p, err := schema.DecodeProfile(raw)
		if err != nil {
			return nil, fmt.Errorf("profile %s: %w", e.Name(), err)
		}
		if p.Name+".json" != e.Name() {
			return nil, fmt.Errorf("profile %s is called %s", e.Name(), p.Name)
		}
		out = append(out, *p)
	}
	return out, nil
}
