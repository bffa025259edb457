// Package validity doubts samples: it holds the figures of a sample against each other, against what the test was told to do,
// against the hosts and against the clock. What cannot be a measurement at all makes the sample invalid; the rest are warnings with
// stable codes and the numbers in the text. What only the tool's own output tells is judged by its provider.
package validity

import (
	"fmt"
	"slices"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/zclconf/go-cty/cty"
)

// Evidence is what a sample is held against. What is absent is not known, and nothing is concluded from it.
type Evidence struct {
	Measures []schema.Measure // of the test's type
	Config   cty.Value        // of the test, quantities in base units
	Hosts    int              // on how many it ran at once; 0 counts as 1
	// Facts gives the facts of those hosts, by name; nil where there are none. It is asked only where they matter.
	Facts   func() []map[string]string
	Exits   []measure.Exit // of the attempt that counts; none: nothing was run
	Windows int            // rounds of which the sample is made; 0: it is one measurement
}

// Check looks at a sample that is ok, and adds warnings to it or makes it invalid. Other samples are left as they are.
func Check(s *measure.Sample, e Evidence) {
	if s.Outcome != measure.OK {
		return
	}
	d := &doubts{sample: s, Evidence: e}
	for _, check := range []func(*doubts){
		negative, percentiles, meanBeyondMax, exitsBackwards, latencyBeyondRun, rows, // these make it invalid
		zeroRate, directions, blockSize, queue, rates, ranTooShort, timed, processors, network, device, memory,
	} {
		check(d)
	}
	s.Warnings = append(slices.Clip(s.Warnings), d.warnings...)
	if len(d.faults) > 0 {
		s.Outcome, s.Reason = measure.Invalid, d.faults[0]
		for _, f := range d.faults[1:] {
			s.Reason += "; " + f
		}
	}
}

// doubts gathers what speaks against a sample.
type doubts struct {
	Evidence
	sample   *measure.Sample
	warnings []measure.Warning
	faults   []string
}

// warn adds a warning, unless the provider has said the same already.
func (d *doubts) warn(code, format string, args ...any) {
	for _, w := range slices.Concat(d.sample.Warnings, d.warnings) {
		if w.Code == code {
			return
		}
	}
	d.warnings = append(d.warnings, measure.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
}

// fault makes the sample invalid. The reason begins with the code.
func (d *doubts) fault(code, format string, args ...any) {
	d.faults = append(d.faults, code+": "+fmt.Sprintf(format, args...))
}

// attribute is one of the configuration, null where there is none.
func (d *doubts) attribute(name string) cty.Value {
	if d.Config == cty.NilVal || d.Config.IsNull() || !d.Config.Type().IsObjectType() || !d.Config.Type().HasAttribute(name) {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return d.Config.GetAttr(name)
}

func (d *doubts) number(name string) (float64, bool) {
	v := d.attribute(name)
	if v.IsNull() || v.Type() != cty.Number {
		return 0, false
	}
	n, _ := v.AsBigFloat().Float64()
	return n, true
}

func (d *doubts) text(name string) string {
	v := d.attribute(name)
	if v.IsNull() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// option is one of a tool's options beside the attributes, such as fio's.
func (d *doubts) option(name string) bool {
	v := d.attribute("options")
	if v.IsNull() || !v.Type().IsMapType() {
		return false
	}
	_, ok := v.AsValueMap()[name]
	return ok
}

// facts are those of the hosts.
func (d *doubts) facts() []map[string]string {
	if d.Facts == nil {
		return nil
	}
	return d.Facts()
}

// apart tells whether two figures differ by more than a share of the larger.
func apart(a, b, share float64) bool { return max(a, b)-min(a, b) > share*max(a, b) }
