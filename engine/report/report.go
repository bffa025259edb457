// Package report writes what was judged for people and machines: a terminal's text, Markdown, one offline HTML file, CSV,
// JSON and the plots, one file per format. It draws nothing (engine/chart does) and judges nothing (engine/judge does); it
// reads no clock and no environment, so that the same record gives byte-for-byte the same report on every machine.
package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/judge"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers/measure"
)

// Input is all that a report is made from. Nothing of it is changed.
type Input struct {
	Plan    *plan.Plan
	Results *judge.Results
	// Facts are names and values by host address; the empty address is the machine that ran.
	Facts map[string]map[string]string
	// Ran are the commands as they ended, in the order of the journal. Where it is empty the planned ones are shown.
	Ran []Ran
	// Series are how measures went over time, for plots of kind series.
	Series []derive.Series
	// Samples are those that the results were judged from, for the distributions in plots of kind percentiles and cdf.
	Samples []measure.Sample
	// Manifest is the SHA-256 of the record's manifest, in hexadecimal; empty where there is none.
	Manifest string
	// Notes are said at the top: that limits were changed after the data were seen, that the manifest does not match.
	Notes []string
}

// Ran is what one attempt of one step ran.
type Ran struct {
	Address    string
	Action     plan.Action
	Repetition int // from 1; 0 where the step is not a repetition
	Attempt    int // from 1
	Exits      []measure.Exit
}

// The files that Write makes, relative to its folder. Tables and plots are named after their blocks.
const (
	HTMLFile     = "report.html"
	MarkdownFile = "report.md"
	ResultsFile  = "results.json"
	JUnitFile    = "junit.xml"
	tablesDir    = "tables"
	plotsDir     = "plots"
)

// Write writes the whole report into dir, which is made when it is absent: results.json, report.md, report.html, junit.xml, tables/*.csv,
// plots/*.svg and plots/*.png. Tables and plots that an earlier report left there are removed; other files are not touched.
func Write(dir string, in Input) error {
	return write(dir, in, draw)
}

func write(dir string, in Input, d drawer) error {
	v, err := newView(in)
	if err != nil {
		return err
	}
	results := make(chan resultsFile, 1) // beside the rest: of a large run, it takes as long
	go func() {
		data, err := resultsJSON(in.Results)
		results <- resultsFile{data, err}
	}()
	v.plots, v.undrawn = drawAll(in, d)
	files, err := render(v)
	if of := <-results; err == nil {
		files, err = append(files, file{ResultsFile, of.data}), of.err
	}
	if err != nil {
		return err
	}
	for _, old := range []string{tablesDir + "/*.csv", plotsDir + "/*.svg", plotsDir + "/*.png"} {
		if err := removeMatches(dir, old); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

// file is one file of a report; its name has forward slashes.
type file struct {
	name string
	data []byte
}

// resultsFile is results.json, or why there is none.
type resultsFile struct {
	data []byte
	err  error
}

// render makes all other files before any is written, so that an error leaves the last report as it was.
func render(v *view) ([]file, error) {
	page, err := htmlReport(v)
	if err != nil {
		return nil, err
	}
	cases, err := junit(v)
	if err != nil {
		return nil, err
	}
	files := []file{{MarkdownFile, markdown(v)}, {HTMLFile, page}, {JUnitFile, cases}}
	tables, err := csvTables(v)
	if err != nil {
		return nil, err
	}
	files = append(files, tables...)
	for _, p := range v.plots {
		if p.Failed != "" {
			continue
		}
		files = append(files, file{p.svgPath(), p.SVG}, file{p.pngPath(), p.PNG})
	}
	return files, nil
}

func removeMatches(dir, pattern string) error {
	sub, glob := filepath.Split(pattern)
	entries, err := os.ReadDir(filepath.Join(dir, sub))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if ok, _ := filepath.Match(glob, e.Name()); ok && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(dir, sub, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
