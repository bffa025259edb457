// Package reference has the documentation of the language's blocks as data, and writes it, with that of the providers' types, as
// Markdown. What a block may contain is settled by packages config and eval, and by the schemas of the providers: a test holds that
// neither accepts what is not documented here, and the other way round.
package reference

import (
	"embed"
	"fmt"
	"strings"
)

// Block is one block of the language.
type Block struct {
	Name       string // as in the header: axis
	Labels     []string
	Doc        string
	Attributes []Attribute
	Free       string // what any other attributes are, where the names are free
	Blocks     []Block
	Example    string // name of a file among the examples; empty: the example of the block around it shows it
}

// Attribute is one argument of a block whose form is fixed.
type Attribute struct {
	Name     string
	Type     string // for people: string, duration, list of string, reference
	Default  string // as one would write it; empty: none
	Required bool
	Doc      string
}

// Header is how the block is written: axis "NAME".
func (b *Block) Header() string {
	s := b.Name
	for _, l := range b.Labels {
		s += fmt.Sprintf(" %q", l)
	}
	return s
}

// Blocks are all blocks that may stand in a file, in the order in which a spec is read.
func Blocks() []Block {
	return []Block{
		specBlock, variableBlock, localsBlock, providerBlock, hardwareBlock, matrixBlock, setupBlock, datasetBlock, testBlock, monitorBlock, measureBlock, compareBlock, kpiBlock, plotBlock,
	}
}

//go:embed examples/*.assay.hcl
var examples embed.FS

// rest begins the part of an example that only makes a whole spec of it.
const rest = "# ---"

// Example gives a whole spec, and the part of it that is shown.
func Example(name string) (spec, shown string, err error) {
	raw, err := examples.ReadFile("examples/" + name + ".assay.hcl")
	if err != nil {
		return "", "", err
	}
	shown, _, _ = strings.Cut(string(raw), rest)
	return string(raw), strings.TrimSpace(shown) + "\n", nil
}
