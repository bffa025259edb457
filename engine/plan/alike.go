package plan

import (
	"slices"
	"strings"

	"github.com/assay-bench/assay/providers"
)

// commandLines prints the commands of a step. What is the same on each of several hosts stands there once, below their names.
func commandLines(commands []providers.Command) []string {
	var hosts, all []string
	on := map[string][]string{} // by host, without its name
	for _, c := range commands {
		all = append(all, CommandLine(c))
		if on[c.On] == nil {
			hosts = append(hosts, c.On)
		}
		alone := c
		alone.On = ""
		on[c.On] = append(on[c.On], CommandLine(alone))
	}
	if len(hosts) < 2 || slices.Contains(hosts, "") {
		return all
	}
	for _, h := range hosts[1:] {
		if !slices.Equal(on[h], on[hosts[0]]) {
			return all
		}
	}
	return append([]string{"on each of " + strings.Join(hosts, ", ") + ":"}, on[hosts[0]]...)
}
