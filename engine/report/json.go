package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/assay-bench/assay/engine/judge"
)

// resultsJSON gives results.json: indented, a list never null, text as it is and not escaped for HTML.
func resultsJSON(r *judge.Results) ([]byte, error) {
	c := *r
	c.Samples = orEmpty(c.Samples)
	c.Figures = orEmpty(c.Figures)
	c.Comparisons = orEmpty(c.Comparisons)
	c.KPIs = orEmpty(c.KPIs)
	c.NotJudged = orEmpty(c.NotJudged)
	c.Warnings = orEmpty(c.Warnings)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&c); err != nil {
		return nil, fmt.Errorf("report: results.json: %w; a figure must be a finite number", err)
	}
	return b.Bytes(), nil
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
