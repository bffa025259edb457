package command

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// maxFigures bounds what one measure may find: more is a pattern that matches what it should not.
const maxFigures = 10000

// found is a text that is a figure, with the values of the keys in their order.
type found struct {
	keys []string
	text string
}

// extract looks for a measure in output and makes its values, one for each combination of keys. The error says why there is none.
func (f figure) extract(output []byte) ([]measure.Value, error) {
	var all []found
	var err error
	switch {
	case f.json != "":
		all, err = f.inJSON(output)
	case f.column != "":
		all, err = f.inTable(output)
	default:
		all, err = f.inText(output)
	}
	switch {
	case err != nil:
		return nil, err
	case len(all) == 0:
		return nil, fmt.Errorf("%s is not found", f.where())
	case len(all) > maxFigures:
		return nil, fmt.Errorf("%s is found more than %d times", f.where(), maxFigures)
	}
	var order []string
	byKey := map[string][]float64{}
	keysOf := map[string]addr.Coordinates{}
	for _, x := range all {
		v, err := f.number(x.text)
		if err != nil {
			return nil, err
		}
		keys, err := f.coordinates(x)
		if err != nil {
			return nil, err
		}
		id := keys.String()
		if _, seen := byKey[id]; !seen {
			order = append(order, id)
			keysOf[id] = keys
		}
		byKey[id] = append(byKey[id], v)
	}
	var out []measure.Value
	for _, id := range order {
		v, err := f.one(byKey[id])
		if err != nil {
			if len(f.keys) > 0 {
				err = fmt.Errorf("at %s: %w", id, err)
			}
			return nil, err
		}
		out = append(out, measure.Value{Measure: f.name, Keys: keysOf[id], Value: v})
	}
	return out, nil
}

// coordinates are the values of the keys; nil where the figure has none.
func (f figure) coordinates(x found) (addr.Coordinates, error) {
	if len(f.keys) == 0 {
		return nil, nil
	}
	keys := addr.Coordinates{}
	for i, k := range f.keys {
		if keys[k] = strings.TrimSpace(x.keys[i]); keys[k] == "" || len(keys[k]) > 200 || printable(keys[k]) != keys[k] {
			return nil, fmt.Errorf("%q cannot be the value of the key %s: it is one line of 1 to 200 bytes", printable(keys[k]), k)
		}
	}
	return keys, nil
}

// where names the place in a message.
func (f figure) where() string {
	switch {
	case f.json != "":
		return "the JSON path " + f.json
	case f.column != "":
		return "a table with the column " + f.column
	}
	return "the pattern " + f.pattern
}

// compile compiles a pattern.
func compile(pattern string) (*regexp.Regexp, error) { return regexp.Compile("(?m)" + pattern) }

// inText finds every match of the pattern.
func (f figure) inText(output []byte) ([]found, error) {
	re, err := compile(f.pattern)
	if err != nil {
		return nil, err
	}
	return f.matches(re, output)
}

// matches finds every match of the compiled pattern.
func (f figure) matches(re *regexp.Regexp, output []byte) ([]found, error) {
	value := 1
	if len(f.keys) > 0 {
		value = re.SubexpIndex("value")
	}
	var out []found
	for _, m := range re.FindAllSubmatch(output, maxFigures+1) {
		if value < 1 || value >= len(m) {
			return nil, fmt.Errorf("the pattern %s has no group that is the figure", f.pattern)
		}
		x := found{text: string(m[value])}
		for _, k := range f.keys {
			i := re.SubexpIndex(k)
			if i < 0 {
				return nil, fmt.Errorf("the pattern %s has no group %s", f.pattern, k)
			}
			x.keys = append(x.keys, string(m[i]))
		}
		out = append(out, x)
	}
	return out, nil
}

var bareNumber = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// number reads the text of a figure in base units: a bare number is in the measure's unit, else it has its own, which must be of the
// same dimension.
func (f figure) number(text string) (float64, error) {
	text = strings.TrimSpace(text)
	dim, symbol, factor := unit.Printed(f.unit)
	if bareNumber.MatchString(text) {
		if q, err := unit.Parse(text+" "+strings.TrimSpace(f.unit), dim); err == nil && symbol == "" && factor != 1 {
			return q.Float(), nil // exactly, and rounded once
		}
		v, err := strconv.ParseFloat(text, 64)
		if v *= factor; err != nil || math.IsInf(v, 0) {
			return 0, fmt.Errorf("%q is too large to be a figure", printable(text))
		}
		return v, nil
	}
	q, err := unit.Parse(unit.WithoutSymbol(text, dim, symbol), dim)
	if err != nil {
		return 0, fmt.Errorf("what is found for it, %q, is not %s", printable(text), dim.Noun())
	}
	return q.Float(), nil
}

// statistics say what becomes of several figures.
var statistics = []string{"only", "last", "first", "sum", "mean", "median", "min", "max"}

func (f figure) one(values []float64) (float64, error) {
	v := values[0]
	switch f.statistic {
	case "", "only":
		if len(values) > 1 {
			return 0, fmt.Errorf("%s is found %d times; say by statistic what becomes of them", f.where(), len(values))
		}
	case "last":
		v = values[len(values)-1]
	case "first":
	case "sum", "mean":
		for _, x := range values[1:] {
			v += x
		}
		if f.statistic == "mean" {
			v /= float64(len(values))
		}
	case "median":
		s := slices.Sorted(slices.Values(values))
		v = s[len(s)/2]
		if len(s)%2 == 0 {
			v = (s[len(s)/2-1] + v) / 2
		}
	case "min":
		v = slices.Min(values)
	case "max":
		v = slices.Max(values)
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Errorf("the %s of %s is too large to be a figure", f.statistic, f.where())
	}
	return v, nil
}

// printable makes a piece of output fit for a message: one line of valid text, not too long.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, strings.ToValidUTF8(s, "·"))
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return s
}
