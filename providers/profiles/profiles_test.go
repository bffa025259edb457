package profiles

import (
	"testing"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

func TestAll(t *testing.T) {
	list, err := All()
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	dims := map[string]unit.Dim{"throughput": unit.BytesPerSec, "latency": unit.Seconds}
	for _, p := range list {
		if p.Title == "" || p.Doc == "" {
			t.Errorf("%s says not what it is", p.Name)
		}
		for _, l := range p.Limits {
			for _, text := range []string{l.Min, l.Max} {
				if text == "" {
					continue
				}
				if _, err := unit.Parse(text, dims[l.Measure]); err != nil {
					t.Errorf("%s: %s: %v", p.Name, l.Measure, err)
				}
			}
		}
	}
}

// The table of SAP's file system test: twenty limits in eighteen rows, nine of them printed in a second place, MB/s meaning MiB/s. The sums
// and the cells are asserted apart from the file, which could be edited in error.
func TestSAPHANAStorage(t *testing.T) {
	list, err := All()
	if err != nil {
		t.Fatal(err)
	}
	var p *schema.Profile
	for i := range list {
		if list[i].Name == "sap_hana_storage" {
			p = &list[i]
		}
	}
	if p == nil {
		t.Fatal("there is none")
	}
	rows, second, sum := map[string]bool{}, 0, 0.0
	for _, l := range p.Limits {
		rows[addr.Coordinates(l.At).String()] = true
		if len(l.Sources) > 1 {
			second++
		}
		if l.Measure == "throughput" {
			q, err := unit.Parse(l.Min, unit.BytesPerSec)
			if err != nil {
				t.Fatal(err)
			}
			sum += q.Float() / (1 << 20)
		}
	}
	if len(p.Limits) != 20 || len(rows) != 18 || second != 9 || sum != 30+120+250+250+40+100+100+150+250+150+200+300+2*(200+250+400) {
		t.Errorf("%d limits, %d rows, %d with a second source, sum %v MiB/s", len(p.Limits), len(rows), second, sum)
	}
	if p.Statistic != "worst" || len(p.Each) != 1 || p.Each[0] != "host" {
		t.Errorf("the worst repetition of the worst host decides: %q of each %v", p.Statistic, p.Each)
	}
	for _, want := range []struct{ volume, block, operation, measure, text string }{
		{"log", "4KiB", "overwrite", "latency", "≤ 1000 us"},
		{"log", "16KiB", "overwrite", "throughput", "≥ 120 MiB/s"},
		{"log", "1MiB", "read", "throughput", "≥ 250 MiB/s"},
		{"data", "16KiB", "initial_write", "throughput", "≥ 40 MiB/s"},
		{"data", "64KiB", "read", "throughput", "≥ 250 MiB/s"},
		{"data", "1MiB", "overwrite", "throughput", "≥ 200 MiB/s"},
		{"data", "64MiB", "read", "throughput", "≥ 400 MiB/s"},
	} {
		found := false
		for _, l := range p.Limits {
			found = found || l.Measure == want.measure && l.Text() == want.text && l.At["volume"] == want.volume && l.At["block"] == want.block && l.At["operation"] == want.operation
		}
		if !found {
			t.Errorf("there is no limit %v", want)
		}
	}
}
