package report

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/engine/chart"
)

// visible are the cells of one column of a table that are shown.
func visible(table string, column int) string {
	return fmt.Sprintf(`[...document.querySelector(%q).tBodies[0].rows].filter((r) => !r.hidden).map((r) => r.cells[%d].querySelector("b, span, small")?.textContent || r.cells[%d].textContent)`, table, column, column)
}

// TestChromiumTables sorts and filters by keyboard, keeps the choice in the address, and follows links into what is folded.
func TestChromiumTables(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, withCourses(), sketch); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, HTMLFile)
	b := newBrowser(t)
	b.size(1200, 900, false)
	b.open(page)
	figures := "#figures table"

	b.want("rows as they come", visible(figures, 2), []string{"612 MB/s", "405 MB/s", "1.412 GB/s", "–"})
	b.eval(`document.querySelectorAll("#figures th button")[2].focus()`)
	b.press("Enter")
	b.want("rising, by value and not by text, what has none last", visible(figures, 2), []string{"405 MB/s", "612 MB/s", "1.412 GB/s", "–"})
	b.want("what a screen reader says", `document.querySelectorAll("#figures th")[2].getAttribute("aria-sort")`, "ascending")
	b.press("Enter")
	b.want("falling", visible(figures, 2), []string{"1.412 GB/s", "612 MB/s", "405 MB/s", "–"})
	b.eval(`document.querySelectorAll("#figures th button")[0].click()`)
	b.want("an axis goes by the order of its cases", visible(figures, 0), []string{"4KiB", "4KiB", "128KiB", "128KiB"})
	b.want("no button where there is nothing to sort", `document.querySelectorAll("#figures th")[4].querySelector("button")`, nil)

	b.eval(`document.querySelector(".filter summary").focus()`)
	b.press("Enter")
	b.eval(`document.querySelector(".filter select[name=rw]").focus()`)
	b.press("ArrowDown", "ArrowDown")
	b.want("only writes", visible(figures, 1), []string{"顺序写 write", "顺序写 write"})
	b.want("verdicts on writes", `[...document.querySelectorAll(".kpis tbody tr")].filter((r) => !r.hidden).length`, 4)
	b.want("the comparison keeps its baseline", visible("#comparisons table", 1), []string{"4KiB", "128KiB"})
	b.want("pictures of writes, and of both", `[...document.querySelectorAll("figure")].filter((f) => !f.hidden).map((f) => f.querySelector("figcaption a").textContent)`, []string{"bandwidth", "latency_p99[rw=write]"})
	b.want("troubles of writes", `[...document.querySelectorAll("#failed li")].filter((f) => !f.hidden).length`, 2)
	b.want("doubts of reads", `[...document.querySelectorAll("#doubts li")].filter((f) => !f.hidden).length`, 0)
	b.want("what is said", `document.querySelector("#figures .more").textContent`, "2 of 4 shown; 2 pass the filter")
	b.want("the address", "location.hash", "#filter&rw=write")

	b.open(page + "#filter&bs=4KiB&rw=write")
	b.want("the choice in an address", visible(figures, 2), []string{"405 MB/s"})
	b.want("is shown", `document.querySelector(".filter select[name=bs]").selectedOptions[0].textContent + document.querySelector(".filter").classList.contains("on")`, "4KiBtrue")
	b.eval(`document.querySelector(".filter button").click()`)
	b.want("everything again", visible(figures, 1), []string{"顺序读 read", "顺序写 write", "顺序读 read", "顺序写 write"})
	b.eval(`(() => { const s = document.querySelector('.filter select[name="verdict"]'); s.value = "pass"; s.dispatchEvent(new Event("change")); })()`)
	b.want("only what passes", visible(".kpis", 0), []string{"Pass"})
	b.want("figures have no verdict", visible(figures, 0), []string{"4KiB", "4KiB", "128KiB", "128KiB"})

	b.open(page)
	b.eval(`document.querySelector(".kpis a").click()`)
	b.eval("new Promise((r) => setTimeout(r, 100))")
	b.want("a link from a verdict opens how it came about", `document.querySelector("#how details[open] .chain").textContent.replace(/\s+/g, " ").trim()`, "limit ≥ 500 MB/s on the median, required reason 405 MB/s is less than 500 MB/s. bandwidth test.fio.seq[bs=4KiB,rw=write]: 405 MB/s, the median of 4: 384.8 MB/s, 392.9 MB/s, 400.9 MB/s, 409.1 MB/s; 2 failed samples")
	b.eval(`document.querySelector("#how details[open] .chain a").click()`)
	b.eval("new Promise((r) => setTimeout(r, 100))")
	b.want("and from there its samples", `document.querySelector("#how details[open] .samples tbody").rows.length`, 6)
	b.want("artifacts", `document.querySelector("#how details[open] .files a").getAttribute("href")`, "../artifacts/18-%3Cb%3E%23%3F%25/1/exits.json")
	b.quiet(page)
}

// TestChromiumWithoutScripts: everything is there, nothing promises what only a script can do.
func TestChromiumWithoutScripts(t *testing.T) {
	dir := t.TempDir()
	if err := write(dir, withCourses(), sketch); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t)
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.open(filepath.Join(dir, HTMLFile))
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": false}, nil)
	b.want("buttons and choices", `document.querySelectorAll("button, select").length`, 0)
	b.want("pictures", `document.querySelectorAll("figure .plot svg").length`, 4)
	b.want("rows", `[...document.querySelectorAll("tbody tr")].every((r) => !r.hidden)`, true)
}

// TestChromiumLarge: ten thousand tests are below 10 MB, say what they leave out, and leave the browser few rows to lay out at once.
func TestChromiumLarge(t *testing.T) {
	dir := t.TempDir()
	v, err := newView(large(10000, 6))
	if err != nil {
		t.Fatal(err)
	}
	v.plots, v.undrawn = drawAll(v.in, func(f chart.Figure) (svg, png []byte, err error) {
		svg, err = f.SVG()
		return svg, nil, err
	})
	data, err := htmlReport(v)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 10e6 {
		t.Errorf("report.html has %d bytes, want at most 10 MB", len(data))
	}
	page := filepath.Join(dir, HTMLFile)
	if err := os.WriteFile(page, data, 0o644); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t)
	b.size(1200, 900, false)
	b.open(page)
	b.want("rows laid out", `[...document.querySelectorAll("tbody")].every((t) => [...t.rows].filter((r) => !r.hidden).length <= 200)`, true)
	b.want("most figures are there", `document.querySelector("#figures table").tBodies[0].rows.length > 3000`, true)
	b.want("what is left out", `["further verdicts are in tables/kpis.csv", "further pictures of bandwidth", "further pictures of course", "further rows are in tables/test.fio.seq.csv", "have no room here"].filter((t) => !document.body.textContent.includes(t))`, []string{})
	b.eval(`document.querySelector("#figures .more button").click()`)
	b.want("more of them", `[...document.querySelector("#figures table").tBodies[0].rows].filter((r) => !r.hidden).length`, 2200)
	b.eval(`(() => { const s = document.querySelector('.filter select[name="numjobs"]'); s.value = "9"; s.dispatchEvent(new Event("change")); })()`)
	b.want("the filter looks at all that are there", `document.querySelector(".kpis").closest(".box").nextElementSibling.textContent.includes("pass the filter")`, true)
	b.eval("scrollTo(0, document.documentElement.scrollHeight)")
	b.want("it scrolls to the end", `scrollY > 2000 && document.querySelector("footer").getBoundingClientRect().bottom <= innerHeight + 60`, true)
	b.quiet(page)
}
