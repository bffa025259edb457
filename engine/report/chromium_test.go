package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"image"
	_ "image/png"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bufio"

	"github.com/assay-bench/assay/engine/compare"
	"github.com/assay-bench/assay/engine/derive"
	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers/measure"
)

var keep = flag.String("keep", "", "folder in which TestChromium leaves the report, its screenshots and its print")

// withCourses is the example with an hour of what its disks did, in which a second of silence is hidden among 3,600 points.
func withCourses() Input {
	in := example()
	m := schema.Measure{Name: "rate", Dim: bandwidth.Dim, Better: schema.Higher, Keys: []string{"disk"}, RollUp: schema.Sum}
	i := addr.Instance{Block: addr.Block{Kind: "monitor", Type: "x", Name: "io"}, Coordinates: addr.Coordinates{"rw": "read"}}
	in.Plan.Monitors = []plan.Test{{Address: i.String(), Instance: i, Coordinates: i.Coordinates, During: "test.fio.seq[bs=4KiB,rw=read]"}}
	in.Plan.Judgement.Tests = append(in.Plan.Judgement.Tests, plan.TestType{Block: i.Block.String(), Axes: []string{"rw"}, Measures: []schema.Measure{m}})
	in.Plan.Judgement.Plots = append(in.Plan.Judgement.Plots, plan.Plot{Name: "disks", Title: "The <disks> over time", Kind: "series", Y: i.Block.String(), Measure: m, Series: "disk", By: []string{"disk"}})
	limit := plan.KPI{Block: "kpi.rate", Of: i.String(), Measure: m, By: []string{"disk"}, Min: &plan.Limit{Text: "1.5 GB/s", Value: 1.5e9}}
	in.Plan.Judgement.KPIs = append(in.Plan.Judgement.KPIs, limit)
	for d, disk := range []string{"sda", "sdb</script>"} {
		s := derive.Series{Address: i.String(), Coordinates: i.Coordinates, Round: 1, Repetition: 1}
		s.Measure, s.Keys = "rate", addr.Coordinates{"disk": disk}
		for t := range 3600 {
			v := 2e9 + 4e8*math.Sin(float64(t)/300+float64(d)) + 1e8*float64(t*7919%13)/13
			if d == 0 && t == 1234 {
				v = 0
			}
			s.Points = append(s.Points, measure.SeriesPoint{T: float64(t), Value: v})
		}
		if d == 0 {
			s.Marks = []measure.Mark{{T: 1200, Text: "rebuild starts"}, {T: 2400, Text: "rebuild ends"}}
		}
		in.Series = append(in.Series, s)
	}
	in.Results.Comparisons[0].Differs = []compare.Difference{{What: "kernel.release", Arm: "6.1", Baseline: "6.2<b>"}}
	for i := range in.Results.Samples {
		s := &in.Results.Samples[i]
		s.Artifacts = []string{fmt.Sprintf("artifacts/%02d-<b>#?%%/1/exits.json", i), fmt.Sprintf("artifacts/%02d-<b>#?%%/1/fio.stdout", i)}
	}
	return in
}

// TestChromium opens the report of the example, with its real plots, in a real browser, on a phone, a tablet, a screen and on paper.
func TestChromium(t *testing.T) {
	dir := t.TempDir()
	if *keep != "" {
		dir = *keep
	}
	if err := Write(dir, withCourses()); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, HTMLFile)
	b := newBrowser(t)
	for _, c := range []struct {
		name  string
		width int
		dark  bool
	}{
		{"360", 360, false}, {"400", 400, false}, {"900", 900, false}, {"1400", 1400, false}, {"dark", 1000, true}, {"dark-360", 360, true},
	} {
		b.media("prefers-color-scheme", map[bool]string{false: "light", true: "dark"}[c.dark])
		b.size(c.width, 900, c.width < 500)
		b.open(page)
		b.want(c.name+": nothing is wider than the window", "document.documentElement.scrollWidth", c.width)
		b.want(c.name+": what is cut off without a way to see it", `[...document.querySelectorAll("main *")].filter((e) => !e.closest("svg,.box,.plot,nav,.unseen,.kpis thead") && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 80))`, []string{})
		b.size(c.width, 12000, c.width < 500) // all of it is in the window, so nothing is left undrawn
		shot := filepath.Join(dir, "screenshot-"+c.name+".png")
		b.save(shot, "Page.captureScreenshot", map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": c.width, "height": json.Number(b.eval("document.querySelector('main').offsetHeight")), "scale": 1}})
		img := readImage(t, shot)
		colours, light := survey(img)
		if colours < 20 {
			t.Errorf("%s: only %d colours: the page is blank", c.name, colours)
		}
		if dark := light < 0.5; dark != c.dark {
			t.Errorf("%s: dark is %v, want %v (%.0f %% light)", c.name, dark, c.dark, 100*light)
		}
	}
	b.media("prefers-color-scheme", "light")
	b.size(1000, 900, false)
	b.open(page)
	b.zoomIn(filepath.Join(dir, "screenshot-zoom.png"))
	b.save(filepath.Join(dir, "print.pdf"), "Page.printToPDF", map[string]any{"preferCSSPageSize": true, "printBackground": true})
	b.quiet(page)
}

