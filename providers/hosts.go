package providers

import (
	"fmt"
	"net/url"
	"time"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers/measure"
)

// HostKeys gives the values of the key host for the hosts of a test: the name or IP address alone where that tells them apart, else with
// the port, else the whole address. This machine is localhost.
func HostKeys(hosts []string) []string {
	forms := []func(string) string{
		func(address string) string { return part(address, (*url.URL).Hostname) },
		func(address string) string { return part(address, func(u *url.URL) string { return u.Host }) },
		func(address string) string { return address },
	}
	for _, form := range forms {
		keys, seen := make([]string, len(hosts)), map[string]bool{}
		for i, h := range hosts {
			keys[i] = form(h)
			seen[keys[i]] = true
		}
		if len(seen) == len(hosts) {
			return keys
		}
	}
	return hosts
}

func part(address string, of func(*url.URL) string) string {
	if address == "" {
		return "localhost"
	}
	if u, err := url.Parse(address); err == nil && of(u) != "" {
		return of(u)
	}
	return address
}

// enough is the share of the longest command's time in which all must have run. What ran alone for a tenth of the time makes a
// sum over the hosts too large by no more than about that.
const enough = 0.9

// Overlap warns where commands that were to run together on several hosts did not for most of the time: their figures do not add up
// then. Exits that never started say nothing.
func Overlap(exits []measure.Exit) []measure.Warning {
	var first, last *measure.Exit // the last to start, and the first to end
	var longest time.Duration
	for i := range exits {
		e := &exits[i]
		if e.Started.IsZero() || e.Ended.IsZero() {
			continue
		}
		if last == nil || e.Started.After(last.Started) {
			last = e
		}
		if first == nil || e.Ended.Before(first.Ended) {
			first = e
		}
		longest = max(longest, e.Ended.Sub(e.Started))
	}
	if last == nil {
		return nil
	}
	together := max(0, first.Ended.Sub(last.Started))
	if together.Seconds() >= enough*longest.Seconds() {
		return nil
	}
	seconds := func(d time.Duration) string { return unit.FormatSeconds(d.Seconds()) }
	return []measure.Warning{{Code: "did_not_overlap", Text: fmt.Sprintf("the hosts worked together for %s of %s only: %s began last, and %s ended first; what is summed over them was not there at one time",
		seconds(together), seconds(longest), last.Host, first.Host)}}
}
