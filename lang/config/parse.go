package config

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/zclconf/go-cty/cty"
)

// Extensions of the files that make up a spec: HCL's native and its JSON syntax.
const (
	Extension     = ".assay.hcl"
	JSONExtension = ".assay.json"
)

// Parse reads the files of one spec, whose order does not matter. The model is usable even when there are errors: what
// could not be read is left out.
func Parse(src diag.Sources) (*Model, hcl.Diagnostics) {
	p := &parser{model: &Model{Sources: src}, seen: map[string]hcl.Range{}}
	files := hclparse.NewParser()
	for _, name := range sortedNames(src) {
		if d := Limits(name, src[name]); d != nil {
			p.diags = p.diags.Append(d)
			continue
		}
		var f *hcl.File
		var diags hcl.Diagnostics
		if strings.HasSuffix(name, JSONExtension) {
			f, diags = files.ParseJSON(src[name], name)
		} else {
			f, diags = files.ParseHCL(src[name], name)
		}
		p.diags = append(p.diags, diags...)
		if f != nil {
			p.file(f.Body)
		}
	}
	return p.model, p.diags
}

type parser struct {
	model *Model
	diags hcl.Diagnostics
	seen  map[string]hcl.Range // what was declared, and where
}

var fileSchema = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
	{Type: "spec"},
	{Type: "variable", LabelNames: []string{"name"}},
	{Type: "locals"},
	{Type: "provider", LabelNames: []string{"name"}},
	{Type: "hardware", LabelNames: []string{"name"}},
	{Type: "matrix"},
	{Type: "setup", LabelNames: []string{"type", "name"}},
	{Type: "dataset", LabelNames: []string{"type", "name"}},
	{Type: "test", LabelNames: []string{"type", "name"}},
	{Type: "monitor", LabelNames: []string{"type", "name"}},
	{Type: "measure", LabelNames: []string{"name"}},
	{Type: "compare", LabelNames: []string{"name"}},
	{Type: "kpi", LabelNames: []string{"name"}},
	{Type: "plot", LabelNames: []string{"name"}},
}}

// attributes lists what a block with a fixed form takes; a name with ! in front is required.
func attributes(names ...string) *hcl.BodySchema {
	s := &hcl.BodySchema{}
	for _, n := range names {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: strings.TrimPrefix(n, "!"), Required: n[0] == '!'})
	}
	return s
}

func withBlocks(s *hcl.BodySchema, blocks ...hcl.BlockHeaderSchema) *hcl.BodySchema {
	s.Blocks = blocks
	return s
}

var (
	specSchema     = withBlocks(attributes("title", "description", "alpha", "confidence", "strict", "order", "seed", "rounds"), hcl.BlockHeaderSchema{Type: "require"})
	variableSchema = withBlocks(attributes("type", "default", "description", "sensitive"), hcl.BlockHeaderSchema{Type: "validation"})
	providerSchema = attributes("source")
	validSchema    = attributes("!condition", "!message")
	hardwareSchema = withBlocks(attributes("hosts", "become", "reconnect", "memory"), hcl.BlockHeaderSchema{Type: "disks", LabelNames: []string{"name"}})
	disksSchema    = attributes("model", "capacity", "serials", "wwns", "slots", "count", "sandbox")
	matrixSchema   = &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "axis", LabelNames: []string{"name"}}, {Type: "exclude"}}}
	axisSchema     = withBlocks(attributes("values", "baseline"), hcl.BlockHeaderSchema{Type: "case", LabelNames: []string{"name"}})
	excludeSchema  = attributes("!when", "!reason")
	measureSchema  = attributes("!value", "unit", "better", "description")
	compareSchema  = withBlocks(attributes("!measure", "across", "baseline", "run", "by", "when", "description"), hcl.BlockHeaderSchema{Type: "import"})
	importSchema   = attributes("!path", "format", "when")
	kpiSchema      = withBlocks(attributes("!measure", "profile", "where", "by", "when", "min", "max", "within", "min_of", "max_of", "statistic", "severity", "confidence", "because", "description"), hcl.BlockHeaderSchema{Type: "limit", LabelNames: []string{"measure"}})
	limitSchema    = attributes("where", "min", "max", "!because")
	plotSchema     = attributes("!y", "x", "kind", "title", "series", "facet", "rows", "load", "scale", "relative", "where", "when")
)

