package report

import (
	"fmt"
	"runtime"
	"sort"
	"sync"

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

// undrawn are the pictures of a plot that were too many.
type undrawn struct {
	Plot string
	Left int
}

// What is drawn is bounded: a picture costs 100 and one for each point, and 1,000 take about a third of a second. A run that leaves
// many samples takes its time elsewhere, and no one looks at a hundred pictures of it.
const (
	mostWork    = 10000
	largeWork   = 1500
	manySamples = 5000
)

// drawable gives the first of a plot's pictures, no more than are ever drawn, and how many there are beside.
func drawable[T any](pictures []T) ([]T, int) {
	n := min(len(pictures), mostWork/100)
	return pictures[:n], len(pictures) - n
}

// drawAll draws the plots, each its fair share of the work, and says what it left out. What cannot be drawn costs no report: the reason
// stands in its place.
func drawAll(in Input, d drawer) ([]drawn, []undrawn) {
	most := mostWork
	if len(in.Results.Samples) > manySamples {
		most = largeWork
	}
	chosen, left := affordable(buildFigures(in), most)
	out := make([]drawn, len(chosen))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(chosen)) {
		workers.Go(func() {
			for i := range next {
				svg, png, err := d(chosen[i].Chart)
				if out[i] = (drawn{figure: chosen[i], SVG: svg, PNG: png}); err != nil {
					out[i] = drawn{figure: chosen[i], Failed: err.Error()}
				}
			}
		})
	}
	for i := range chosen {
		next <- i
	}
	close(next)
	workers.Wait()
	return out, left
}

// affordable keeps the first pictures of each plot; what one plot does not need is for the others.
func affordable(all []figure, most int) ([]figure, []undrawn) {
	byPlot := map[string][]figure{}
	var plots []string
	for _, f := range all {
		if byPlot[f.Plot] == nil {
			plots = append(plots, f.Plot)
		}
		byPlot[f.Plot] = append(byPlot[f.Plot], f)
	}
	kept := map[string]int{}
	work := 0
	for turn, open := 0, true; open && work < most; turn++ { // a picture of each plot in turn
		open = false
		for _, p := range plots {
			if turn < len(byPlot[p]) && work < most {
				open = true
				kept[p]++
				work += byPlot[p][turn].work()
			}
		}
	}
	var out []figure
	var left []undrawn
	for _, p := range plots {
		out = append(out, byPlot[p][:kept[p]]...)
		if n := len(byPlot[p]) - kept[p] + byPlot[p][0].More; n > 0 {
			left = append(left, undrawn{p, n})
		}
	}
	return out, left
}

// work is about what it costs to draw a picture.
func (f figure) work() int { return 100 + parts(f.Chart) }

// parts counts what a chart draws. A curve is thinned out to what can be seen before it is drawn.
func parts(c chart.Figure) int {
	n := len(c.Rows) * len(c.X)
	for _, s := range c.Series {
		n += len(s.Points)
	}
	for _, l := range c.Curves {
		n += min(len(l.X), 1000) / 5
	}
	for _, p := range c.Panels {
		n += 50 + parts(p)
	}
	return n
}

func sortBy[T any](s []T, less func(a, b T) bool) {
	sort.SliceStable(s, func(i, j int) bool { return less(s[i], s[j]) })
}
