package eval

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// maxFile is the largest file that a spec may read: what is larger is data, not a spec.
const maxFile = 4 << 20

// withFile adds file(path), which reads a text in the spec's folder, to the functions.
func withFile(read func(name string) ([]byte, error)) map[string]function.Function {
	all := maps.Clone(functions)
	all["file"] = function.New(&function.Spec{
		Description: "The text of a file in the spec's folder.",
		Params:      []function.Parameter{{Name: "path", Type: cty.String}},
		Type:        function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, err := readText(read, args[0].AsString())
			if err != nil {
				return cty.UnknownVal(cty.String), function.NewArgError(0, err)
			}
			return cty.StringVal(text), nil
		},
	})
	return all
}

// readText reads a text in the spec's folder by read, which is nil where no file can be read.
func readText(read func(name string) ([]byte, error), path string) (string, error) {
	if !filepath.IsLocal(path) {
		return "", fmt.Errorf("%q leads out of the spec's folder; what a spec reads stands beside it, so that it is reviewed with it", path)
	}
	if read == nil {
		return "", errors.New("no file can be read here")
	}
	raw, err := read(path)
	switch {
	case err != nil:
		return "", err
	case len(raw) > maxFile:
		return "", fmt.Errorf("%q has more than %d MiB", path, maxFile>>20)
	case !utf8.Valid(raw):
		return "", fmt.Errorf("%q is not UTF-8 text", path)
	}
	return strings.TrimPrefix(string(raw), "\ufeff"), nil
}
