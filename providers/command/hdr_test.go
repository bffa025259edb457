package command

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/assay-bench/assay/providers/measure"
)

// hdrLog writes values, in µs, as a log of intervals of a hundred each, beside what a tool prints else. Tags take turns.
func hdrLog(t *testing.T, values []int64, tags ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("starting\n")
	w := hdrhistogram.NewHistogramLogWriter(&out)
	if err := w.OutputLogFormatVersion(); err != nil {
		t.Fatal(err)
	}
	for i := 0; i*100 < len(values); i++ {
		h := hdrhistogram.New(1, 3_600_000_000, 3)
		for _, v := range values[i*100 : min(len(values), i*100+100)] {
			if err := h.RecordValue(v); err != nil {
				t.Fatal(err)
			}
		}
		if len(tags) > 0 {
			h.SetTag(tags[i%len(tags)])
		}
		if err := w.OutputIntervalHistogram(h); err != nil {
			t.Fatal(err)
		}
	}
	out.WriteString("12.5,1.0,3.0,no histogram\ndone\n")
	return out.Bytes()
}

// Percentiles are those of the values themselves, within the three digits that the histograms keep.
func TestHDR(t *testing.T) {
	var values []int64
	for i := int64(1); i <= 20_000; i++ {
		values = append(values, i*i%1_000_003+1)
	}
	sorted := slices.Sorted(slices.Values(values))
	exact := func(q float64) float64 { return float64(sorted[int(math.Ceil(q*float64(len(sorted))))-1]) / 1e6 }
	log := hdrLog(t, values)
	for _, q := range []float64{0.5, 0.95, 0.99, 0.999, 1} {
		s, why := percentileOf(figure{name: "latency", unit: "us", hdr: q}, log)
		if why != "" || len(s.Values) != 1 || len(s.Histograms) != 1 {
			t.Fatalf("%v: %s %v", q, why, s.Values)
		}
		if got, want := s.Values[0].Value, exact(q); math.Abs(got-want) > 0.001*want {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
		if n := measure.Total(s.Histograms[0].Bins); n != uint64(len(values)) {
			t.Errorf("%d values of %d", n, len(values))
		}
	}
	// By tag each has its own, and together they are all.
	s, why := percentileOf(figure{name: "latency", unit: "us", hdr: 0.99, keys: []string{"op"}}, hdrLog(t, values, "read", "write"))
	if why != "" || len(s.Values) != 2 || s.Values[0].Keys["op"] != "read" || s.Values[1].Keys["op"] != "write" {
		t.Fatalf("%s %v", why, s.Values)
	}
	merged, ok := measure.Quantile(measure.Merge(s.Histograms[0].Bins, s.Histograms[1].Bins), 0.99)
	if !ok || math.Abs(merged-exact(0.99)) > 0.001*merged {
		t.Errorf("merged over tags: %v, want %v", merged, exact(0.99))
	}
	// Too few operations for a 99.9th percentile are said to be too few.
	s, why = percentileOf(figure{name: "latency", unit: "us", hdr: 0.999}, hdrLog(t, values[:9999]))
	if why != "" || len(s.Values) != 0 || len(s.Warnings) != 1 || s.Warnings[0].Code != "few_operations" || !strings.Contains(s.Warnings[0].Text, "latency is not taken from 9999 operations") {
		t.Errorf("%s %v %v", why, s.Values, s.Warnings)
	}
}

func percentileOf(f figure, log []byte) (measure.Sample, string) {
	f.source = "stdout"
	return values([]figure{f}, log, nil, nil)
}

func TestHDRFaults(t *testing.T) {
	whole := hdrLog(t, []int64{1, 2, 3})
	torn := bytes.Replace(whole, []byte("HIST"), []byte("HISTZZ"), 1)
	for _, c := range []struct {
		log  []byte
		keys []string
		want string
	}{
		{nil, nil, "the command printed nothing there"},
		{[]byte("0.1,1.0,2.0,9\n"), nil, "no line in HdrHistogram's log format is found"},
		{torn, nil, "HDR histogram 1 of 1 cannot be read"},
		{whole, []string{"op"}, "an HDR histogram has no tag, which is the key op"},
		{hdrLog(t, []int64{1}, " "), []string{"op"}, "cannot be the value of the key op"},
	} {
		s, why := percentileOf(figure{name: "latency", unit: "us", hdr: 0.5, keys: c.keys}, c.log)
		if !strings.Contains(why, c.want) || len(s.Values)+len(s.Histograms) > 0 {
			t.Errorf("%q, want %q", why, c.want)
		}
	}
}

// FuzzHDR: whatever the output is, there is a figure or a reason.
func FuzzHDR(f *testing.F) {
	f.Add([]byte("0.127,1.007,2.769,HISTFAAAAEV42pNpmSz\n"))
	f.Add([]byte("Tag=a,0,1,2,HIST\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		s, why := percentileOf(figure{name: "latency", unit: "us", hdr: 0.5}, log)
		if (why == "") != (len(s.Values) == 1) {
			t.Error(fmt.Sprint(why, s.Values))
		}
	})
}
