package plan

import (
	"fmt"
	"io"
)

// AgainstText prints a difference for a person: the KPIs that let through more come first, and are marked.
func AgainstText(w io.Writer, d Diff, color bool) error {
	t := &printer{w: w, color: color}
	if d.Empty() {
		t.printf("Nothing changes: the same steps, and the same KPIs.\n")
		return t.err
	}
	for _, k := range d.KPIs {
		if k.Loud {
			t.printf("%s %s: %s\n", t.paint("1;31", "!! "+k.What), k.Address, k.Detail)
		}
	}
	for _, e := range d.ErasedMore {
		t.printf("%s %s\n", t.paint("1;31", "!! erased too"), e)
	}
	if d.Loud() || len(d.ErasedMore) > 0 {
		t.printf("\n")
	}
	t.printf("%s, %d before; %s.\n", count(d.NewSteps, "step"), d.OldSteps, d.lasting())
	list := func(mark, code, title string, items []string) {
		if len(items) > 0 {
			t.printf("\n%s\n", t.paint("1", fmt.Sprintf("%s: %d", title, len(items))))
		}
		for _, x := range items {
			t.printf("  %s %s\n", t.paint(code, mark), x)
		}
	}
	list("+", "32", "Tests added", d.TestsAdded)
	list("-", "31", "Tests dropped", d.TestsDropped)
	list("+", "32", "Steps added", d.StepsAdded)
	list("-", "31", "Steps dropped", d.StepsDropped)
	list("~", "33", "Steps changed", d.StepsChanged)
	list("~", "33", "Providers configured otherwise", d.Providers)
	var quiet []string
	for _, k := range d.KPIs {
		if !k.Loud {
			quiet = append(quiet, fmt.Sprintf("%s %s: %s", k.What, k.Address, k.Detail))
		}
	}
	list(" ", "0", "Other KPIs", quiet)
	return t.err
}

// AgainstMarkdown writes a difference for a pull request.
func AgainstMarkdown(w io.Writer, d Diff) error {
	m := &markdown{printer{w: w}}
	m.printf("## What this change does to the plan\n\n")
	if d.Empty() {
		m.printf("Nothing: the same steps, and the same KPIs.\n")
		return m.err
	}
	if d.Loud() || len(d.ErasedMore) > 0 {
		m.printf("> [!CAUTION]\n")
		for _, k := range d.KPIs {
			if k.Loud {
				m.printf("> - **%s**: %s: %s\n", k.What, code(k.Address), text(k.Detail))
			}
		}
		for _, e := range d.ErasedMore {
			m.printf("> - **erased too**: %s\n", text(e))
		}
		m.printf("\n")
	}
	m.printf("**%s**, %d before; %s.\n", count(d.NewSteps, "step"), d.OldSteps, d.lasting())
	list := func(title string, items []string) {
		if len(items) == 0 {
			return
		}
		m.printf("\n<details><summary>%s: %d</summary>\n\n", title, len(items))
		for _, x := range items {
			m.printf("- %s\n", code(x))
		}
		m.printf("\n</details>\n")
	}
	list("Tests added", d.TestsAdded)
	list("Tests dropped", d.TestsDropped)
	list("Steps added", d.StepsAdded)
	list("Steps dropped", d.StepsDropped)
	list("Steps changed", d.StepsChanged)
	list("Providers configured otherwise", d.Providers)
	for _, k := range d.KPIs {
		if !k.Loud {
			m.printf("\n- %s: %s: %s", k.What, code(k.Address), text(k.Detail))
		}
	}
	m.printf("\n")
	return m.err
}
