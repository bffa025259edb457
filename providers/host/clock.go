package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// asks is how often a clock is read; the answer that came fastest says most.
const asks = 7

// reading is one answer of a host that was asked for the time, in this machine's clock: it was given at middle, or at most
// uncertainty before or after.
type reading struct {
	middle      time.Time
	uncertainty time.Duration // half of the round trip
	up          float64       // seconds since the host started
	date        time.Time     // of the host's clock; zero where it does not tell
}

// offset is by how much the host's clock is ahead of this machine's.
func (r reading) offset() time.Duration { return r.date.Sub(r.middle) }

// boot is when the host started, in this machine's clock. The host tells the time since then in hundredths of a second.
func (r reading) boot() time.Time { return r.middle.Add(-duration(r.up)) }

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// readClock asks several times over a session in mode probe or clock, and ends it.
func readClock(s *session) (reading, error) {
	defer s.hangUp("")
	var best reading
	for i := range asks {
		before := time.Now()
		if _, err := io.WriteString(s, "\n"); err != nil {
			return best, err
		}
		line, err := s.out.r.ReadString('\n')
		if err != nil {
			return best, err
		}
		trip := time.Since(before)
		r, err := parseReading(line)
		if err != nil {
			return best, err
		}
		r.middle, r.uncertainty = before.Add(trip/2), trip/2
		if i == 0 || r.uncertainty < best.uncertainty {
			best = r
		}
	}
	return best, nil
}

// parseReading reads UPTIME SECONDS.NANOSECONDS. A date without fractions, of a date(1) that has none, is of no use here.
func parseReading(line string) (reading, error) {
	up, date, _ := strings.Cut(strings.TrimSpace(line), " ")
	var r reading
	var err error
	if r.up, err = strconv.ParseFloat(up, 64); err != nil {
		return r, fmt.Errorf("asked for the time, the host says %q", line)
	}
	whole, fraction, _ := strings.Cut(date, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	nanoseconds, err2 := strconv.ParseInt(fraction, 10, 64)
	if err == nil && err2 == nil && len(fraction) == 9 {
		r.date = time.Unix(seconds, nanoseconds)
	}
	return r, nil
}

// when turns the seconds since the host started into a time of this machine's clock.
func (l *link) when(up float64) time.Time { return l.boot.Add(duration(up)) }

// clockTimeout bounds the reading of a clock.
const clockTimeout = 20 * time.Second

// clock adds to facts by how much the host's clock is ahead of this machine's, and how far that may be wrong, in seconds.
func (r *remote) clock(ctx context.Context, facts map[string]string) error {
	l, err := r.connected(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, clockTimeout, errors.New("the host does not tell the time"))
	defer cancel()
	s, err := l.start(ctx, errand{mode: "clock", become: r.target.become})
	if err != nil {
		return r.linkError(l, err)
	}
	defer s.ch.Close()
	defer context.AfterFunc(ctx, func() { _ = s.ch.Close() })()
	if _, err = s.answer(ctx, 0); err != nil {
		return r.linkError(l, err)
	}
	read, err := readClock(s)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return r.linkError(l, fmt.Errorf("reading its clock: %w", err))
	case !read.date.IsZero():
		facts[volatile+"clock.offset_s"] = strconv.FormatFloat(read.offset().Seconds(), 'f', 6, 64)
		facts[volatile+"clock.uncertainty_s"] = strconv.FormatFloat(read.uncertainty.Seconds(), 'f', 6, 64)
	}
	return nil
}
