package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// stamped writes output as it comes, and beside it when each piece of it came: a line, or all that one run printed. For each there is a
// line of the time, which is this machine's, and the length in bytes:
//
//	2026-12-01T03:05:00.123456789Z 83
//
// What follows the last piece is torn.
type stamped struct {
	out, times io.Writer
	lines      bool // a piece is a line; else it is what came before stamp is called
	began      time.Time
	last       time.Time
	length     int // of what has come of a piece

	first *follower // looks for the first figures; nil once all have come
	piece []byte    // what has come of a piece, while first looks for them
	ready func()    // called when all have come
}

// Write implements io.Writer.
func (s *stamped) Write(p []byte) (int, error) {
	n, err := s.out.Write(p)
	for rest := p[:n]; len(rest) > 0; {
		end := len(rest)
		if s.lines {
			if at := bytes.IndexByte(rest, '\n'); at >= 0 {
				end = at + 1
			}
		}
		s.length += end
		if s.first != nil && len(s.piece) < maxOutput {
			s.piece = append(s.piece, rest[:end]...)
		}
		if s.lines && rest[end-1] == '\n' {
			err = errors.Join(err, s.stamp())
		}
		rest = rest[end:]
	}
	return n, err
}

// stamp ends a piece. Times ascend, whatever the clock does.
func (s *stamped) stamp() error {
	at := s.began.Add(time.Since(s.began))
	if !at.After(s.last) {
		at = s.last.Add(1)
	}
	_, err := fmt.Fprintf(s.times, "%s %d\n", at.UTC().Format(time.RFC3339Nano), s.length)
	s.last, s.length = at, 0
	if s.first != nil {
		if s.first.begun(s.piece) {
			s.first = nil
			s.ready()
		}
		s.piece = s.piece[:0]
	}
	return err
}

// piece is a piece of output and when it came.
type piece struct {
	at   time.Time
	data []byte
}

// pieces takes output apart as its times say. With lines, no whole line is without a time.
func pieces(output, times []byte, lines bool) ([]piece, error) {
	var out []piece
	for line := range bytes.Lines(times) {
		when, length, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		at, err := time.Parse(time.RFC3339Nano, string(when))
		n, wrong := strconv.Atoi(string(length))
		switch {
		case err != nil || wrong != nil || n < 0:
			return nil, fmt.Errorf("%q does not say when what came", printable(string(line)))
		case n > len(output):
			return nil, errors.New("the output is shorter than its times say")
		case len(out) > 0 && !at.After(out[len(out)-1].at):
			return nil, errors.New("the times of the output do not ascend")
		}
		out = append(out, piece{at, output[:n]})
		output = output[n:]
	}
	if lines && bytes.IndexByte(output, '\n') >= 0 {
		return nil, errors.New("of a part of the output it is not known when it came")
	}
	return out, nil
}
