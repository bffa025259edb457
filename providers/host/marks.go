package host

import (
	"bufio"
	"bytes"
	"io"
)

// marks finds the lines of the leash in a stream: two NULs, a word that only this command knows, a colon, text, newline.
type marks struct {
	r    *bufio.Reader
	mark []byte
}

func newMarks(r io.Reader, word string) *marks {
	return &marks{r: bufio.NewReaderSize(r, 64<<10), mark: []byte("\x00\x00" + word + ":")}
}

// begin reads up to the first mark and gives its text. What came before, a login script's chatter, is dropped; the last
// bytes of it are given, for an error, where no mark comes.
func (m *marks) begin() (text string, before string, err error) {
	const most = 4096
	var seen []byte
	for {
		b, err := m.r.ReadByte()
		if err != nil {
			return "", string(bytes.TrimSpace(seen)), err
		}
		seen = append(seen, b)
		if bytes.HasSuffix(seen, m.mark) {
			text, err := m.text()
			return text, "", err
		}
		if len(seen) > 2*most {
			seen = append(seen[:0], seen[len(seen)-most:]...)
		}
	}
}

// text is the rest of a mark's line.
func (m *marks) text() (string, error) {
	line, err := m.r.ReadString('\n')
	if err != nil {
		return "", err
	}
	return line[:len(line)-1], nil
}

// copy gives everything up to the next mark to w, as it comes, and returns the mark's text; io.EOF where the stream ends without. What
// w refuses is told to fail once, and the rest is read and dropped: the other side must never wait for us. kept is how many bytes were
// given or dropped: where the stream ends, what may be the beginning of a mark is neither.
func (m *marks) copy(w io.Writer, fail func(error)) (text string, kept int64, err error) {
	buf := make([]byte, 0, 64<<10)
	put := func(p []byte) {
		kept += int64(len(p))
		if w == nil || len(p) == 0 {
			return
		}
		if _, err := w.Write(p); err != nil {
			w = nil
			fail(err)
		}
	}
	for {
		n, err := m.r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if i := bytes.Index(buf, m.mark); i >= 0 {
			put(buf[:i])
			// The line may have come in part.
			m.r = bufio.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(buf[i+len(m.mark):])), m.r))
			text, err := m.text()
			return text, kept, err
		}
		keep := m.partial(buf)
		put(buf[:len(buf)-keep])
		buf = append(buf[:0], buf[len(buf)-keep:]...)
		if err != nil {
			return "", kept, err
		}
	}
}

// partial is how much of the end of p may be the beginning of a mark.
func (m *marks) partial(p []byte) int {
	for k := min(len(m.mark)-1, len(p)); k > 0; k-- {
		if bytes.HasSuffix(p, m.mark[:k]) {
			return k
		}
	}
	return 0
}
