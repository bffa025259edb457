package unit

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"sort"
	"strings"
)

// Error says why a text is not the quantity that was wanted, and what to write instead.
type Error struct {
	Text string // the text as given
	Why  string // a sentence without the text: `"kb" is not a unit`
	Do   string // what to write: `write "4KiB" (4096 B) or "4kB" (4000 B)`; may be empty
}

// Error implements error.
func (e *Error) Error() string {
	s := fmt.Sprintf("%q: %s", e.Text, e.Why)
	if e.Do != "" {
		s += "; " + e.Do
	}
	return s
}

type scale struct {
	dim    Dim
	factor *big.Rat
}

// units holds every spelling that is read, so that a suggestion can be looked for among them.
var units = makeUnits()

func makeUnits() map[string]scale {
	u := map[string]scale{}
	put := func(name string, d Dim, num, den int64) { u[name] = scale{d, big.NewRat(num, den)} }
	binary := map[string]int64{"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50}
	decimal := map[string]int64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
	for _, per := range []struct {
		suffix string
		second int8
		den    int64
	}{{"", 0, 1}, {"/s", -1, 1}, {"/min", -1, 60}, {"/h", -1, 3600}} {
		for p, f := range binary {
			put(p+"B"+per.suffix, Dim{Byte: 1, Second: per.second}, f, per.den)
		}
		for p, f := range decimal {
			put(p+"B"+per.suffix, Dim{Byte: 1, Second: per.second}, f, per.den)
			put(p+"bit"+per.suffix, Dim{Byte: 1, Second: per.second}, f, 8*per.den)
		}
		for _, p := range []string{"", "k", "M", "G", "T", "P"} {
			if per.suffix != "" || p != "" { // "1k" alone depends on what is wanted: see bareSuffix
				put(p+per.suffix, Dim{Second: per.second}, decimal[p], per.den)
			}
			put(p+"op"+per.suffix, Dim{Second: per.second}, decimal[p], per.den)
			put(p+"ops"+per.suffix, Dim{Second: per.second}, decimal[p], per.den)
		}
	}
	delete(u, "k")
	delete(u, "M")
	delete(u, "G")
	delete(u, "T")
	delete(u, "P")
	for _, name := range []string{"IOPS", "TPS", "QPS", "Hz"} {
		for _, p := range []string{"", "k", "M"} {
			put(p+name, PerSecond, decimal[p], 1)
		}
	}
	put("ns", Seconds, 1, 1e9)
	put("us", Seconds, 1, 1e6)
	put("µs", Seconds, 1, 1e6) // micro sign
	put("μs", Seconds, 1, 1e6) // Greek mu
	put("ms", Seconds, 1, 1e3)
	put("s", Seconds, 1, 1)
	put("min", Seconds, 60, 1)
	put("h", Seconds, 3600, 1)
	put("d", Seconds, 86400, 1)
	return u
}

// bareSuffix: k m g t as fio users write them. Powers of 1024 for bytes, of 1000 for counts and rates.
func bareSuffix(s string, d Dim) (*big.Rat, bool) {
	i := strings.Index("kmgt", strings.ToLower(s))
	if len(s) != 1 || i < 0 {
		return nil, false
	}
	base := int64(1000)
	if d == Bytes || d == BytesPerSec {
		base = 1024
	}
	f := big.NewInt(1)
	for ; i >= 0; i-- {
		f.Mul(f, big.NewInt(base))
	}
	return new(big.Rat).SetInt(f), true
}

const decimalPattern = `[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?`

var (
	numberRE   = regexp.MustCompile(`^([+-]?` + decimalPattern + `)\s*((?s:.*))$`)
	durationRE = regexp.MustCompile(`^([+-]?)((?:\s*[0-9]+(?:\.[0-9]+)?(?:ns|us|µs|μs|ms|min|s|m|h|d)){2,})$`)
	partRE     = regexp.MustCompile(`([0-9]+(?:\.[0-9]+)?)(ns|us|µs|μs|ms|min|s|m|h|d)`)
)

// Parse reads text as a quantity of dimension want. For One it takes bare numbers, counts with k, M and G, and
// percentages ("95%" is 0.95; "+15%" is 0.15 and relative). For Bytes the bare suffixes k m g t are powers of
// 1024. For a dimension that only derived measures have it takes the unit as Dim.String gives it, blanks aside. A bare number is refused for everything that has a unit. The error is an *Error.
func Parse(text string, want Dim) (Quantity, error) {
	q, err := parse(text, want)
	if err != nil {
		return Quantity{}, err
	}
	if f := q.Float(); math.IsInf(f, 0) || f == 0 && q.value.Sign() != 0 {
		return Quantity{}, &Error{text, "this number is beyond everything that is measured", fmt.Sprintf("write it like %q", want.Example())}
	}
	if q.dim != want {
		return Quantity{}, &Error{text, fmt.Sprintf("this is %s, but %s is wanted here", q.dim.Noun(), want.Noun()),
			fmt.Sprintf("write it like %q", want.Example())}
	}
	return q, nil
}

// ParseAny reads a quantity whose unit says its dimension; bare suffixes count in thousands.
func ParseAny(text string) (Quantity, error) { return parse(text, One) }

func parse(text string, want Dim) (Quantity, error) {
	s := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(s, "−"); ok { // as changes are printed
		s = "-" + rest
	}
	if rest, ok := strings.CutPrefix(s, "±"); ok && strings.Trim(rest, "0. %") == "" {
		s = "+" + rest
	}
	if len(s) > 200 {
		return Quantity{}, &Error{s[:40] + "…", "a quantity of this length is not read", ""}
	}
	if q, ok := parseDuration(s); ok {
		q.text = text
		return q, nil
	}
	m := numberRE.FindStringSubmatch(s)
	if m == nil {
		return Quantity{}, &Error{text, "this is not a number with a unit", fmt.Sprintf("write it like %q", want.Example())}
	}
	v, ok := new(big.Rat).SetString(m[1])
	if !ok {
		return Quantity{}, &Error{text, "this is not a decimal number", fmt.Sprintf("write it like %q", want.Example())}
	}
	q := Quantity{value: v, dim: want, text: text}
	switch name := strings.Join(strings.Fields(m[2]), ""); {
	case name == "":
		if want != One {
			return Quantity{}, &Error{text, fmt.Sprintf("%s needs a unit", want.Noun()), bareAdvice(m[1], want)}
		}
		return q, nil
	case name == "%":
		q.dim = One
		q.share = true
		q.relative = m[1][0] == '+' || m[1][0] == '-'
		q.value.Quo(v, big.NewRat(100, 1))
		return q, nil
	default:
		if u, ok := units[name]; ok {
			q.dim = u.dim
			q.value.Mul(v, u.factor)
			return q, nil
		}
		if name == strings.Join(strings.Fields(want.String()), "") { // of a derived measure: EUR/(B/s), s/B
			return q, nil
		}
		if f, ok := bareSuffix(name, want); ok && want != Seconds {
			q.value.Mul(v, f)
			return q, nil
		}
		if want == Seconds && name == "m" {
			return Quantity{}, &Error{text, `"m" alone could be minutes or milliseconds`, fmt.Sprintf("write %q or %q", m[1]+"min", m[1]+"ms")}
		}
		return Quantity{}, &Error{text, fmt.Sprintf("%q is not a unit", name), unitAdvice(m[1], name, want)}
	}
}

// parseDuration reads forms of several parts, such as 1h30m, in which m is minutes.
func parseDuration(s string) (Quantity, bool) {
	m := durationRE.FindStringSubmatch(s)
	if m == nil {
		return Quantity{}, false
	}
	sum := new(big.Rat)
	for _, p := range partRE.FindAllStringSubmatch(m[2], -1) {
		v, _ := new(big.Rat).SetString(p[1])
		name := p[2]
		if name == "m" {
			name = "min"
		}
		sum.Add(sum, v.Mul(v, units[name].factor))
	}
	if m[1] == "-" {
		sum.Neg(sum)
	}
	return Quantity{value: sum, dim: Seconds}, true
}

func bareAdvice(number string, want Dim) string {
	switch want {
	case Bytes:
		return fmt.Sprintf("write %q for bytes, or %q", number+"B", number+"KiB")
	case Seconds:
		return fmt.Sprintf("write %q for seconds, or %q", number+"s", number+"ms")
	case BytesPerSec:
		return fmt.Sprintf("write %q or %q", number+"MB/s", number+"MiB/s")
	case PerSecond:
		return fmt.Sprintf("write %q", number+" IOPS")
	}
	return fmt.Sprintf("write %q", number+" "+want.String())
}

// unitAdvice proposes the spellings that a wrong unit was probably meant to be.
func unitAdvice(number, name string, want Dim) string {
	var near []string
	for u, sc := range units {
		if strings.EqualFold(u, name) || strings.EqualFold(strings.Replace(u, "i", "", 1), name) {
			if want == One || sc.dim == want {
				near = append(near, u)
			}
		}
	}
	if len(near) == 0 {
		for u, sc := range units {
			if (want == One || sc.dim == want) && nearby(u, name) {
				near = append(near, u)
			}
		}
	}
	if len(near) == 0 {
		return fmt.Sprintf("write it like %q", want.Example())
	}
	sort.Slice(near, func(i, j int) bool { // the binary unit first: it is what fio's users mean
		if a, b := strings.Contains(near[i], "i"), strings.Contains(near[j], "i"); a != b {
			return a
		}
		return near[i] < near[j]
	})
	if len(near) > 3 {
		near = near[:3]
	}
	for i, u := range near {
		near[i] = fmt.Sprintf("%q", number+u)
	}
	return "did you mean " + strings.Join(near, " or ") + "?"
}

// nearby reports whether two short names differ in one letter.
func nearby(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(b) < 2 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i < len(a) && a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

// Same reports whether two texts are the same word, or the same size, duration or rate, each with a unit: "16k" and "16KiB".
func Same(a, b string) bool {
	if a == b {
		return true
	}
	for _, d := range []Dim{Bytes, Seconds, BytesPerSec, PerSecond} {
		x, err := Parse(a, d)
		y, err2 := Parse(b, d)
		if err == nil && err2 == nil && x.Cmp(y) == 0 {
			return true
		}
	}
	return false
}
