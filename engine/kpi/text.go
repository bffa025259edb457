package kpi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/unit"
)

// limitText is the limit for people: "≥ 500 MB/s", "between −5 % and +5 %".
func limitText(k plan.KPI, show func(float64) string) string {
	text := func(l *plan.Limit, o *plan.Other) string {
		switch {
		case l != nil && l.Text != "":
			return l.Text
		case l != nil:
			return show(l.Value)
		case o != nil: // that has no figure
			return o.Name()
		}
		return ""
	}
	lo, hi := text(k.Min, k.MinOf), text(k.Max, k.MaxOf)
	switch {
	case lo != "" && hi != "":
		return "between " + lo + " and " + hi
	case lo != "":
		return "≥ " + lo
	case hi != "":
		return "≤ " + hi
	}
	return "no limit"
}

// figureNote follows a figure: which statistic it is, n, and the interval of a median or the range. confidence is that of the
// interval.
func figureNote(k plan.KPI, f compare.Figure, confidence float64, show func(float64) string) string {
	median := k.Statistic == "" || k.Statistic == "median"
	if earlier := f.LoadedText(); earlier != "" {
		f.LoadedIn = nil
		return figureNote(k, f, confidence, show) + ", " + earlier
	}
	if f.N == 1 {
		return ", one observation"
	}
	if median && f.Interval {
		if !(confidence > 0) {
			confidence = stats.DefaultConfidence
		}
		return fmt.Sprintf(", n=%d, %s interval %s", f.N, unit.FormatShare(confidence), span(f.Lo, f.Hi, show))
	}
	if median {
		return fmt.Sprintf(", n=%d, range %s, no interval", f.N, span(f.Lo, f.Hi, show))
	}
	return fmt.Sprintf(" (%s), n=%d, range %s", strings.Replace(k.Statistic, "each", "worst", 1), f.N,
		span(slices.Min(f.Values), slices.Max(f.Values), show))
}

// span prints two figures, the unit once where it is the same: 598–630 MB/s. Negative ones are parted by a word.
func span(lo, hi float64, show func(float64) string) string {
	a, b := show(lo), show(hi)
	na, ua, _ := strings.Cut(a, " ")
	_, ub, _ := strings.Cut(b, " ")
	if strings.ContainsAny(a+b, "-−+±") {
		return a + " to " + b
	}
	if ua == ub {
		a = na
	}
	return a + "–" + b
}
