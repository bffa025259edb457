package command

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// hdrLine is an interval in HdrHistogram's log format: [Tag=TAG,]START,LENGTH,MAX,HISTOGRAM, the last in its compressed form as base64.
var hdrLine = regexp.MustCompile(`(?m)^(?:Tag=([^,\r\n]*),)?[0-9.]+,[0-9.]+,[0-9.]+,(HIST[A-Za-z0-9+/=]+)\r?$`)

// histograms finds the HDR histograms in output, and merges the intervals of each tag, or of all tags where the figure has no key. The
// values of the bins are in base units; each is the largest of its bin, as HdrHistogram's own percentiles are.
func (f figure) histograms(output []byte) (map[string][]measure.Bin, error) {
	_, _, factor := unit.Printed(f.unit)
	out := map[string][]measure.Bin{}
	intervals := hdrLine.FindAllSubmatch(output, -1)
	for i, m := range intervals {
		h, err := hdrhistogram.Decode(m[2])
		if err != nil {
			return nil, fmt.Errorf("HDR histogram %d of %d cannot be read: %w", i+1, len(intervals), err)
		}
		var bins []measure.Bin
		for _, b := range h.Distribution() {
			if b.Count > 0 {
				bins = append(bins, measure.Bin{Value: scaled(b.To, factor), Count: uint64(b.Count)})
			}
		}
		tag := ""
		if len(f.keys) > 0 {
			tag = string(m[1])
		}
		out[tag] = measure.Merge(out[tag], bins)
	}
	switch {
	case len(out) == 0:
		return nil, errors.New("no line in HdrHistogram's log format is found")
	case len(f.keys) > 0 && out[""] != nil:
		return nil, fmt.Errorf("an HDR histogram has no tag, which is the key %s", f.keys[0])
	}
	return out, nil
}

// scaled brings a count of units to base units. What is a part of the base unit is divided: 590 µs are 0.00059 s, not 0.00058999….
func scaled(n int64, factor float64) float64 {
	if per := math.Round(1 / factor); factor < 1 && math.Abs(per*factor-1) < 1e-9 {
		return float64(n) / per
	}
	return float64(n) * factor
}

// percentile adds the percentile of each histogram to a sample, and the histogram, from which judging takes it over all tags.
func (f figure) percentile(output []byte, s *measure.Sample) error {
	all, err := f.histograms(output)
	if err != nil {
		return err
	}
	for _, tag := range slices.Sorted(maps.Keys(all)) {
		var keys addr.Coordinates
		if len(f.keys) > 0 {
			if keys, err = f.coordinates(found{keys: []string{tag}}); err != nil {
				return err
			}
		}
		s.Histograms = append(s.Histograms, measure.Histogram{Measure: f.name, Keys: keys, Bins: all[tag]})
		if v, ok := measure.Quantile(all[tag], f.hdr); ok {
			s.Values = append(s.Values, measure.Value{Measure: f.name, Keys: keys, Value: v})
			continue
		}
		at := ""
		if len(keys) > 0 {
			at = " at " + keys.String()
		}
		s.Warnings = append(s.Warnings, measure.Warning{Code: "few_operations", Text: fmt.Sprintf(
			"%s%s is not taken from %d operations: too few of them lie beyond %s", f.name, at, measure.Total(all[tag]), unit.FormatShare(f.hdr))})
	}
	return nil
}
