package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/engine/judge"
)

// The form of JUnit's XML that CI servers read (Jenkins' xunit schema): a suite for each KPI, a case for each of its instances. A KPI
// that fails is a failure; one that is inconclusive, invalid or not judged is an error, since nothing was shown; an advisory one that
// does not pass is skipped with its reason, since it has no effect. There are no times in it.
type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Failure *junitResult `xml:"failure"`
	Error   *junitResult `xml:"error"`
	Skipped *junitResult `xml:"skipped"`
	Output  string       `xml:"system-out,omitempty"`
}

type junitResult struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
}

func junit(v *view) ([]byte, error) {
	all := junitSuites{Name: plainText(v.title)}
	at := map[string]int{}
	suite := func(block string) *junitSuite {
		i, ok := at[block]
		if !ok {
			i = len(all.Suites)
			at[block] = i
			all.Suites = append(all.Suites, junitSuite{Name: block})
		}
		return &all.Suites[i]
	}
	for _, k := range v.in.Results.KPIs {
		c := junitCase{Class: k.Block, Name: plainText(k.Address), Output: plainText(strings.TrimPrefix(k.Figure+"; limit "+k.Limit, "; "))}
		res := &junitResult{Type: string(k.Verdict), Message: plainText(k.Reason)}
		switch {
		case k.Verdict == judge.Pass:
		case k.Verdict == judge.Skipped || k.Severity == "advisory":
			c.Skipped = &junitResult{Message: string(k.Verdict) + ", " + k.Severity + ": " + plainText(k.Reason)}
		case k.Verdict == judge.Fail:
			c.Failure = res
		default:
			c.Error = res
		}
		suite(k.Block).add(c)
	}
	for _, n := range v.in.Results.NotJudged {
		if strings.HasPrefix(n.Block, "kpi.") {
			c, res := junitCase{Class: n.Block, Name: n.Block}, &junitResult{Type: "not judged", Message: plainText(n.Reason)}
			if n.Severity == "advisory" {
				c.Skipped = &junitResult{Message: "not judged: " + res.Message}
			} else {
				c.Error = res
			}
			suite(n.Block).add(c)
		}
	}
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
	}
	b := bytes.NewBufferString(xml.Header)
	enc := xml.NewEncoder(b)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return nil, fmt.Errorf("report: junit.xml: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}
