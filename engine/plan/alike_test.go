package plan

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
)

// TestAlike: what several hosts do alike is printed once, and only that.
func TestAlike(t *testing.T) {
	on := func(host string, argv ...string) providers.Command { return providers.Command{On: host, Argv: argv} }
	for _, c := range []struct {
		commands []providers.Command
		want     string
	}{
		{nil, ""},
		{[]providers.Command{on("", "a"), on("", "b")}, "$ a|$ b"},
		{[]providers.Command{on("h1", "a"), on("h1", "b")}, "h1 $ a|h1 $ b"},
		{[]providers.Command{on("h1", "a"), on("h1", "b"), on("h2", "a"), on("h2", "b")}, "on each of h1, h2:|$ a|$ b"},
		{[]providers.Command{on("h1", "a"), on("h2", "a"), on("h1", "b"), on("h2", "b")}, "on each of h1, h2:|$ a|$ b"},
		{[]providers.Command{on("h1", "a"), on("h1", "b"), on("h2", "b"), on("h2", "a")}, "h1 $ a|h1 $ b|h2 $ b|h2 $ a"},
		{[]providers.Command{on("h1", "a"), on("h2", "a"), on("h3", "a", "x")}, "h1 $ a|h2 $ a|h3 $ a x"},
		{[]providers.Command{on("", "a"), on("h2", "a")}, "$ a|h2 $ a"},
		{[]providers.Command{{On: "h1", SQL: "a"}, on("h2", "a")}, "h1 sql> a|h2 $ a"},
	} {
		if got := strings.Join(commandLines(c.commands), "|"); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
