package fake

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// latencyHistogram names the distribution of the operations' latency; it begins the lines of the text form that hold one.
const latencyHistogram = "latency"

// tails are the percentiles of the latency, where the spec gives operations.
func tails() []schema.Measure {
	tail := func(name string, q float64, doc string) schema.Measure {
		return schema.Measure{Name: name, Doc: doc, Dim: unit.Seconds, Better: schema.Lower,
			Keys: []string{hostKey}, RollUp: schema.Merged, Histogram: latencyHistogram, Quantile: q}
	}
	return []schema.Measure{
		tail("latency_p99", 0.99, "99th percentile of the operations' latency."),
		tail("latency_p99_9", 0.999, "99.9th percentile of the operations' latency, from 10,000 operations on."),
	}
}

// spread is the distribution of n operations around a latency: of a thousand, 985 take just that, 13 twice and 2 ten times as long.
func spread(latency float64, n uint64) []measure.Bin {
	slow, slowest := n*13/1000, n*2/1000
	return measure.Merge([]measure.Bin{{Value: latency, Count: n - slow - slowest}, {Value: 2 * latency, Count: slow}, {Value: 10 * latency, Count: slowest}})
}

// appendTails prints what follows from the latency of one host, or without hosts of all: the percentiles and the distribution.
func appendTails(b []byte, req providers.MeasureRequest, latency float64, at func(schema.Measure) schema.Measure) []byte {
	n, ok := number(req.Config, "operations")
	if !ok || n < 1 {
		return b
	}
	bins := spread(latency, uint64(n))
	for _, m := range tails() {
		if v, ok := measure.Quantile(bins, m.Quantile); ok {
			b = line(b, at(m), v)
		}
	}
	b = append(b, distributionWord+at(schema.Measure{Name: latencyHistogram}).Name...)
	for _, bin := range bins {
		if bin.Count > 0 {
			b = strconv.AppendFloat(append(b, ' '), bin.Value, 'f', -1, 64)
			b = strconv.AppendUint(append(b, "s:"...), bin.Count, 10)
		}
	}
	return append(b, '\n')
}

// distributionWord begins a line of the text form that is no figure.
const distributionWord = "distribution "

// takeDistributions reads the lines that hold distributions, and leaves empty ones in their place.
func takeDistributions(data []byte, declared *schema.Type) (rest []byte, all []measure.Histogram, reason string) {
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		text, found := strings.CutPrefix(strings.TrimSpace(line), distributionWord)
		if strings.TrimSpace(line) == footer {
			break
		}
		if !found {
			continue
		}
		h, why := parseDistribution(text, declared)
		if why == "" && slices.ContainsFunc(all, func(x measure.Histogram) bool { return x.Keys.String() == h.Keys.String() }) {
			why = "the distribution is given twice"
		}
		if why != "" {
			return nil, nil, fmt.Sprintf("line %d: %s", i+1, why)
		}
		all, lines[i] = append(all, h), ""
	}
	return []byte(strings.Join(lines, "\n")), all, ""
}

// parseDistribution reads a line of the text form: latency[host=h1] 0.0004s:985 0.0008s:13. Bins ascend.
func parseDistribution(text string, declared *schema.Type) (h measure.Histogram, reason string) {
	name, rest, _ := strings.Cut(text, " ")
	name, host, keyed := strings.Cut(name, "["+hostKey+"=")
	host, closed := strings.CutSuffix(host, "]")
	if name != latencyHistogram || declared.Measure("latency_p99") == nil {
		return h, fmt.Sprintf("there is no distribution of %q; a test has one of %s", printable(name), latencyHistogram)
	}
	if keyed && (!closed || !hostName(host)) {
		return h, "a host is written like latency[host=h1]"
	}
	h.Measure = name
	if keyed {
		h.Keys = addr.Coordinates{hostKey: host}
	}
	for _, field := range strings.Fields(rest) {
		value, count, ok := strings.Cut(field, ":")
		v, why := figure(value, declared.Measure("latency"))
		n, err := strconv.ParseUint(count, 10, 53)
		if !ok || why != "" || err != nil || n == 0 {
			return h, fmt.Sprintf("%q is no part of a distribution, which is written like 400us:985", printable(field))
		}
		if k := len(h.Bins); k > 0 && h.Bins[k-1].Value >= v {
			return h, fmt.Sprintf("the distribution does not ascend at %q", printable(field))
		}
		h.Bins = append(h.Bins, measure.Bin{Value: v, Count: n})
	}
	if len(h.Bins) == 0 {
		return h, "the distribution is empty"
	}
	return h, ""
}
