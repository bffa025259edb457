package validity

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

// significant is how many digits a figure must have for it to be one that was measured: round ones may well be equal.
const significant = 7

// Copied warns of repetitions of one test that have a figure in common to the last digit: a result that was copied, or read twice. Figures of
// few digits, which are counted or rounded, say nothing, nor do quantiles, which are values of bins. The samples are all of one address.
func Copied(samples []*measure.Sample, measures []schema.Measure) {
	type figure struct {
		name  string
		value float64
	}
	first := map[figure]*measure.Sample{}
	for _, s := range samples {
		if s.Outcome != measure.OK || s.LoadedIn != "" {
			continue
		}
		for _, v := range s.Values {
			if m := measureOf(measures, v.Measure); m == nil || m.Quantile > 0 || digits(v.Value) < significant {
				continue
			}
			f := figure{name(v), v.Value}
			other := first[f]
			if other == nil {
				first[f] = s
				continue
			}
			if other == s {
				continue
			}
			s.Warnings = append(s.Warnings[:len(s.Warnings):len(s.Warnings)], measure.Warning{Code: "copied_result", Text: fmt.Sprintf(
				"%s is %s, to the last digit as in repetition %d of round %d: the same result may have been read twice",
				f.name, plain(v.Value), other.Repetition, other.Round)})
			break
		}
	}
}

// plain is the shortest decimal that gives v again, without an exponent for everything of a human size.
func plain(v float64) string {
	if a := max(v, -v); a < 1e-9 || a >= 1e18 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// digits are those of the shortest decimal that gives v again.
func digits(v float64) int {
	mantissa, _, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	return len(strings.NewReplacer("-", "", ".", "").Replace(mantissa))
}
