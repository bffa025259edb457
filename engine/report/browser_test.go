package report

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// browser is a real Chromium, led over its DevTools pipe (--remote-debugging-pipe: JSON messages that end in a zero byte, on file
// descriptors 3 and 4).
type browser struct {
	t       *testing.T
	out     *os.File
	mu      sync.Mutex
	next    int
	session string
	waiting map[int]chan message
	// Said are messages of the console and errors of the page; Asked are the addresses that it asked for.
	Said, Asked []string
	loaded      chan struct{}
}

type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
	Session string `json:"sessionId,omitempty"`
}

// patience is how long the browser may take for one thing on a busy machine.
const patience = 2 * time.Minute

func chromiumPath(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser"} { // the second is Ubuntu's
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("chromium is not installed: the report is not looked at in a browser")
	return ""
}

func newBrowser(t *testing.T, args ...string) *browser {
	t.Helper()
	argv := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--remote-debugging-pipe", "--user-data-dir=" + t.TempDir()}, args...)
	cmd := exec.Command(chromiumPath(t), argv...)
	toBrowser, ours, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toBrowser.Close()
	fromBrowser.Close()
	b := &browser{t: t, out: ours, waiting: map[int]chan message{}, loaded: make(chan struct{}, 16)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		b.read(in)
	}()
	t.Cleanup(func() {
		b.post("Browser.close", nil, "")
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
		ours.Close()
		in.Close()
		<-read
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network", "Audits"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

func (b *browser) read(from *os.File) {
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		data, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(data[:len(data)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		switch {
		case m.ID != 0:
			if c := b.waiting[m.ID]; c != nil {
				delete(b.waiting, m.ID)
				c <- m
			}
		case m.Method == "Page.loadEventFired":
			b.loaded <- struct{}{}
		case m.Method == "Runtime.consoleAPICalled", m.Method == "Runtime.exceptionThrown", m.Method == "Log.entryAdded",
			m.Method == "Audits.issueAdded" && strings.Contains(string(m.Params), "ContentSecurityPolicy"):
			b.Said = append(b.Said, m.Method+" "+string(m.Params))
		case m.Method == "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if json.Unmarshal(m.Params, &p) == nil {
				b.Asked = append(b.Asked, p.Request.URL)
			}
		}
		b.mu.Unlock()
	}
}

func (b *browser) post(method string, params any, session string) chan message {
	b.mu.Lock()
	b.next++
	c := make(chan message, 1)
	b.waiting[b.next] = c
	m := map[string]any{"id": b.next, "method": method}
	b.mu.Unlock()
	if params != nil {
		m["params"] = params
	}
	if session != "" {
		m["sessionId"] = session
	}
	data, err := json.Marshal(m)
	if err == nil {
		_, err = b.out.Write(append(data, 0))
	}
	if err != nil {
		b.t.Logf("chromium: %s: %v", method, err)
	}
	return c
}

func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	select {
	case m := <-b.post(method, params, b.session):
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatalf("%s: %v", method, err)
			}
		}
	case <-time.After(patience):
		b.t.Fatalf("%s: chromium does not answer", method)
	}
}

// open loads a file and waits until it is there.
func (b *browser) open(file string) {
	b.t.Helper()
	for _, url := range []string{"about:blank", "file://" + file} { // a page that is open already is not loaded for another fragment
		b.call("Page.navigate", map[string]any{"url": url}, nil)
		select {
		case <-b.loaded:
		case <-time.After(patience):
			b.t.Fatalf("%s was not loaded", url)
		}
	}
}

// size sets width and height of the window in CSS pixels.
func (b *browser) size(width, height int, phone bool) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}, nil)
}

// media sets features of the medium, such as prefers-color-scheme.
func (b *browser) media(name, value string) {
	b.t.Helper()
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": name, "value": value}}}, nil)
}

// eval gives what an expression is, printed as JSON.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, r.ExceptionDetails)
	}
	return string(r.Result.Value)
}

// press types keys, as their names are in the DOM.
func (b *browser) press(keys ...string) {
	b.t.Helper()
	codes := map[string]int{"Enter": 13, "Tab": 9, " ": 32, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39}
	for _, k := range keys {
		text := map[string]string{"Enter": "\r"}[k]
		if len(k) == 1 {
			text = k
		}
		b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": k, "text": text, "windowsVirtualKeyCode": codes[k]}, nil)
		b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": k, "windowsVirtualKeyCode": codes[k]}, nil)
	}
}

// save writes what a method gives as base64 under "data".
func (b *browser) save(path, method string, params map[string]any) {
	b.t.Helper()
	var r struct{ Data string }
	b.call(method, params, &r)
	data, err := base64.StdEncoding.DecodeString(r.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// quiet fails the test where the page said something, or asked for anything but files of its own.
func (b *browser) quiet(own ...string) {
	b.t.Helper()
	b.eval("new Promise((r) => setTimeout(r, 50))") // so that what was caused before has arrived
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.Said {
		b.t.Errorf("the console says: %s", s)
	}
	for _, a := range b.Asked {
		if a != "about:blank" && !strings.HasPrefix(a, "file://"+strings.Join(own, "")) {
			b.t.Errorf("the page asked for %s", a)
		}
	}
}

// want compares what an expression gives.
func (b *browser) want(what, expression string, want any) {
	b.t.Helper()
	data, err := json.Marshal(want)
	if err != nil {
		b.t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal([]byte(b.eval(expression)), &got); err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
	if have, err := json.Marshal(got); err != nil || string(have) != string(data) {
		b.t.Errorf("%s: %s, want %s", what, have, data)
	}
}
