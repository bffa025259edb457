package report

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/assay-bench/assay/engine/stats"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

func value(v float64, m schema.Measure) string { return unit.Format(v, m.Dim, m.Symbol) }

// splitUnit cuts "612 MB/s" into number and unit; the unit of 1h30m or 4 is empty.
func splitUnit(s string) (number, unit string) {
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		return s[:i], s[i+1:]
	}
	if strings.HasSuffix(s, "/s") {
		return strings.TrimSuffix(s, "/s"), "/s"
	}
	return s, ""
}

// span prints lo to hi, with the unit once where both have the same, and not at all where that is the unit of beside.
func span(lo, hi float64, m schema.Measure, beside string) string {
	a, b := value(lo, m), value(hi, m)
	an, au := splitUnit(a)
	bn, bu := splitUnit(b)
	dash := "–"
	if lo < 0 {
		dash = " to "
	}
	if au != bu {
		if dash == "–" {
			dash = " – "
		}
		return a + dash + b
	}
	if _, u := splitUnit(beside); u == bu {
		return an + dash + bn
	}
	return an + dash + b
}

// spread says what stands beside a median: n, and the interval or the range. planned is the number of repetitions.
func spread(s stats.Summary, planned int, m schema.Measure, median string) string {
	n := fmt.Sprintf("n=%d", s.N)
	if s.N < planned {
		n = fmt.Sprintf("n=%d of %d", s.N, planned)
	}
	switch {
	case s.N == 0:
		return n
	case s.N == 1 && planned > 1:
		return n + ", one observation"
	case s.N == 1:
		return "one observation"
	case s.Interval:
		return n + ", " + span(s.Lo, s.Hi, m, median)
	}
	return n + ", range " + span(s.Lo, s.Hi, m, median) + ", no interval"
}

// direction says in words what is good: "higher is better"; empty where neither is.
func direction(b schema.Better) string {
	if b == schema.Neither {
		return ""
	}
	return string(b) + " is better"
}

func percentOf(ratio float64) string {
	if ratio == 1 {
		return "100 %"
	}
	return unit.FormatShare(ratio)
}

// pValue prints p with the digits that one reads.
func pValue(p float64) string {
	if p < 0.0005 {
		return "< 0.001"
	}
	return strconv.FormatFloat(math.Round(p*1000)/1000, 'f', -1, 64)
}

func outcomeWords(o string) string { return strings.ReplaceAll(o, "_", " ") }

// missing says why repetitions have no value: "1 failed, 2 did not finish".
func missing(m map[string]int) string {
	var parts []string
	for _, o := range sortedKeys(m) {
		if m[o] > 0 && o != string(measure.OK) {
			parts = append(parts, fmt.Sprintf("%d %s", m[o], outcomeWords(o)))
		}
	}
	return strings.Join(parts, ", ")
}

// numbers prints numbers as ascending ranges: 1–4, 6.
func numbers(ns []int) string {
	ns = slices.Sorted(slices.Values(ns))
	var parts []string
	for i := 0; i < len(ns); {
		j := i
		for j+1 < len(ns) && ns[j+1] <= ns[j]+1 {
			j++
		}
		switch {
		case ns[i] == ns[j]:
			parts = append(parts, strconv.Itoa(ns[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", ns[i], ns[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// plainText makes s fit for one line of a terminal: a title must not move the cursor.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || r == '\u202e' || r == '\u202d' || r == '\u2066' || r == '\u2067':
			return -1
		}
		return r
	}, s)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// commandLine prints argv so that it may be pasted into a shell. It is for reading only: nothing is run from it.
func commandLine(argv []string) string {
	parts := make([]string, len(argv))
	for i, a := range argv {
		if a != "" && strings.IndexFunc(a, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-+=./:,@%", r)
		}) < 0 {
			parts[i] = a
			continue
		}
		parts[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	return strings.Join(parts, " ")
}
