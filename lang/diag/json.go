package diag

import (
	"github.com/hashicorp/hcl/v2"
)

// Report is what `validate --json` answers, in the form that Terraform gives and editors read.
type Report struct {
	FormatVersion string           `json:"format_version"`
	Valid         bool             `json:"valid"`
	ErrorCount    int              `json:"error_count"`
	WarningCount  int              `json:"warning_count"`
	Diagnostics   []JSONDiagnostic `json:"diagnostics"`
}

// JSONDiagnostic is one diagnostic as data.
type JSONDiagnostic struct {
	Severity string       `json:"severity"` // error, warning
	Summary  string       `json:"summary"`
	Detail   string       `json:"detail"`
	Range    *JSONRange   `json:"range,omitempty"`
	Snippet  *JSONSnippet `json:"snippet,omitempty"`
}

// JSONRange is a place in a file. Columns count characters as HCL does, from 1; bytes from 0.
type JSONRange struct {
	Filename string  `json:"filename"`
	Start    JSONPos `json:"start"`
	End      JSONPos `json:"end"`
}

// JSONPos is a position.
type JSONPos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// JSONSnippet is the source line; the offsets are bytes in Code.
type JSONSnippet struct {
	Context              *string  `json:"context"` // the header of the outermost block around it; null outside of any
	Code                 string   `json:"code"`
	StartLine            int      `json:"start_line"`
	HighlightStartOffset int      `json:"highlight_start_offset"`
	HighlightEndOffset   int      `json:"highlight_end_offset"`
	Values               []string `json:"values"`
}

// JSON turns diagnostics into the form of `validate --json`.
func JSON(src Sources, diags hcl.Diagnostics) Report {
	r := Report{FormatVersion: "1.0", Valid: !diags.HasErrors(), Diagnostics: []JSONDiagnostic{}}
	ctx := &contexts{src, map[string][]block{}}
	for _, d := range diags {
		j := JSONDiagnostic{Severity: "error", Summary: d.Summary, Detail: d.Detail}
		if d.Severity == hcl.DiagWarning {
			j.Severity = "warning"
			r.WarningCount++
		} else {
			r.ErrorCount++
		}
		if s := d.Subject; s != nil {
			j.Range = &JSONRange{
				s.Filename,
				JSONPos{s.Start.Line, s.Start.Column, s.Start.Byte},
				JSONPos{s.End.Line, s.End.Column, s.End.Byte},
			}
			if line, _, _, ok := snippet(src[s.Filename], *s); ok {
				from := s.Start.Byte - lineStart(src[s.Filename], s.Start.Byte)
				to := min(from+max(s.End.Byte-s.Start.Byte, 1), len(line))
				j.Snippet = &JSONSnippet{Code: line, StartLine: s.Start.Line, HighlightStartOffset: from, HighlightEndOffset: max(from, to), Values: []string{}}
				if block := ctx.of(*s); block != "" {
					j.Snippet.Context = &block
				}
			}
		}
		r.Diagnostics = append(r.Diagnostics, j)
	}
	return r
}

func lineStart(src []byte, at int) int {
	for at > 0 && src[at-1] != '\n' {
		at--
	}
	return at
}
