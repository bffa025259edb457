package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed report.css
var pageStyle string

//go:embed report.js
var pageScript string

// uPlot draws courses over time in which one can zoom. uplot/README says which release it is.
var (
	//go:embed uplot/uPlot.iife.min.js
	uplotScript string
	//go:embed uplot/uPlot.min.css
	uplotStyle string
	//go:embed uplot/LICENSE
	uplotLicense string
)

// assets puts in the style sheet and the scripts, and a policy that allows just these. uPlot comes with its licence, which asks for
// that, and only where there is something to zoom.
func (p *page) assets(zoom bool) {
	style, scripts := pageStyle, []string{pageScript}
	if zoom {
		style += uplotStyle + "\n"
		scripts = []string{"/*\n" + uplotLicense + "\n*/\n" + uplotScript, pageScript}
	}
	p.Style = template.CSS(style)
	sources := make([]string, len(scripts))
	for i, s := range scripts {
		p.Scripts = append(p.Scripts, template.JS(s))
		sources[i] = hashSource(s)
	}
	p.Policy = "default-src 'none'; script-src " + strings.Join(sources, " ") + "; style-src " + hashSource(style) + "; base-uri 'none'; form-action 'none'"
}

// hashSource names a text in a Content-Security-Policy (CSP 3, 2.3.1).
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
