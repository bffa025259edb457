package report

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"image"
	_ "image/png"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var keep = flag.String("keep", "", "folder in which TestChromium leaves the report and its screenshots")

// chromium runs the browser headless on a page and gives its standard output and error.
func chromium(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		path, err = exec.LookPath("chromium-browser") // as Ubuntu calls it
	}
	if err != nil {
		t.Skip("chromium is not installed: the report is not looked at in a browser")
	}
	argv := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--enable-logging=stderr", "--user-data-dir=" + t.TempDir()}, args...)
	cmd := exec.Command(path, argv...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, errs.String())
	}
	return out.String(), errs.String()
}

var consoleRE = regexp.MustCompile(`(?m)^.*(CONSOLE|Content Security Policy|Refused to).*$`)

// TestChromium opens the report of the example, with its real plots, in a real browser.
func TestChromium(t *testing.T) {
	dir := t.TempDir()
	if *keep != "" {
		dir = *keep
	}
	if err := Write(dir, example()); err != nil {
		t.Fatal(err)
	}
	page := "file://" + filepath.Join(dir, HTMLFile)
	for _, c := range []struct {
		name  string
		width int
		args  []string
		dark  bool
	}{
		{"400", 400, nil, false}, {"900", 900, nil, false}, {"1400", 1400, nil, false},
		{"dark", 1000, []string{"--blink-settings=preferredColorScheme=0"}, true},
	} {
		shot := filepath.Join(dir, "screenshot-"+c.name+".png")
		_, errs := chromium(t, append(c.args, "--screenshot="+shot, fmt.Sprintf("--window-size=%d,3200", c.width), page)...)
		if m := consoleRE.FindString(errs); m != "" {
			t.Errorf("%s: the console says: %s", c.name, m)
		}
		img := readImage(t, shot)
		if w := img.Bounds().Dx(); w != c.width {
			t.Errorf("%s: the page is %d wide", c.name, w)
		}
		colours, light := survey(img)
		if colours < 20 {
			t.Errorf("%s: only %d colours: the page is blank", c.name, colours)
		}
		if dark := light < 0.5; dark != c.dark {
			t.Errorf("%s: dark is %v, want %v (%.0f %% light)", c.name, dark, c.dark, 100*light)
		}
	}
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

// browsersOwn is where the browser itself calls, whatever page is open.
const browsersOwn = ".google"

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

// TestChromiumDOM: what a reader sees is there, nothing of a title became markup, nothing overflows a phone, and no
// request leaves the file.
func TestChromiumDOM(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 1000)
	go proxy(listener, asked)
	// A spec that tries to call out: were its text markup, the browser would ask our server.
	url := "http://" + listener.Addr().String()
	in := example()
	in.Results.Title += fmt.Sprintf(`<img src="%[1]s/i"><link rel=stylesheet href="%[1]s/s"><style>@import url(%[1]s/c)</style>`, url)
	in.Results.KPIs[0].Because = fmt.Sprintf(`<iframe src=%s/f></iframe>`, url)
	in.Results.Samples[0].Reason = fmt.Sprintf(`<script src=%s/j></script>`, url)
	dir := t.TempDir()
	if err := write(dir, in, sketch); err != nil {
		t.Fatal(err)
	}
	dom, errs := chromium(t, "--dump-dom", "--proxy-server="+listener.Addr().String(), "--proxy-bypass-list=<-loopback>",
		"--window-size=400,800", "file://"+filepath.Join(dir, HTMLFile))
	if m := consoleRE.FindString(errs); m != "" {
		t.Errorf("the console says: %s", m)
	}
	listener.Close()
	for target := range asked {
		if !strings.Contains(target, browsersOwn) {
			t.Errorf("a request left the file: %s", target)
		}
	}
	for _, want := range []string{
		`<p class="verdict fail">`, "<span>Fail</span>", ">Inconclusive</span>", ">Invalid</span>", ">Skipped</span>", ">Pass</span>",
		"磁盘验收", "100 %", "higher is better", "130.7 % more, better", "n=6, 581.4–642.6", "did not finish", "fio --name=seq", "Example CPU", "b5bb9d80",
		`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`, "&lt;script&gt;alert",
	} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(dom, `<div class="plot"`); n != 3 {
		t.Errorf("%d plots, want 3", n)
	}
	if m := regexp.MustCompile(`<(script|img|iframe|link|object|embed|base)\b|\son[a-z]+=|href="http`).FindAllString(scrub(dom), -1); m != nil {
		t.Errorf("the page has active parts: %v", m)
	}
}

// scrub takes out text, so that only tags are left: in text a < is always escaped.
func scrub(dom string) string {
	return strings.Join(regexp.MustCompile(`<[^>]*>`).FindAllString(dom, -1), "")
}