func (p *parser) file(body hcl.Body) {
	content, diags := body.Content(fileSchema)
	p.diags = append(p.diags, diags...)
	for _, b := range content.Blocks {
		switch b.Type {
		case "spec":
			if p.unique("spec", b.DefRange) {
				c := p.content(b.Body, specSchema)
				p.model.Spec = &Settings{Attrs: c.Attributes, Range: b.DefRange}
			}
		case "variable":
			p.variable(b)
		case "locals":
			p.locals(b)
		case "provider":
			p.provider(b)
		case "hardware":
			p.hardware(b)
		case "matrix":
			p.matrix(b)
		case "setup", "dataset", "test", "monitor":
			p.block(b)
		case "measure":
			p.plain(b, measureSchema, &p.model.Measures)
		case "compare":
			p.plain(b, compareSchema, &p.model.Compares)
		case "kpi":
			p.plain(b, kpiSchema, &p.model.KPIs)
		case "plot":
			p.plain(b, plotSchema, &p.model.Plots)
		}
	}
}

func (p *parser) content(body hcl.Body, schema *hcl.BodySchema) *hcl.BodyContent {
	c, diags := body.Content(schema)
	p.diags = append(p.diags, diags...)
	return c
}

// unique notes a declaration and reports a second one of the same name.
func (p *parser) unique(what string, rng hcl.Range) bool {
	if first, ok := p.seen[what]; ok {
		p.diags = p.diags.Append(diag.Error(rng, "Declared twice", "There is already %s, on %s line %d. Give this one another name, or remove one of the two.", what, first.Filename, first.Start.Line))
		return false
	}
	p.seen[what] = rng
	return true
}

