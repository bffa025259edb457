package host

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
)

func TestMarks(t *testing.T) {
	const word = "WORD"
	begin, end := "\x00\x00WORD:go /tmp/x\n", "\x00\x00WORD:end\n"
	for name, tc := range map[string]struct {
		stream, text, body, end string
		err                     error
	}{
		"plain":                  {begin + "out\n" + end + "a daemon's", "go /tmp/x", "out\n", "end", nil},
		"chatter of a login":     {"Welcome to WORD:\x00\x00WORK\n" + begin + "out" + end, "go /tmp/x", "out", "end", nil},
		"nothing":                {begin + end, "go /tmp/x", "", "end", nil},
		"NULs":                   {begin + "\x00\x00\x00" + end, "go /tmp/x", "\x00\x00\x00", "end", nil},
		"the word by itself":     {begin + "WORD \x00WORD:\x00\x00WORD\x00\x00WOR" + end, "go /tmp/x", "WORD \x00WORD:\x00\x00WORD\x00\x00WOR", "end", nil},
		"no end":                 {begin + "out\x00\x00WOR", "go /tmp/x", "out", "", io.EOF},
		"an end that is cut off": {begin + "out\x00\x00WORD:en", "go /tmp/x", "out", "", io.EOF},
	} {
		for way, reader := range map[string]func(io.Reader) io.Reader{
			"at once":      func(r io.Reader) io.Reader { return r },
			"byte by byte": iotest.OneByteReader,
			"in halves":    iotest.HalfReader,
		} {
			// The stream comes in pieces, whatever the buffers are.
			m := newMarks(strings.NewReader(""), word)
			m.r.Reset(reader(strings.NewReader(tc.stream)))
			text, _, err := m.begin()
			if err != nil || text != tc.text {
				t.Errorf("%s, %s: begins with %q, %v", name, way, text, err)
				continue
			}
			var out bytes.Buffer
			how, kept, err := m.copy(&out, func(err error) { t.Error(err) })
			if out.String() != tc.body || int(kept) != len(tc.body) || how != tc.end || !errors.Is(err, tc.err) {
				t.Errorf("%s, %s: %q, ends with %q, %v", name, way, out.String(), how, err)
			}
		}
	}
}

func TestMarksWithoutBegin(t *testing.T) {
	_, before, err := newMarks(strings.NewReader(" This account is not available.\n"), "WORD").begin()
	if err != io.EOF || before != "This account is not available." {
		t.Errorf("%q, %v", before, err)
	}
}

func TestMarksOfABigStream(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789\x00\x00WOR"), 40000)
	m := newMarks(io.MultiReader(strings.NewReader("\x00\x00WORD:go\n"), bytes.NewReader(body), strings.NewReader("\x00\x00WORD:end\n")), "WORD")
	if _, _, err := m.begin(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if how, _, err := m.copy(&out, nil); how != "end" || err != nil || !bytes.Equal(out.Bytes(), body) {
		t.Errorf("%q, %v, %d bytes of %d", how, err, out.Len(), len(body))
	}
}

// Every byte passes through every shell that is here, alone and with others.
func TestQuote(t *testing.T) {
	words := []string{"", "a b", "-n", "'", `\`, `\\`, `'\''`, "!", "!!", "$HOME", "`id`", "$(id)", "*", "~", "a\nb", "\n", "數據庫", "#", "&&", ";"}
	var all []byte
	for b := 1; b < 256; b++ {
		words = append(words, string([]byte{byte(b)}), "a"+string([]byte{byte(b)})+"b")
		all = append(all, byte(b))
	}
	words = append(words, string(all))
	line := "printf '%s\\0'"
	for _, w := range words {
		line += " " + quote(w)
	}
	want := strings.Join(words, "\x00") + "\x00"
	for _, shell := range []string{"sh", "dash", "bash", "zsh", "ksh", "fish"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		out, err := exec.Command(shell, "-c", line).Output()
		if err != nil || string(out) != want {
			t.Errorf("%s: %v, %q", shell, err, out)
		}
	}
}
