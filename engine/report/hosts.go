package report

import (
	"strings"
)

// hostPart are the facts of one machine.
type hostPart struct {
	Host  string
	Facts part
}

// hostDifference is a fact that is not the same on all machines.
type hostDifference struct {
	Fact   string
	Values []valueOn
}

type valueOn struct {
	Value string // empty: not known
	Hosts string
}

// hosts gives the facts of every machine, and those in which they differ.
func (w *pageWriter) hosts() (part, []hostPart) {
	all := facts(w.v.in)
	differ := hostDifferences(all)
	list := w.fill("host-difference", hostBytes/2, len(differ), func(i int) any { return differ[i] })
	var out []hostPart
	share := fairly(hostBytes, len(all))
	for _, h := range all {
		p := hostPart{Host: h.Host}
		p.Facts = w.fill("fact", share.next(), len(h.Facts), func(i int) any { return h.Facts[i] })
		share.used(len(p.Facts.HTML))
		out = append(out, p)
	}
	return list, out
}

// hostDifferences leaves out what changes by itself.
func hostDifferences(all []hostFacts) []hostDifference {
	names := map[string]bool{}
	of := make([]map[string]string, len(all))
	for i, h := range all {
		of[i] = map[string]string{}
		for _, f := range h.Facts {
			of[i][f[0]] = f[1]
			names[f[0]] = names[f[0]] || !strings.HasPrefix(f[0], "volatile.")
		}
	}
	var out []hostDifference
	for _, name := range sortedKeys(names) {
		if !names[name] {
			continue
		}
		on := map[string][]string{}
		for i, h := range all {
			on[of[i][name]] = append(on[of[i][name]], h.Host)
		}
		if len(on) < 2 {
			continue
		}
		d := hostDifference{Fact: name}
		for _, v := range sortedKeys(on) {
			d.Values = append(d.Values, valueOn{v, strings.Join(on[v], ", ")})
		}
		out = append(out, d)
	}
	return out
}
