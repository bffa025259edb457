package report

import (
	"fmt"
	"sort"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
)

// command is one command line and how often it ran.
type command struct {
	Address string
	Action  string
	On      string
	Line    string
	Ended   string // "repetitions 1–6: exit 0, 2.01 s to 2.03 s"; "planned"
}

// commands groups equal command lines of a step that ended alike. Without any that ran it gives the planned ones.
func commands(in Input) []command {
	type key struct{ address, action, host, line, ended string }
	type times struct {
		reps            []int
		count           int
		lowest, longest float64
	}
	var order []key
	of := map[key]*times{}
	for _, r := range in.Ran {
		for _, e := range r.Exits {
			k := key{r.Address, string(r.Action), e.Host, commandLine(e.Argv), ended(e)}
			if r.Attempt > 1 {
				k.ended += fmt.Sprintf(" in attempt %d", r.Attempt)
			}
			t := of[k]
			took := e.Ended.Sub(e.Started).Seconds()
			if t == nil {
				t = &times{lowest: took, longest: took}
				of[k] = t
				order = append(order, k)
			}
			t.count++
			t.lowest, t.longest = min(t.lowest, took), max(t.longest, took)
			if r.Repetition > 0 {
				t.reps = append(t.reps, r.Repetition)
			}
		}
	}
	var out []command
	for _, k := range order {
		t := of[k]
		end := k.ended
		if len(t.reps) > 0 {
			end = (trouble{Reps: t.reps}).Repetitions() + ": " + end
		} else if t.count > 1 {
			end = fmt.Sprintf("%d times: %s", t.count, end)
		}
		if a, b := unit.FormatSeconds(t.lowest), unit.FormatSeconds(t.longest); a == b {
			end += ", " + a
		} else {
			end += ", " + a + " to " + b
		}
		out = append(out, command{k.address, k.action, k.host, k.line, end})
	}
	if len(out) == 0 {
		out = plannedCommands(in.Plan)
	}
	return out
}

func ended(e measure.Exit) string {
	var parts []string
	if e.Signal != "" {
		parts = append(parts, "ended by "+e.Signal)
	} else {
		parts = append(parts, fmt.Sprintf("exit %d", e.Code))
	}
	if e.Error != "" {
		parts = append(parts, e.Error)
	}
	return strings.Join(parts, ", ")
}

func plannedCommands(p *plan.Plan) []command {
	var out []command
	seen := map[command]bool{}
	for _, s := range p.Steps {
		for _, c := range s.Commands {
			k := command{s.Address, string(s.Action), c.On, plannedLine(c), "planned"}
			if k.Line != "" && !seen[k] {
				seen[k] = true
				out = append(out, k)
			}
		}
	}
	return out
}

func plannedLine(c providers.Command) string {
	switch {
	case len(c.Argv) > 0:
		return commandLine(c.Argv)
	case c.SQL != "":
		return c.SQL
	case c.HTTP != "":
		return c.HTTP
	}
	return c.Manual
}

// hostName says which machine an address is.
func hostName(address string) string {
	if address == "" {
		return "the machine that ran this"
	}
	return address
}

// hostFacts are the facts of one machine, by name.
type hostFacts struct {
	Host  string
	Facts [][2]string
}

func facts(in Input) []hostFacts {
	var out []hostFacts
	for _, h := range sortedKeys(in.Facts) {
		f := hostFacts{Host: hostName(h)}
		for _, n := range sortedKeys(in.Facts[h]) {
			f.Facts = append(f.Facts, [2]string{n, in.Facts[h][n]})
		}
		out = append(out, f)
	}
	return out
}

// provenance is how the report came about: spec files, variables, providers, manifest.
func provenance(in Input) [][2]string {
	var out [][2]string
	manifest := in.Manifest
	if manifest == "" {
		manifest = "none: this record is not complete"
	}
	out = append(out, [2]string{"SHA-256 of the record's manifest", manifest})
	for _, f := range sortedKeys(in.Plan.Spec.Files) {
		out = append(out, [2]string{"spec " + f, "SHA-256 " + in.Plan.Spec.Files[f]})
	}
	ps := append([]plan.ProviderInfo(nil), in.Plan.Providers...)
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].Name < ps[j].Name })
	for _, p := range ps {
		out = append(out, [2]string{"provider " + p.Name, p.Version})
	}
	for _, n := range sortedKeys(in.Plan.Variables) {
		out = append(out, [2]string{"variable " + n, string(in.Plan.Variables[n])})
	}
	for _, n := range in.Plan.Sensitive {
		out = append(out, [2]string{"variable " + n, "sensitive, kept nowhere"})
	}
	return out
}