var nameRE = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_-]*$`)

func (p *parser) name(b *hcl.Block, label int) bool {
	if nameRE.MatchString(b.Labels[label]) {
		return true
	}
	p.diags = p.diags.Append(diag.Error(b.LabelRanges[label], "Invalid name", "%q is not a name: a name begins with a letter and has letters, digits, _ and - only.", b.Labels[label]))
	return false
}

func (p *parser) variable(b *hcl.Block) {
	if !p.name(b, 0) || !p.unique(fmt.Sprintf("variable %q", b.Labels[0]), b.DefRange) {
		return
	}
	c := p.content(b.Body, variableSchema)
	v := &Variable{Name: b.Labels[0], Attrs: c.Attributes, Range: b.DefRange}
	for _, n := range c.Blocks {
		vc := p.content(n.Body, validSchema)
		if cond, msg := vc.Attributes["condition"], vc.Attributes["message"]; cond != nil && msg != nil {
			v.Validations = append(v.Validations, Validation{cond.Expr, msg.Expr, n.DefRange})
		}
	}
	p.model.Variables = append(p.model.Variables, v)
}

func (p *parser) locals(b *hcl.Block) {
	attrs, diags := b.Body.JustAttributes()
	p.diags = append(p.diags, diags...)
	for _, a := range SortedAttributes(attrs) {
		if p.unique(fmt.Sprintf("local %q", a.Name), a.NameRange) {
			p.model.Locals = append(p.model.Locals, &Local{a.Name, a.Expr, a.NameRange})
		}
	}
}

func (p *parser) provider(b *hcl.Block) {
	if !p.name(b, 0) || !p.unique(fmt.Sprintf("a block for provider %q", b.Labels[0]), b.DefRange) {
		return
	}
	c, rest, diags := b.Body.PartialContent(providerSchema)
	p.diags = append(p.diags, diags...)
	out := &Provider{Name: b.Labels[0], Body: rest, Range: b.DefRange, NameRange: b.LabelRanges[0]}
	if a := c.Attributes["source"]; a != nil {
		out.SourceRange = a.Expr.Range()
		v, diags := a.Expr.Value(nil)
		if diags.HasErrors() || v.IsNull() || v.Type() != cty.String || v.AsString() == "" {
			p.diags = p.diags.Append(diag.Error(out.SourceRange, "Not a program", `source is read before anything else, so it is a text that stands here as it is: the program's path from the spec's folder, such as "./bin/assay-provider-%s".`, out.Name))
		} else {
			out.Source = v.AsString()
		}
	}
	p.model.Providers = append(p.model.Providers, out)
}

func (p *parser) hardware(b *hcl.Block) {
	if !p.name(b, 0) || !p.unique(fmt.Sprintf("hardware %q", b.Labels[0]), b.DefRange) {
		return
	}
	c := p.content(b.Body, hardwareSchema)
	h := &Hardware{Name: b.Labels[0], Attrs: c.Attributes, Range: b.DefRange}
	for _, d := range c.Blocks {
		if p.name(d, 0) && p.unique(fmt.Sprintf("disks %q of hardware %q", d.Labels[0], h.Name), d.DefRange) {
			h.Disks = append(h.Disks, &Plain{Name: d.Labels[0], Attrs: p.content(d.Body, disksSchema).Attributes, Range: d.DefRange})
		}
	}
	p.model.Hardware = append(p.model.Hardware, h)
}

func (p *parser) matrix(b *hcl.Block) {
	for _, n := range p.content(b.Body, matrixSchema).Blocks {
		if n.Type == "exclude" {
			c := p.content(n.Body, excludeSchema)
			if w, r := c.Attributes["when"], c.Attributes["reason"]; w != nil && r != nil {
				p.model.Excludes = append(p.model.Excludes, &Exclude{w.Expr, r.Expr, n.DefRange})
			}
			continue
		}
		if p.name(n, 0) && p.unique(fmt.Sprintf("axis %q", n.Labels[0]), n.DefRange) {
			p.axis(n)
		}
	}
}

func (p *parser) axis(b *hcl.Block) {
	c := p.content(b.Body, axisSchema)
	a := &Axis{Name: b.Labels[0], Range: b.DefRange}
	if v := c.Attributes["baseline"]; v != nil {
		a.Baseline = v.Expr
	}
	for _, n := range c.Blocks {
		if n.Labels[0] == "" {
			p.diags = p.diags.Append(diag.Error(n.LabelRanges[0], "Empty case", "A case of axis %q has no name, and could not be told from none.", a.Name))
			continue
		}
		if !p.unique(fmt.Sprintf("case %q of axis %q", n.Labels[0], a.Name), n.DefRange) {
			continue
		}
		attrs, diags := n.Body.JustAttributes()
		p.diags = append(p.diags, diags...)
		if name := attrs["name"]; name != nil {
			p.diags = p.diags.Append(diag.Error(name.NameRange, "Reserved attribute", "A case has its name from its header; call this attribute otherwise."))
			delete(attrs, "name")
		}
		a.Cases = append(a.Cases, &Plain{Name: n.Labels[0], Attrs: attrs, Range: n.DefRange})
	}
	switch v := c.Attributes["values"]; {
	case v != nil && len(a.Cases) > 0:
		p.diags = p.diags.Append(diag.Error(v.NameRange, "Both values and cases", "Axis %q has values and case blocks; keep one of the two.", a.Name))
	case v != nil:
		a.Values = v.Expr
	case len(a.Cases) == 0:
		p.diags = p.diags.Append(diag.Error(b.DefRange, "Axis without cases", `Axis %q varies nothing: give it values = ["a", "b"] or case blocks.`, a.Name))
		return
	}
	p.model.Axes = append(p.model.Axes, a)
}

func (p *parser) block(b *hcl.Block) {
	if !p.name(b, 1) {
		return
	}
	a := addr.Block{Kind: b.Type, Type: b.Labels[0], Name: b.Labels[1]}
	if p.unique(fmt.Sprintf("%s %q %q", a.Kind, a.Type, a.Name), b.DefRange) {
		p.model.Blocks = append(p.model.Blocks, &Block{Addr: a, Body: b.Body, Range: b.DefRange, TypeRange: b.LabelRanges[0]})
	}
}

func (p *parser) plain(b *hcl.Block, schema *hcl.BodySchema, to *[]*Plain) {
	if p.name(b, 0) && p.unique(fmt.Sprintf("%s %q", b.Type, b.Labels[0]), b.DefRange) {
		c := p.content(b.Body, schema)
		plain := &Plain{Name: b.Labels[0], Attrs: c.Attributes, Range: b.DefRange}
		for _, n := range c.Blocks { // compare has import, kpi has limit
			if n.Type == "limit" {
				plain.Limits = append(plain.Limits, &Plain{Name: n.Labels[0], Attrs: p.content(n.Body, limitSchema).Attributes, Range: n.DefRange})
				continue
			}
			if p.unique(fmt.Sprintf("import of %s %q", b.Type, plain.Name), n.DefRange) {
				plain.Import = &Plain{Name: n.Type, Attrs: p.content(n.Body, importSchema).Attributes, Range: n.DefRange}
			}
		}
		*to = append(*to, plain)
	}
}

// SortedAttributes orders attributes as they stand in the text, since HCL hands them over as a map.
func SortedAttributes(attrs hcl.Attributes) []*hcl.Attribute {
	list := make([]*hcl.Attribute, 0, len(attrs))
	for _, a := range attrs {
		list = append(list, a)
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].NameRange, list[j].NameRange
		if a.Filename != b.Filename {
			return a.Filename < b.Filename
		}
		return a.Start.Byte < b.Start.Byte
	})
	return list
}

func sortedNames(src diag.Sources) []string {
	names := make([]string, 0, len(src))
	for n := range src {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}
