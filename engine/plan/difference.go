package plan

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Variable reads the value of a variable that a plan holds.
func Variable(raw json.RawMessage) (cty.Value, error) {
	ty, err := ctyjson.ImpliedType(raw)
	if err != nil {
		return cty.NilVal, err
	}
	return ctyjson.Unmarshal(raw, ty)
}

// Difference says in words in what two plans of one spec differ.
func Difference(old, now *Plan) string {
	var what []string
	for name, sum := range now.Spec.Files {
		switch was, ok := old.Spec.Files[name]; {
		case !ok:
			what = append(what, name+" is new")
		case was != sum:
			what = append(what, name+" has changed")
		}
	}
	for name := range old.Spec.Files {
		if _, ok := now.Spec.Files[name]; !ok {
			what = append(what, name+" is gone")
		}
	}
	for _, name := range keys(old.Variables, now.Variables) {
		if !reflect.DeepEqual(canonical(old.Variables[name]), canonical(now.Variables[name])) {
			what = append(what, fmt.Sprintf("variable %s is %s and was %s", name, orNone(now.Variables[name]), orNone(old.Variables[name])))
		}
	}
	what = append(what, ChangedProviders(old, now)...)
	sort.Strings(what)
	what = append(what, foundOtherwise(old, now)...)
	if len(what) == 0 {
		what = append(what, steps(old, now))
	}
	return strings.Join(what, "; ")
}

// foundOtherwise says what providers found on the machines that was not so: which disk it is that is erased, say.
func foundOtherwise(old, now *Plan) []string {
	var what []string
	for _, e := range missing(disks(now), disks(old)) {
		what = append(what, "it would now erase "+e)
	}
	for i := range now.Things {
		t := &now.Things[i]
		was := old.Thing(t.ID)
		if was == nil {
			continue
		}
		for _, name := range sorted(t.Expect) {
			if before, ok := was.Expect[name]; ok && before != t.Expect[name] {
				what = append(what, fmt.Sprintf("%s found %s otherwise: it was %s and is %s", t.Addresses[0], name, before, t.Expect[name]))
			}
		}
	}
	return what
}

func keys(a, b map[string]json.RawMessage) []string {
	seen := map[string]bool{}
	for k := range a {
		seen[k] = true
	}
	for k := range b {
		seen[k] = true
	}
	var out []string
	for k := range seen {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func canonical(raw json.RawMessage) any {
	var v any
	_ = json.Unmarshal(raw, &v) // nothing for an absent one
	return v
}

func orNone(raw json.RawMessage) string {
	if raw == nil {
		return "not set"
	}
	return string(raw)
}

// steps finds the first step that differs.
func steps(old, now *Plan) string {
	for i := range old.Steps {
		if i >= len(now.Steps) || !reflect.DeepEqual(old.Steps[i], now.Steps[i]) {
			return fmt.Sprintf("step %s (%s of %s) would be done otherwise on the machine as it is now", old.Steps[i].ID, old.Steps[i].Action, old.Steps[i].Address)
		}
	}
	if len(now.Steps) > len(old.Steps) {
		return fmt.Sprintf("there are %d steps more", len(now.Steps)-len(old.Steps))
	}
	return "what surrounds the steps has changed: assay's version, or a provider's"
}

// ChangedLimits says which KPIs judge otherwise than they did when the data were taken.
func ChangedLimits(old, now Judgement) []string {
	was := map[string]KPI{}
	for _, k := range old.KPIs {
		was[k.Address] = k
	}
	var out []string
	if old.Strict != now.Strict {
		out = append(out, fmt.Sprintf("strict became %v after the data were seen", now.Strict))
	}
	for _, k := range now.KPIs {
		o, ok := was[k.Address]
		delete(was, k.Address)
		switch {
		case !ok:
			out = append(out, fmt.Sprintf("%s was added after the data were seen", k.Address))
		case o.LimitText() != k.LimitText() || o.Severity != k.Severity || o.Statistic != k.Statistic || o.Of != k.Of || o.KeysText() != k.KeysText() || o.Measure.Name != k.Measure.Name || !reflect.DeepEqual(o.Confidence, k.Confidence):
			out = append(out, fmt.Sprintf("%s was changed after the data were seen: it was %s %s%s, %s", k.Address, o.Measure.Name, o.LimitText(), o.KeysText(), o.Severity))
		}
	}
	for _, k := range old.KPIs {
		if _, gone := was[k.Address]; gone {
			out = append(out, fmt.Sprintf("%s was removed after the data were seen: it was %s %s%s, %s", k.Address, k.Measure.Name, k.LimitText(), k.KeysText(), k.Severity))
		}
	}
	return out
}
