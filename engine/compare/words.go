package compare

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// words says what a comparison shows. gated is the number of comparisons that were corrected together.
func words(c *Comparison, alpha float64, gated int) string {
	if c.Quoted {
		sign := *c
		if c.Complete {
			sign.Difference = c.Change // of which amount and better look at the sign only
		}
		return "quoted: " + amount(&sign) + better(&sign)
	}
	if c.N == 0 || c.NBaseline == 0 {
		return c.Reason
	}
	p, note := c.P, ""
	if c.PHolm != nil {
		p, note = *c.PHolm, fmt.Sprintf(", corrected for %d comparisons", gated)
	} else {
		gated = 1
	}
	if !stats.AtMost(p, alpha) {
		if !stats.CanReach(c.N, c.NBaseline, 1-alpha, gated) {
			return fmt.Sprintf("no difference shown (%s%s): %s, but %d against %d repetition%s cannot show one",
				FormatP(p), note, amount(c), c.N, c.NBaseline, plural(c.NBaseline))
		}
		return fmt.Sprintf("no difference shown (%s%s)", FormatP(p), note)
	}
	return amount(c) + better(c)
}

// amount is the size of the difference: "15.3 % more", and "5 IOPS more" where the baseline has no multiple.
func amount(c *Comparison) string {
	if c.Difference == 0 {
		return "equal medians"
	}
	direction := " more"
	if c.Difference < 0 {
		direction = " less"
	}
	if !c.Complete {
		return unit.Format(math.Abs(c.Difference), c.Measure.Dim, c.Measure.Symbol) + direction
	}
	percent := math.Round(math.Abs(c.Change)*1e4) / 1e2
	if percent == 0 {
		return "less than 0.01 %" + direction
	}
	return unit.Digits(percent, 4) + " %" + direction
}

func better(c *Comparison) string {
	switch {
	case c.Difference == 0 || c.Measure.Better == schema.Neither:
		return ""
	case (c.Difference > 0) == (c.Measure.Better == schema.Higher):
		return ", better"
	}
	return ", worse"
}

// FormatP prints a p-value: "p = 0.31", "p < 0.001".
func FormatP(p float64) string {
	if p < 0.001 {
		return "p < 0.001"
	}
	return "p = " + unit.Digits(p, 2)
}

// LoadedText says that figures are of loads of earlier runs: "loaded in run 20260102T…"; empty where there are none.
func (f *Figure) LoadedText() string {
	switch len(f.LoadedIn) {
	case 0:
		return ""
	case 1:
		return "loaded in run " + f.LoadedIn[0]
	}
	return "loaded in runs " + strings.Join(f.LoadedIn, ", ")
}
