package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

// valueJSON writes a known value as the JSON package of cty does, but for its price: that prints every number by a search for the shortest
// of 512 bits, which takes longer than all else in a large plan.
func valueJSON(v cty.Value) json.RawMessage { return (&jsonWriter{}).value(v) }

// jsonWriter writes many values. Those of one type have the same names, so the names of the last object are kept in order: sorting them for each
// is what takes the time. The zero value is ready.
type jsonWriter struct {
	names []string
	room  []byte
}

func (w *jsonWriter) value(v cty.Value) json.RawMessage {
	if !v.IsNull() && v.Type().IsObjectType() {
		if types := v.Type().AttributeTypes(); !sameNames(w.names, types) {
			w.names = sorted(types)
		}
		w.room = appendFields(w.room[:0], w.names, v.GetAttr)
	} else {
		w.room = appendValue(w.room[:0], v)
	}
	return slices.Clone(w.room)
}

func sameNames[V any](names []string, m map[string]V) bool {
	for _, n := range names {
		if _, ok := m[n]; !ok {
			return false
		}
	}
	return len(names) == len(m)
}

func appendValue(out []byte, v cty.Value) []byte {
	ty := v.Type()
	switch {
	case v.IsNull():
		return append(out, "null"...)
	case ty == cty.String:
		return appendString(out, v.AsString())
	case ty == cty.Bool:
		return strconv.AppendBool(out, v.True())
	case ty == cty.Number:
		return appendNumber(out, v.AsBigFloat())
	case ty.IsObjectType():
		return appendFields(out, sorted(ty.AttributeTypes()), v.GetAttr)
	case ty.IsMapType():
		m := v.AsValueMap()
		return appendFields(out, sorted(m), func(n string) cty.Value { return m[n] })
	case ty.IsListType(), ty.IsTupleType(), ty.IsSetType():
		out = append(out, '[')
		for i, x := range v.AsValueSlice() {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendValue(out, x)
		}
		return append(out, ']')
	}
	panic(fmt.Sprintf("plan: %#v has no JSON", v)) // decoded by a schema, so it has
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func appendFields(out []byte, names []string, field func(string) cty.Value) []byte {
	out = append(out, '{')
	for i, n := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendString(out, n), ':')
		out = appendValue(out, field(n))
	}
	return append(out, '}')
}

func appendString(out []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string always can be written
			}
			return append(out, quoted...)
		}
	}
	return append(append(append(out, '"'), s...), '"')
}

func appendNumber(out []byte, f *big.Float) []byte {
	if n, accuracy := f.Int64(); accuracy == big.Exact {
		return strconv.AppendInt(out, n, 10)
	}
	return f.Append(out, 'f', -1)
}
