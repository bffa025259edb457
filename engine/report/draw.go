package report

import (
	"fmt"
	"sort"

	"github.com/assay-bench/assay/engine/chart"
	"github.com/assay-bench/assay/lang/addr"
)

// drawer renders a figure. It is a parameter only so that a test can do without the time that drawing takes.
type drawer func(chart.Figure) (svg, png []byte, err error)

func draw(f chart.Figure) (svg, png []byte, err error) {
	if svg, err = f.SVG(); err != nil {
		return nil, nil, err
	}
	png, err = f.PNG()
	return svg, png, err
}

// drawn is a figure as it stands in the report.
type drawn struct {
	figure
	SVG, PNG []byte
	Failed   string // why there is no picture; empty where there is one
}

func (d drawn) svgPath() string { return plotsDir + "/" + addr.FileName(d.Name()) + ".svg" }
func (d drawn) pngPath() string { return plotsDir + "/" + addr.FileName(d.Name()) + ".png" }

// Alt says what the picture shows, for those who do not see it.
func (d drawn) Alt() string {
	return fmt.Sprintf("%s: %s by %s; %s", d.Chart.Title, d.Chart.YLabel, d.Chart.XLabel, d.Chart.Subtitle)
}

// drawAll draws every plot. What cannot be drawn costs no report: the reason stands in its place.
func drawAll(in Input, d drawer) []drawn {
	var out []drawn
	for _, f := range buildFigures(in) {
		svg, png, err := d(f.Chart)
		p := drawn{figure: f, SVG: svg, PNG: png}
		if err != nil {
			p = drawn{figure: f, Failed: err.Error()}
		}
		out = append(out, p)
	}
	return out
}

func sortBy[T any](s []T, less func(a, b T) bool) {
	sort.SliceStable(s, func(i, j int) bool { return less(s[i], s[j]) })
}
