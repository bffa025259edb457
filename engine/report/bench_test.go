package report

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkReport writes the whole report of 10,000 tests: results.json, the tables, the plots as SVG and PNG, report.html and the rest.
// The target for it is 5 seconds; report.html has 10 MB at most, which TestChromiumLarge holds.
func BenchmarkReport(b *testing.B) {
	for _, repetitions := range []int{1, 6} {
		b.Run(fmt.Sprintf("tests=10000/repetitions=%d", repetitions), func(b *testing.B) {
			in := large(10000, repetitions)
			dir := b.TempDir()
			for b.Loop() {
				if err := Write(dir, in); err != nil {
					b.Fatal(err)
				}
			}
			info, err := os.Stat(filepath.Join(dir, HTMLFile))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/report")
			b.ReportMetric(5, "s-target")
			b.ReportMetric(float64(info.Size())/1e6, "MB-of-html")
			b.ReportMetric(10, "MB-target")
		})
	}
}
