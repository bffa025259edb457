package fio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// document is one JSON document of fio. Fields are as fio names them; what a version lacks is nil. Numbers are floats:
// exact up to 2^53, which a byte count reaches after 9 PB.
type document struct {
	Version     string          `json:"fio version"`
	Global      json.RawMessage `json:"global options"` // an object, or with several servers from 3.39 on a list of them
	Jobs        []job           `json:"jobs"`
	ClientStats []job           `json:"client_stats"` // in place of jobs where fio was a client
}

type job struct {
	Name    string          `json:"jobname"`
	Group   int             `json:"groupid"`
	Error   int             `json:"error"` // errno
	Host    string          `json:"hostname"`
	Port    json.Number     `json:"port"`
	Options json.RawMessage `json:"job options"`
	Read    *direction      `json:"read"`
	Write   *direction      `json:"write"`
	Trim    *direction      `json:"trim"`
	Mixed   *direction      `json:"mixed"` // in place of the others with unified_rw_reporting
	// Runtime is in ms, summed over the copies where the job was reported as a group; from 3.8 on.
	Runtime     float64      `json:"job_runtime"`
	UserCPU     *float64     `json:"usr_cpu"` // percent
	SystemCPU   *float64     `json:"sys_cpu"`
	TotalErrors float64      `json:"total_err"` // with continue_on_error
	Steady      *steadystate `json:"steadystate"`
}

type steadystate struct {
	Attained int `json:"attained"`
}

type direction struct {
	Bytes     float64  `json:"io_bytes"` // KiB up to 2.20, which had no io_kbytes
	Kilobytes *float64 `json:"io_kbytes"`
	BW        float64  `json:"bw"`       // KiB/s, whole
	BWBytes   *float64 `json:"bw_bytes"` // from 3.8 on
	IOPS      float64  `json:"iops"`
	Runtime   float64  `json:"runtime"` // ms
	IOs       float64  `json:"total_ios"`
	ClatNS    *latency `json:"clat_ns"` // from 2.99 on
	ClatUS    *latency `json:"clat"`    // before, in µs
}

type latency struct {
	Max        float64            `json:"max"`
	Mean       float64            `json:"mean"`
	N          *float64           `json:"N"` // from 3.18 on
	Percentile map[string]float64 `json:"percentile"`
	Bins       map[string]uint64  `json:"bins"` // json+ only
}

// output is what fio's output holds.
type output struct {
	doc   *document // the last whole document; nil: none
	count int       // of whole documents
	notes []string  // lines that are not JSON
	// fixed: control characters in strings had to be escaped for it to be JSON.
	fixed bool
	// err says why a document that begins is none.
	err error
}

// maxNotes bounds what is kept of text beside the JSON: with 256 failing jobs fio says the same 256 times.
const maxNotes = 20

// readOutput finds fio's JSON in what it printed. Messages stand before, between and after documents. fio prints a
// document for each status interval, cumulative, so that the last counts; one that does not end makes all of it void, as
// fio was ended while it printed what should have counted.
func readOutput(data []byte) output {
	var out output
	for len(data) > 0 {
		line := data
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			line = data[:i+1]
		}
		text := bytes.TrimSpace(line)
		if !bytes.Equal(text, []byte("{")) && !bytes.HasPrefix(text, []byte(`{"`)) {
			out.note(string(text))
			data = data[len(line):]
			continue
		}
		doc, n, fixed, err := decodeDocument(data)
		if err != nil {
			out.err, out.doc = err, nil
			return out
		}
		out.doc, out.fixed = doc, out.fixed || fixed
		out.count++
		data = data[n:]
	}
	return out
}

func (o *output) note(text string) {
	if text == "" || len(o.notes) >= maxNotes {
		return
	}
	for _, n := range o.notes {
		if n == text {
			return
		}
	}
	o.notes = append(o.notes, text)
}

// errCut says that the output ends inside a document.
var errCut = errors.New("the JSON ends in the middle")

// decodeDocument reads the document at the beginning of data and gives its length.
func decodeDocument(data []byte) (doc *document, n int, fixed bool, err error) {
	raw, n, err := firstValue(data)
	if err != nil && !errors.Is(err, errCut) {
		// fio escapes only quotes and backslashes, so a tab in a description breaks its JSON.
		repaired, added := escapeControls(data)
		if added > 0 {
			if raw, n, err = firstValue(repaired); err == nil {
				n, fixed = sourceLength(data, n), true
			}
		}
	}
	if err != nil {
		return nil, 0, false, err
	}
	doc = &document{}
	if err := json.Unmarshal(raw, doc); err != nil {
		return nil, 0, false, fmt.Errorf("the JSON is not fio's: %s", plainError(err))
	}
	if doc.Version == "" {
		return nil, 0, false, errors.New(`the JSON is not fio's: it lacks "fio version"`)
	}
	return doc, n, fixed, nil
}

func firstValue(data []byte) (raw json.RawMessage, n int, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&raw); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return nil, 0, errCut
		}
		return nil, 0, fmt.Errorf("the JSON does not read: %s", plainError(err))
	}
	return raw, int(dec.InputOffset()), nil
}

// plainError takes the package's name off an error of encoding/json.
func plainError(err error) string { return strings.TrimPrefix(err.Error(), "json: ") }

// controlEscape is how long an escaped control character is.
const controlEscape = len(`\u0000`)

// escapeControls escapes the control characters inside the strings of JSON, and says by how many bytes it grew.
func escapeControls(data []byte) (out []byte, added int) {
	out = make([]byte, 0, len(data)+64)
	inString, escaped := false, false
	for _, b := range data {
		switch {
		case inString && b < ' ':
			out = fmt.Appendf(out, `\u%04x`, b)
			added += controlEscape - 1
			escaped = false
			continue
		case escaped:
			escaped = false
		case inString && b == '\\':
			escaped = true
		case b == '"':
			inString = !inString
		}
		out = append(out, b)
	}
	return out, added
}

// sourceLength is how much of data becomes the first n bytes once its control characters are escaped.
func sourceLength(data []byte, n int) int {
	inString, escaped, length := false, false, 0
	for i, b := range data {
		if length >= n {
			return i
		}
		length++
		switch {
		case inString && b < ' ':
			length += controlEscape - 1
			escaped = false
		case escaped:
			escaped = false
		case inString && b == '\\':
			escaped = true
		case b == '"':
			inString = !inString
		}
	}
	return len(data)
}

// options reads fio's options as far as they are strings. Of a list, the first; "global options" of one job file are the same
// for all servers.
func readOptions(raw json.RawMessage) map[string]string {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		var list []map[string]json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			return nil
		}
		fields = list[0]
	}
	m := make(map[string]string, len(fields))
	for name, value := range fields {
		var text string
		if json.Unmarshal(value, &text) == nil && utf8.ValidString(text) {
			m[name] = text
		}
	}
	return m
}
