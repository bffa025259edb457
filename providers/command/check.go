package command

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
)

// checker gathers what is wrong with a configuration.
type checker struct{ problems []providers.Problem }

func (c *checker) add(attribute, summary, detail string, args ...any) {
	c.problems = append(c.problems, providers.Problem{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(detail, args...)})
}

func (c *checker) warn(attribute, summary, detail string, args ...any) {
	c.add(attribute, summary, detail, args...)
	c.problems[len(c.problems)-1].Warning = true
}

// check looks at what needs no machine.
func check(t providers.Target) []providers.Problem {
	c, b := &checker{}, body{t.Config}
	c.claims(b)
	switch {
	case t.Type == manualType:
		for _, name := range []string{"instructions", "undo"} {
			if strings.TrimSpace(b.text(name)) == "" {
				c.add(name, "No instructions", "%s tells a person what to do, and is empty.", name)
			}
		}
		c.inspect(b)
		c.slot(b)
	case t.Kind == "setup":
		c.commands(b, "create", true)
		c.inspect(b)
		c.commands(b, "switch", false)
		c.commands(b, "destroy", true)
		c.slot(b)
	case t.Kind == "dataset":
		c.commands(b, "load", true)
		c.inspect(b)
		c.commands(b, "remove", true)
		c.measures(b)
		c.oneHost(t)
	case t.Kind == "test":
		c.command("argv", b.command())
		c.commands(b, "before", false)
		if len(b.blocks("measure")) == 0 {
			c.add("", "No measure", `The test yields nothing. Say what is measured: measure "NAME" { pattern = "rate: (\\S+)", unit = "MB/s" }.`)
		}
		c.measures(b)
		c.oneHost(t)
	case t.Kind == "monitor":
		c.command("argv", b.command())
		if len(b.blocks("measure")) == 0 {
			c.add("", "No measure", `The monitor yields nothing. Say what is watched: measure "NAME" { pattern = "load: (\\S+)" }.`)
		}
		c.figures(b, "json, column and pattern")
		c.oneHost(t)
	}
	return c.problems
}

func (c *checker) oneHost(t providers.Target) {
	if len(t.Hosts) > 1 {
		c.add("", "Several hosts", "The commands of a %s run on one host, and this one has %d: %s. Name hardware of one host by on.", t.Kind, len(t.Hosts), strings.Join(t.Hosts, ", "))
	}
}

func (c *checker) claims(b body) {
	seen := map[string]bool{}
	for _, name := range []string{"claims", "shares"} {
		for _, claim := range b.list(name) {
			if strings.TrimSpace(claim) == "" || seen[claim] {
				c.add(name, "Claim empty or given twice", "Each name is claimed or shared once, and is not empty: %q.", claim)
			}
			seen[claim] = true
		}
	}
}

func (c *checker) slot(b body) {
	slot, state := b.text("slot"), b.text("state")
	switch {
	case slot == "" && state != "":
		c.add("state", "State without slot", "A state is one of a slot. Name the slot too, the same for all its states: slot = \"cache\".")
	case slot != "" && (state == "" || state == providers.AnyState):
		c.add("slot", "Slot without state", "Say which state of the slot this is, other than \"*\": state = \"on\".")
	case slot == "" && len(b.blocks("switch")) > 0:
		c.add("switch", "Switch without slot", "A thing is switched between the states of a slot. Name them: slot = \"cache\" and state = \"on\".")
	}
}

func (c *checker) commands(b body, name string, needed bool) {
	list := b.commands(name)
	if len(list) == 0 && needed {
		c.add(name, "No "+name+" command", "At least one %s block is needed: %s { argv = [\"program\", \"argument\"] }.", name, name)
	}
	for _, x := range list {
		c.command(name, x)
	}
}

var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// command checks what can be told of a command without its machine; attribute is where it stands.
func (c *checker) command(attribute string, x command) {
	switch {
	case len(x.argv) == 0 || x.argv[0] == "":
		c.add(attribute, "No program", "argv begins with the program: argv = [\"program\", \"argument\"].")
		return
	case strings.Contains(x.argv[0], "/") && !path.IsAbs(x.argv[0]):
		c.add(attribute, "Relative program", "%q is neither a bare name, which is looked up on PATH, nor an absolute path.", x.argv[0])
	case strings.ContainsAny(x.argv[0], " \t\n"):
		c.warn(attribute, "Program with blanks", "%q is taken as the name of one program. Its arguments are elements of argv of their own.", x.argv[0])
	case len(x.argv) > 1 && strings.HasSuffix(path.Base(x.argv[0]), "sh") && strings.HasPrefix(x.argv[1], "-") && strings.HasSuffix(x.argv[1], "c"):
		c.warn(attribute, "Shell command line", "A shell goes on after a command that fails, and gives the status of the last one. Write one block for each command, or a script that the host has.")
	}
	if x.dir != "" && !path.IsAbs(x.dir) {
		c.add(attribute, "Relative directory", "dir = %q is not an absolute path.", x.dir)
	}
	if x.dir != "" && len(x.files) > 0 {
		c.add(attribute, "Two directories", "files are written into a directory of their own, in which the command runs, so dir cannot be given too.")
	}
	for _, name := range sortedKeys(x.files) {
		if name == "" || name != path.Base(name) || name == "." || name == ".." || strings.ContainsRune(name, 0) {
			c.add(attribute, "Not a file name", "%q in files must be a name without slashes.", name)
		}
	}
	for _, name := range sortedKeys(x.env) {
		if !environmentName.MatchString(name) || strings.ContainsRune(x.env[name], 0) {
			c.add(attribute, "Not a variable", "%q in env must be a name of letters, digits and _, with a value without NUL.", name)
		}
	}
	for _, p := range append(slices.Clone(x.expect), x.failIf...) {
		c.pattern(attribute, p)
	}
}

