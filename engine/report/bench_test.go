package report

import (
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkReport writes the whole report of 10,000 tests, with its plots. The target is under 5 seconds and 10 MB of report.html.
func BenchmarkReport(b *testing.B) {
	in := large(10000)
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
	b.ReportMetric(float64(info.Size())/1e6, "MB-of-html")
	b.ReportMetric(5, "target-s")
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/report")
}
