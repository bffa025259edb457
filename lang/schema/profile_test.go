package schema

import (
	"strings"
	"testing"
)

const whole = `{"format_version": 1, "name": "p", "version": "1", "sources": {"a": "A"}, "keys": ["k"], "statistic": "worst",
	"limits": [{"measure": "m", "at": {"k": "x"}, "min": "1 s", "max": "2 s", "sources": ["a"]}], "informative": [{"measure": "m", "at": {}}]}`

func TestDecodeProfile(t *testing.T) {
	p, err := DecodeProfile([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Limits[0].Text() + " " + p.Cited(p.Limits[0]); got != "within 1 s … 2 s A" {
		t.Error(got)
	}
	for _, c := range []struct{ old, now, want string }{
		{`"format_version": 1`, `"format_version": 2`, "format_version is 2"},
		{`"name": "p"`, `"name": "P q"`, `the name "P q"`},
		{`"version": "1"`, `"version": ""`, "the version of the limits is missing"},
		{`"worst"`, `"mean"`, `statistic is "mean"`},
		{`"sources": ["a"]`, `"sources": []`, "limit 1, of m: no source is named"},
		{`"sources": ["a"]`, `"sources": ["b"]`, `limit 1, of m: sources has no "b"`},
		{`"min": "1 s", "max": "2 s"`, `"min": ""`, "neither min nor max"},
		{`"at": {"k": "x"}`, `"at": {}`, "at has not all of keys"},
		{`"at": {"k": "x"}`, `"at": {"k": ""}`, "k is empty"},
		{`"at": {"k": "x"}`, `"at": {"j": "x"}`, `at names "j", which is none of keys`},
		{`"measure": "m", "at": {}`, `"measure": "", "at": {}`, "informative row 1: the measure is missing"},
		{`"at": {}}`, `"at": {"z": "1"}}`, "informative row 1: at names"},
		{`"informative"`, `"info"`, `unknown field "info"`},
		{`[{"measure": "m", "at": {"k": "x"}`, `[{"measure": "m", "at": {"k": "x"}, "max": "9 s", "sources": ["a"]}, {"measure": "m", "at": {"k": "x"}`, "limit 2, of m: there is another one for the same row"},
		{`"limits": [{"measure": "m", "at": {"k": "x"}, "min": "1 s", "max": "2 s", "sources": ["a"]}]`, `"limits": []`, "there are no limits"},
		{`"at": {}}]}`, `"at": {}}]} {}`, "something follows"},
	} {
		text := strings.Replace(whole, c.old, c.now, 1)
		if text == whole {
			t.Fatalf("%s is not there", c.old)
		}
		if _, err := DecodeProfile([]byte(text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.now, err, c.want)
		}
	}
}
