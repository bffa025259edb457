package plugin

import (
	"bytes"
	"strings"
	"sync"
)

// tail keeps the end of what a program writes to its standard error, for the error that says how it ended.
type tail struct {
	mu    sync.Mutex
	lines []string
	part  []byte
}

// keep is how many lines are kept: a panic comes before its stack.
const keep = 400

// Write implements io.Writer; it never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.part = append(t.part, p...)
	for {
		line, rest, found := bytes.Cut(t.part, []byte("\n"))
		if !found {
			break
		}
		t.lines = append(t.lines, strings.ToValidUTF8(string(line), "·"))
		t.part = rest
	}
	if n := len(t.lines) - keep; n > 0 {
		t.lines = append(t.lines[:0], t.lines[n:]...)
	}
	if len(t.part) > 64<<10 {
		t.part = t.part[:0]
	}
	return len(p), nil
}

// last is the line that says most: why the program panicked, else the last one that is not of its log.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := ""
	for _, line := range t.lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return cut(line)
		}
		if line != "" && !strings.HasPrefix(line, "{") {
			last = line
		}
	}
	return cut(last)
}

func cut(line string) string {
	if r := []rune(line); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return line
}
