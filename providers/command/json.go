package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// step is one step of a path: a member by its name, an element by its index, or all of them.
type step struct {
	name  string
	index int // of an element; -1: a member, or all
	all   bool
}

// jsonPath reads a path: a.b, a[0].b, a[*].b, a.*, ["a.b"].c.
func jsonPath(text string) ([]step, error) {
	var steps []step
	rest := text
	for first := true; rest != ""; first = false {
		switch {
		case strings.HasPrefix(rest, "["):
			s, after, err := bracket(rest)
			if err != nil {
				return nil, err
			}
			steps, rest = append(steps, s), after
			continue
		case !first && rest[0] != '.':
			return nil, fmt.Errorf("%q: after a bracket comes a dot or another bracket", text)
		case !first:
			rest = rest[1:]
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		name := rest[:end]
		if name == "" {
			return nil, fmt.Errorf("%q: a name is missing", text)
		}
		steps, rest = append(steps, step{name: name, index: -1, all: name == "*"}), rest[end:]
	}
	if len(steps) == 0 {
		return nil, errors.New("a path names at least one member")
	}
	return steps, nil
}

// bracket reads [0], [*] and ["name"].
func bracket(text string) (step, string, error) {
	if strings.HasPrefix(text, `["`) {
		quoted, err := strconv.QuotedPrefix(text[1:])
		if err == nil && strings.HasPrefix(text[1+len(quoted):], "]") {
			name, err := strconv.Unquote(quoted)
			return step{name: name, index: -1}, text[len(quoted)+2:], err
		}
		return step{}, "", fmt.Errorf("%q: a name in brackets is written like [\"a.b\"]", text)
	}
	inside, after, ok := strings.Cut(text[1:], "]")
	if inside == "*" && ok {
		return step{index: -1, all: true}, after, nil
	}
	i, err := strconv.Atoi(inside)
	if err != nil || i < 0 || !ok {
		return step{}, "", fmt.Errorf("%q: in brackets stands an index from 0, * or a name in quotes", text)
	}
	return step{index: i}, after, nil
}

// inJSON finds the path in the JSON of the output, which may be several documents: one a line, say.
func (f figure) inJSON(output []byte) ([]found, error) {
	steps, err := jsonPath(f.json)
	if err != nil {
		return nil, err
	}
	docs, err := documents(output)
	if err != nil {
		return nil, err
	}
	var out []found
	for _, d := range docs {
		if out, err = f.walk(d, steps, nil, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// walk collects what the path leads to below v. What is not there is not found; what is there and no figure is an error.
func (f figure) walk(v any, steps []step, keys []string, out []found) ([]found, error) {
	if len(out) > maxFigures {
		return out, nil
	}
	if len(steps) == 0 {
		x := found{text: fmt.Sprint(v)}
		if len(f.keys) > 0 {
			x.keys = keys
		}
		switch v.(type) {
		case json.Number, string:
			return append(out, x), nil
		}
		return nil, fmt.Errorf("what is at %s is not a number but %s", f.where(), kindOf(v))
	}
	s, rest := steps[0], steps[1:]
	var err error
	switch v := v.(type) {
	case map[string]any:
		if s.all {
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if out, err = f.walk(v[name], rest, append(slices.Clone(keys), name), out); err != nil {
					return nil, err
				}
			}
		} else if x, ok := v[s.name]; ok && s.index < 0 {
			return f.walk(x, rest, keys, out)
		}
	case []any:
		if s.all {
			for i, x := range v {
				if out, err = f.walk(x, rest, append(slices.Clone(keys), strconv.Itoa(i)), out); err != nil {
					return nil, err
				}
			}
		} else if s.index >= 0 && s.index < len(v) {
			return f.walk(v[s.index], rest, keys, out)
		}
	}
	return out, nil
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case []any:
		return "a list"
	}
	return "an object"
}

// maxText is how many lines before the JSON may begin with a bracket, so that large broken output is not read over and over.
const maxText = 100

// documents reads the JSON that begins in the first line that begins with a brace or a bracket and parses, and what follows it.
// Text around it is passed over; a document that breaks off is an error.
func documents(output []byte) ([]any, error) {
	var docs []any
	rest := output
	for try := 0; len(rest) > 0; try++ {
		start := nextDocument(rest)
		if start < 0 {
			break
		}
		rest = rest[start:]
		dec := json.NewDecoder(bytes.NewReader(rest))
		dec.UseNumber()
		var v any
		err := dec.Decode(&v)
		switch {
		case err == nil:
			docs = append(docs, v)
			rest = rest[dec.InputOffset():]
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, errors.New("its JSON breaks off")
		case len(docs) > 0:
			return nil, fmt.Errorf("its JSON is broken: %s", printable(err.Error()))
		default: // a line of text that begins with a bracket
			next := bytes.IndexByte(rest, '\n')
			if next < 0 || try > maxText {
				return nil, fmt.Errorf("its JSON is broken: %s", printable(err.Error()))
			}
			rest = rest[next+1:]
		}
	}
	if len(docs) == 0 {
		return nil, errors.New("there is no JSON in it")
	}
	return docs, nil
}

// nextDocument is where the next line begins that begins with a brace or a bracket; -1 where there is none.
func nextDocument(text []byte) int {
	at := 0
	for line := range bytes.Lines(text) {
		trimmed := bytes.TrimLeft(line, " \t\r")
		if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
			return at + len(line) - len(trimmed)
		}
		at += len(line)
	}
	return -1
}
