package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// Encode writes a plan as JSON. The same spec on the same bench gives the same bytes.
func Encode(p *Plan) ([]byte, error) {
	var b bytes.Buffer
	if err := EncodeTo(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// EncodeTo writes a plan as JSON, as a stream: of a plan with many steps only a few are held a second time. Each thing, test and step is a
// line of its own, so that diff and grep show whole ones.
func EncodeTo(w io.Writer, p *Plan) error {
	frame := *p
	lists := []list{
		listOf("things", &frame.Things), listOf("tests", &frame.Tests), listOf("steps", &frame.Steps),
	}
	var b bytes.Buffer
	enc := encoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(frame); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	rest := b.Bytes()
	for _, l := range lists {
		if l.n == 0 {
			continue
		}
		// No string of JSON holds a line's end, so this is the field of the plan itself.
		before, after, found := bytes.Cut(rest, []byte("\n  \""+l.name+"\": []"))
		if !found {
			return fmt.Errorf("writing the plan: its JSON has no list %q", l.name)
		}
		rest = after
		if err := l.write(w, before); err != nil {
			return fmt.Errorf("writing the plan: %w", err)
		}
	}
	if _, err := w.Write(rest); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	return nil
}

// list is a list of the plan that is written element by element.
type list struct {
	name string
	n    int
	at   func(i int) any
}

// listOf takes a list out of the frame, in which an empty one stands for it.
func listOf[T any](name string, in *[]T) list {
	all := *in
	if len(all) > 0 {
		*in = []T{}
	}
	return list{name, len(all), func(i int) any { return &all[i] }}
}

func (l list) write(w io.Writer, before []byte) error {
	var b bytes.Buffer
	b.Write(before)
	b.WriteString("\n  \"" + l.name + "\": [")
	enc := encoder(&b)
	for i := range l.n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		if err := enc.Encode(l.at(i)); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the line's end
		if b.Len() > 1<<16 {
			if _, err := w.Write(b.Bytes()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	b.WriteString("\n  ]")
	_, err := w.Write(b.Bytes())
	return err
}

func encoder(b *bytes.Buffer) *json.Encoder {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	return enc
}

// Decode reads a plan that Encode wrote.
func Decode(raw []byte) (*Plan, error) {
	var p Plan
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, fmt.Errorf("this is not a plan: %w", err)
	}
	if p.FormatVersion != FormatVersion {
		return nil, fmt.Errorf("the plan has format version %d; this assay reads %d. Plan again with this version", p.FormatVersion, FormatVersion)
	}
	return &p, nil
}

// Hash is the SHA-256 of an encoded plan.
func Hash(encoded []byte) string {
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:])
}
