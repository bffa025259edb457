package derive

import (
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/validity"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// doubt holds the sample of an attempt at a test, or of a load, against what the record has beside it. A monitor measures no work of its own, so
// that there is nothing to hold it against.
func doubt(r *record.Record, set *providers.Set, t plan.Test, exits []measure.Exit, s *measure.Sample) error {
	if t.Kind() == "monitor" || s.Outcome != measure.OK {
		return nil
	}
	typ, cfg, err := Type(set, t)
	if err != nil {
		return err
	}
	e := validity.Evidence{Measures: typ.Measures, Config: cfg, Exits: exits, Hosts: len(t.Hosts)}
	var unread error
	if len(exits) > 0 { // what was imported was not measured on these hosts
		e.Facts = func() []map[string]string {
			facts, err := r.Facts()
			unread = err
			var list []map[string]string
			for _, h := range t.Hosts {
				list = append(list, facts[h])
			}
			if len(t.Hosts) == 0 {
				list = append(list, facts[""])
			}
			return list
		}
	}
	for _, one := range s.Rounds {
		if one.Window {
			e.Windows++
		}
	}
	validity.Check(s, e)
	return unread
}

// clocks holds the samples of steps against how long they took, and repetitions of one test against each other.
func (d *deriver) clocks() {
	byAddress := map[string][]*measure.Sample{}
	var order []string
	for _, s := range d.plan.Steps {
		i, ok := d.byStep[s.ID]
		if !ok || s.Action != plan.RunTest {
			continue
		}
		sample, e := &d.out.Samples[i], d.final[s.ID]
		if e.Started != nil && e.Ended != nil && e.Attempt <= 1 {
			validity.Clock(sample, e.DurationS, e.Ended.Sub(*e.Started).Seconds())
		}
		if byAddress[s.Address] == nil {
			order = append(order, s.Address)
		}
		byAddress[s.Address] = append(byAddress[s.Address], sample)
	}
	for _, address := range order {
		if typ, _, err := Type(d.set, d.runs[address]); err == nil { // it was found before, when the samples were parsed
			validity.Copied(byAddress[address], typ.Measures)
		}
	}
}