func (c *checker) pattern(attribute, pattern string) *regexp.Regexp {
	re, err := compile(pattern)
	if err != nil {
		c.add(attribute, "Invalid pattern", "%q is not a regular expression: %s.", pattern, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return nil
	}
	if re.MatchString("") && re.NumSubexp() == 0 {
		c.add(attribute, "Pattern matches anything", "%q is found in every output, also in an empty one; say what must stand there.", pattern)
	}
	return re
}

func (c *checker) inspect(b body) {
	i, ok := b.inspection()
	if !ok {
		c.add("inspect", "No inspect command", "One inspect block is needed, since an exit status alone proves nothing: inspect { argv = [\"program\"], standing = \"pattern\" }.")
		return
	}
	c.command("inspect", i.command)
	for _, p := range []string{i.standing, i.partial, i.absent} {
		if p != "" {
			c.pattern("inspect", p)
		}
	}
}

func (c *checker) measures(b body) { c.figures(b, "json, column, pattern, hdr and elapsed") }

// figures checks the measures of a body; places are the attributes that say where one is.
func (c *checker) figures(b body, places string) {
	for _, f := range b.figures() {
		c.figure(f, places)
	}
}

func (c *checker) figure(f figure, places string) {
	bad := func(summary, detail string, args ...any) {
		c.add("measure", summary, "measure %q: "+detail, append([]any{f.name}, args...)...)
	}
	given := 0
	for _, s := range []bool{f.json != "", f.column != "", f.pattern != "", f.elapsed, f.hdr != 0} {
		if s {
			given++
		}
	}
	if given != 1 {
		bad("Figure not found", "just one of "+places+" says where the figure is, and %d are given.", given)
		return
	}
	switch {
	case f.hdr != 0 && !strings.Contains(places, "hdr"):
		bad("No histogram", "what a monitor sees is a series of figures; a percentile of a histogram is for a test or a dataset.")
	case f.hdr != 0 && (len(f.keys) > 1 || f.rollUp != "" || f.statistic != statistics[0]):
		bad("Percentile of a histogram", "its one key, if any, is the tag of the histograms, which are merged; leave further keys, roll_up and statistic out.")
	case f.hdr != 0:
	case f.elapsed:
		if dim, _, factor := unit.Printed(f.unit); f.unit != "" && f.unit != "1" && (dim != unit.Seconds || factor != 1) || len(f.keys) > 0 {
			bad("Elapsed time", "the time that the command ran has unit = \"s\" and no keys.")
		} else if dim != unit.Seconds {
			bad("Elapsed time", "write unit = \"s\".")
		}
	case f.json != "":
		steps, err := jsonPath(f.json)
		if err != nil {
			bad("Invalid path", "%s.", err)
			return
		}
		if all := len(slices.DeleteFunc(steps, func(s step) bool { return !s.all })); len(f.keys) > 0 && all != len(f.keys) {
			bad("Keys without places", "each * of the path is a key, and there are %d for %d keys.", all, len(f.keys))
		}
	case f.column != "":
		if utf8.RuneCountInString(f.separator) != 1 || strings.ContainsAny(f.separator, "\"\r\n") {
			bad("Invalid separator", "%q is not one character that can stand between columns.", f.separator)
		}
	default:
		re := c.pattern("measure", f.pattern)
		if re == nil {
			return
		}
		if len(f.keys) == 0 && re.NumSubexp() != 1 {
			bad("Pattern without figure", "the pattern has one group in parentheses, which is the figure, and this one has %d; (?:…) groups without being one.", re.NumSubexp())
		}
		for _, k := range append(slices.Clone(f.keys), "value") {
			if len(f.keys) > 0 && re.SubexpIndex(k) < 0 {
				bad("Pattern without key", "with keys, each of them and the figure is a named group: (?P<%s>…) is missing.", k)
			}
		}
	}
}
