package fio

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
)

// section is a job of a job file, with the options that hold for it: its own, and those of the [global] sections before it.
type section struct {
	name    string
	line    int
	options map[string]string // by exact name; a flag is ""
}

// jobProblem is what is wrong at a line of a job file.
type jobProblem struct {
	line            int
	summary, detail string
}

var sectionRE = regexp.MustCompile(`\A[A-Za-z0-9_.-]{1,100}\z`)

// readJobs reads a job file as far as it takes to know what it does: as fio's parse_jobs_ini in init.c, where a line is cut at ; and #. Every option
// goes through the allow-list of single options, since a job file can do whatever fio can: name files, run commands, include other
// files, take values from the environment.
func readJobs(text string, where place) (jobs []section, problems []jobProblem) {
	global, current := map[string]string{}, (*section)(nil)
	fault := func(line int, summary, format string, args ...any) {
		problems = append(problems, jobProblem{line, summary, fmt.Sprintf(format, args...)})
	}
	began := false // some section did
	for i, raw := range strings.Split(text, "\n") {
		n := i + 1
		line := raw
		if cut := strings.IndexAny(line, ";#"); cut >= 0 {
			line = line[:cut]
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if strings.HasPrefix(line, "[") {
			name := strings.TrimSuffix(strings.TrimPrefix(line, "["), "]")
			began, current = true, nil
			if name == "global" {
				continue
			}
			if !sectionRE.MatchString(name) || !strings.HasSuffix(line, "]") {
				fault(n, "Unusable section name", "%q is not a name of letters, digits, _, . and - in brackets, which is what the results are known by.", name)
			}
			if slices.ContainsFunc(jobs, func(s section) bool { return s.name == name }) {
				fault(n, "Section named twice", "There are two sections %q. The results of each need a name of its own.", name)
			}
			jobs = append(jobs, section{name, n, map[string]string{}})
			current = &jobs[len(jobs)-1]
			for k, v := range global {
				current.options[k] = v
			}
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case strings.HasPrefix(line, "include ") || name == "include":
			fault(n, "Option \"include\" is refused", "It reads another file. Put what it has into this one.")
			continue
		case !began:
			fault(n, "Option outside of a section", "fio wants a section before it: [global], or the name of a job in brackets.")
			continue
		}
		if full, ok := aliases[name]; ok {
			name = full
		}
		if summary, detail := jobOptionProblem(name, value, where); summary != "" {
			fault(n, summary, "%s", detail)
		}
		if current == nil {
			global[name] = value
		} else {
			current.options[name] = value
		}
	}
	if len(jobs) == 0 {
		fault(1, "No job", "The file has no section but [global], so fio would do nothing.")
	}
	for _, s := range jobs {
		if _, engine := s.options["ioengine"]; engine {
			continue
		}
		for name := range s.options { // a job file may name an engine's option in [global] before the engine
			if f, ok := allowed[name]; ok && len(f.engines) > 0 {
				fault(s.line, fmt.Sprintf("Option %q is of another engine", name), "Only %s knows it, and this job names no ioengine.", strings.Join(f.engines, " or "))
			}
		}
	}
	return jobs, problems
}

// jobFlags are the options that a job file may have beside attributes and what options = {} may hold: they are about several jobs, or need no
// value.
var jobFlags = map[string]bool{"stonewall": true, "new_group": true, "time_based": true}

var (
	flagRE   = regexp.MustCompile(`\A(?:|0|1|true|false)\z`)
	amountRE = regexp.MustCompile(`\A[0-9]{1,15}(?:\.[0-9]{1,6})?(?:[a-zA-Z]{1,3}|%)?(?:,[0-9]{1,15}[a-zA-Z]{0,3}){0,2}\z`)
	wholeRE  = regexp.MustCompile(`\A-?[0-9]{1,15}\z`)
)

// jobOptionProblem says why an option of a job file is refused; "" where it is let through. Values are in fio's form, and are passed on as they
// stand.
func jobOptionProblem(name, value string, where place) (summary, detail string) {
	if strings.Contains(value, "$") {
		return fmt.Sprintf("Invalid value of option %q", name), "What begins with $ is taken from the host's environment, which the plan cannot show. Write the value."
	}
	wrong := func(like string) (string, string) {
		return fmt.Sprintf("Invalid value of option %q", name), fmt.Sprintf("%q does not have the form of %q, which is the only one that is let through.", value, like)
	}
	match := func(re *regexp.Regexp, like string) (string, string) {
		if re.MatchString(value) {
			return "", ""
		}
		return wrong(like)
	}
	switch {
	case name == "filename":
		for _, one := range splitPaths(value) {
			if !slices.Contains(where.paths(), one) {
				return "Target that the spec does not name", fmt.Sprintf("%q is none of what the test is given (%s). Without filename a job works on all of that.", one, strings.Join(where.paths(), ", "))
			}
		}
		return "", ""
	case name == "wait_for":
		return match(sectionRE, "prepare")
	case jobFlags[name]:
		return match(flagRE, "1")
	case attribute(name) != nil && !ours[name]:
		a := attributeOf(name)
		switch {
		case len(a.Enum) > 0:
			if !slices.Contains(a.Enum, value) {
				return fmt.Sprintf("Invalid value of option %q", name), fmt.Sprintf("%q is not one of %s%s", value, strings.Join(a.Enum, ", "), didYouMean(value, a.Enum))
			}
			return "", ""
		case a.Kind == schema.Bool:
			return match(flagRE, "1")
		case a.Kind == schema.Integer:
			return match(wholeRE, "16")
		}
		return match(amountRE, map[bool]string{true: "60s", false: "128k"}[a.Dim == unit.Seconds])
	}
	f, ok := allowed[name]
	if !ok {
		return fmt.Sprintf("Option %q is refused", name), refusal(name)
	}
	switch f.kind {
	case "bool":
		return match(flagRE, "1")
	case "integer":
		return match(wholeRE, f.like)
	case "size", "time":
		return match(amountRE, f.like)
	}
	if _, err := f.read(value); err != nil {
		return fmt.Sprintf("Invalid value of option %q", name), capital(err.Error()) + "."
	}
	return "", ""
}

func attributeOf(name string) *schema.Attribute {
	for _, a := range attributes() {
		if a.Name == name {
			return &a
		}
	}
	return nil
}

// splitPaths takes a list of file names apart, as fio does: at colons without a backslash.
func splitPaths(list string) []string {
	var out []string
	var b strings.Builder
	for i := 0; i < len(list); i++ {
		switch {
		case list[i] == '\\' && i+1 < len(list) && list[i+1] == ':':
			b.WriteByte(':')
			i++
		case list[i] == ':':
			out = append(out, b.String())
			b.Reset()
		default:
			b.WriteByte(list[i])
		}
	}
	return append(out, b.String())
}