// zoomIn looks closer at the course over time with the keyboard alone.
func (b *browser) zoomIn(shot string) {
	b.t.Helper()
	b.want("buttons to zoom", `document.querySelectorAll("figcaption button[aria-pressed]").length`, 1)
	b.eval(`document.querySelector("figcaption button[aria-pressed]").focus()`)
	b.press("Enter")
	b.want("the static picture is gone", `getComputedStyle(document.querySelector(".zooming .plot")).display`, "none")
	b.want("uPlot's canvas", `document.querySelectorAll(".zoomed canvas").length`, 1)
	b.want("the focus", `document.activeElement.className`, "zoomed")
	legend := func() string {
		return b.eval(`[...document.querySelectorAll(".zoomed .u-series:not(.unseen) .u-label")].map((e) => e.textContent)`)
	}
	if got, want := legend(), `["time (min)","sda","sdb</script>"]`; got != want {
		b.t.Errorf("the legend is %s, want %s", got, want)
	}
	for range 5 {
		b.press("+")
	}
	b.press("ArrowLeft", "ArrowLeft")
	b.eval(`document.querySelector(".zoomed").scrollIntoView()`)
	b.eval("new Promise((r) => setTimeout(r, 200))")
	b.save(shot, "Page.captureScreenshot", nil)
	b.press("0", "-")
}

func readImage(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// survey counts colours and the share of light pixels.
func survey(img image.Image) (colours int, light float64) {
	seen := map[[3]uint32]bool{}
	n, bright := 0, 0
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		for x := b.Min.X; x < b.Max.X; x += 2 {
			r, g, bl, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r >> 12, g >> 12, bl >> 12}] = true
			if n++; r+g+bl > 3*0x8000 {
				bright++
			}
		}
	}
	return len(seen), float64(bright) / float64(n)
}

// proxy takes the browser's requests, answers none, and tells their targets. It ends when the listener is closed.
func proxy(l net.Listener, asked chan<- string) {
	defer close(asked)
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			asked <- r.Method + " " + r.RequestURI
		}
		c.Close()
	}
}

// hostile is text that calls out, or runs, wherever it becomes markup. Its number tells where it stood.
func hostile(url string, n int) string {
	return fmt.Sprintf(`%[2]d"'><script>hacked=%[2]d</script><img src="%[1]s/%[2]d" onerror="hacked=%[2]d"><link rel=stylesheet href="%[1]s/s%[2]d"></style></title></textarea><style>@import url(%[1]s/c%[2]d)</style><iframe src=%[1]s/f%[2]d></iframe><svg onload=hacked=%[2]d>--></script>`, url, n)
}

// TestChromiumHostile: every text that a spec, a tool or a machine brings stays text. Were it markup, it would be run by a copy of the
// page without its policy, or ask our server; with the policy, the console would tell.
func TestChromiumHostile(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 1000)
	go proxy(listener, asked)
	in := withCourses()
	places := 0
	bad := func(s *string) { places++; *s = hostile("http://"+listener.Addr().String(), places) }
	everyText(&in, bad)
	if places < 60 {
		t.Errorf("only %d texts were made hostile", places)
	}
	dir := t.TempDir()
	if err := Write(dir, in); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, HTMLFile)
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	naked := filepath.Join(dir, "naked.html")
	if err := os.WriteFile(naked, []byte(regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(string(data), "")), 0o644); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, "--proxy-server="+listener.Addr().String(), "--proxy-bypass-list=<-loopback>")
	for _, p := range []string{naked, page} {
		b.size(400, 800, true)
		b.open(p)
		b.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
		b.eval(`document.querySelectorAll("figcaption button").forEach((d) => { d.click(); })`)
		b.want("a script of a text ran", "typeof hacked", "undefined")
		b.want("parts that a text made", `document.querySelectorAll("img, iframe, link, object, embed, base, form, main script:not([type]), main style, [onload], [onerror]").length`, 0)
		b.want("links that leave the record", `[...document.querySelectorAll("a")].filter((a) => !/^(#|\.\.\/artifacts\/|\.\.\/facts\.json$|tables\/|plots\/|results\.json$)/.test(a.getAttribute("href"))).map((a) => a.outerHTML)`, []string{})
	}
	b.want("places that are shown", fmt.Sprintf("document.body.textContent.split('hacked=').length > %d", 2*places), true)
	b.quiet("")
	listener.Close()
	for target := range asked {
		if strings.Contains(target, listener.Addr().String()) { // the browser itself calls others, whatever page is open
			t.Errorf("a request left the file: %s", target)
		}
	}
}
