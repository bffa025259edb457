package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/judge"
)

// element is one of XML, as it stands there.
type element struct {
	name     string
	attrs    map[string]string
	children []*element
	text     string
}

func parseXML(t *testing.T, data []byte) *element {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	root := &element{}
	stack := []*element{root}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root.children[0]
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			e := &element{name: x.Name.Local, attrs: map[string]string{}}
			for _, a := range x.Attr {
				if _, twice := e.attrs[a.Name.Local]; twice || a.Name.Space != "" {
					t.Errorf("%s has %s twice, or in a name space", e.name, a.Name.Local)
				}
				e.attrs[a.Name.Local] = a.Value
			}
			top := stack[len(stack)-1]
			top.children = append(top.children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			stack[len(stack)-1].text += strings.TrimSpace(string(x))
		}
	}
}

// junitForm is what readers of JUnit's XML agree on (Jenkins' xunit plugin, its schema junit-10): for each element the attributes that it must have,
// those that it may have, the elements in it, and whether it has text.
var junitForm = map[string]struct {
	must, may, children []string
	text                bool
}{
	"testsuites": {nil, []string{"name", "time", "tests", "failures", "errors"}, []string{"testsuite"}, false},
	"testsuite":  {[]string{"name", "tests", "failures", "errors"}, []string{"skipped", "time", "timestamp", "hostname", "id", "package"}, []string{"testcase", "properties", "system-out", "system-err"}, false},
	"testcase":   {[]string{"name"}, []string{"classname", "time", "group"}, []string{"skipped", "error", "failure", "system-out", "system-err"}, false},
	"failure":    {nil, []string{"type", "message"}, nil, true},
	"error":      {nil, []string{"type", "message"}, nil, true},
	"skipped":    {nil, []string{"type", "message"}, nil, true},
	"system-out": {nil, nil, nil, true},
}

func checkForm(e *element) error {
	form, ok := junitForm[e.name]
	if !ok {
		return fmt.Errorf("element %q", e.name)
	}
	has := func(list []string, s string) bool {
		for _, x := range list {
			if x == s {
				return true
			}
		}
		return false
	}
	for _, a := range form.must {
		if _, ok := e.attrs[a]; !ok {
			return fmt.Errorf("%s lacks %s", e.name, a)
		}
	}
	for _, a := range sortedKeys(e.attrs) {
		if !has(form.must, a) && !has(form.may, a) {
			return fmt.Errorf("%s has %s", e.name, a)
		}
	}
	if e.text != "" && !form.text {
		return fmt.Errorf("%s has text %q", e.name, e.text)
	}
	for _, c := range e.children {
		if !has(form.children, c.name) {
			return fmt.Errorf("%s in %s", c.name, e.name)
		}
		if err := checkForm(c); err != nil {
			return err
		}
	}
	return nil
}

// TestJUnit: one case for each KPI and coordinates, counts that are right, and the form that readers agree on, whatever the text is.
func TestJUnit(t *testing.T) {
	hostileInput := withCourses()
	n := 0
	everyText(&hostileInput, func(s *string) { n++; *s = fmt.Sprintf("%d]]>\x00\x1b[31m\u2028<&\"'\xff\ufffe", n) })
	for name, in := range map[string]Input{"example": example(), "passing": passing(), "large": large(1000, 6), "hostile": hostileInput} {
		v, err := newView(in)
		if err != nil {
			t.Fatal(err)
		}
		data, err := junit(v)
		if err != nil {
			t.Fatal(err)
		}
		// What XML 1.0 (2.2) does not allow in a document.
		if m := regexp.MustCompile(`[^\x09\x0A\x0D\x20-\x{D7FF}\x{E000}-\x{FFFD}\x{10000}-\x{10FFFF}]`).Find(data); m != nil {
			t.Errorf("%s: there is a character %q", name, m)
		}
		root := parseXML(t, data)
		if err := checkForm(root); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		seen := map[string]bool{}
		sum := map[string]int{}
		for _, s := range root.children {
			count := map[string]int{"tests": len(s.children)}
			for _, c := range s.children {
				if c.attrs["classname"] != s.attrs["name"] || seen[c.attrs["name"]] {
					t.Errorf("%s: case %q of class %q in suite %q", name, c.attrs["name"], c.attrs["classname"], s.attrs["name"])
				}
				seen[c.attrs["name"]] = true
				results := 0
				for _, r := range c.children {
					if k := map[string]string{"failure": "failures", "error": "errors", "skipped": "skipped"}[r.name]; k != "" {
						count[k]++
						results++
					}
				}
				if results > 1 {
					t.Errorf("%s: %s has %d results", name, c.attrs["name"], results)
				}
			}
			for _, k := range []string{"tests", "failures", "errors", "skipped"} {
				if s.attrs[k] != strconv.Itoa(count[k]) {
					t.Errorf("%s: suite %s has %s=%q, want %d", name, s.attrs["name"], k, s.attrs[k], count[k])
				}
				sum[k] += count[k]
			}
		}
		want := len(in.Results.KPIs) + len(in.Results.NotJudged)
		if sum["tests"] != want || root.attrs["tests"] != strconv.Itoa(want) || root.attrs["failures"] != strconv.Itoa(sum["failures"]) || root.attrs["errors"] != strconv.Itoa(sum["errors"]) {
			t.Errorf("%s: %v cases, and %v in all; want %d", name, sum, root.attrs, want)
		}
		failures, errs := 0, 0
		for _, k := range in.Results.KPIs {
			switch {
			case k.Severity == "advisory":
			case k.Verdict == judge.Fail:
				failures++
			case k.Verdict == judge.Inconclusive || k.Verdict == judge.Invalid:
				errs++
			}
		}
		for _, x := range in.Results.NotJudged {
			if x.Severity != "advisory" {
				errs++
			}
		}
		if sum["failures"] != failures || sum["errors"] != errs {
			t.Errorf("%s: %d failures and %d errors, want %d and %d", name, sum["failures"], sum["errors"], failures, errs)
		}
	}
}
