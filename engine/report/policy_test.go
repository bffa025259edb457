package report

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPolicy: the page allows its own style sheet and scripts by their hashes, and nothing else; uPlot and its licence are there only
// where something can be zoomed.
func TestPolicy(t *testing.T) {
	for name, in := range map[string]Input{"plain": example(), "zoom": withCourses()} {
		dir := t.TempDir()
		if err := write(dir, in, sketch); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, HTMLFile))
		if err != nil {
			t.Fatal(err)
		}
		var scripts, styles []string
		for _, m := range regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).FindAllStringSubmatch(string(data), -1) {
			if m[1] == "script" {
				scripts = append(scripts, hashSource(m[2]))
			} else {
				styles = append(styles, hashSource(m[2]))
			}
		}
		want := "default-src 'none'; script-src " + strings.Join(scripts, " ") + "; style-src " + strings.Join(styles, " ") + "; base-uri 'none'; form-action 'none'"
		// html/template writes an apostrophe and a plus sign of an attribute as numbers.
		got := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(regexp.MustCompile(`Policy" content="([^"]*)"`).FindStringSubmatch(string(data))[1])
		if got != want {
			t.Errorf("%s: the policy is\n%s, want\n%s", name, got, want)
		}
		zoom := name == "zoom"
		if n := map[bool]int{false: 1, true: 2}[zoom]; len(scripts) != n || len(styles) != 1 {
			t.Errorf("%s: %d scripts and %d styles", name, len(scripts), len(styles))
		}
		for _, text := range []string{"uPlot", "Permission is hereby granted", "Copyright (c) 2022 Leon Sorokin", `"lo":[`} {
			if strings.Contains(string(data), text) != zoom && text != "uPlot" {
				t.Errorf("%s: %q is there: %v", name, text, !zoom)
			}
		}
		if m := regexp.MustCompile(`\s(style|on[a-z]+)=`).FindAllString(strings.Join(regexp.MustCompile(`<[a-zA-Z][^>]*>`).FindAllString(string(data), -1), ""), -1); m != nil {
			t.Errorf("%s: attributes that the policy forbids: %v", name, m)
		}
	}
}

// TestUPlot: the vendored files are those of the release.
func TestUPlot(t *testing.T) {
	readme, err := os.ReadFile("uplot/README")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("\\| `(.*)` \\| `([0-9a-f]{64})` \\|").FindAllStringSubmatch(string(readme), -1) {
		data, err := os.ReadFile("uplot/" + m[1])
		if err != nil {
			t.Fatal(err)
		}
		if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != m[2] {
			t.Errorf("%s has SHA-256 %s, want %s", m[1], sum, m[2])
		}
	}
}
