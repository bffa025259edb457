package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/assay-bench/assay/engine/judge"
)

// resultsJSON gives results.json: a line for each sample, figure, comparison and KPI, so that the results of a large run are written
// fast and can be looked through with line tools; a list never null, text as it is and not escaped for HTML.
func resultsJSON(r *judge.Results) ([]byte, error) {
	var b bytes.Buffer
	v := reflect.ValueOf(*r)
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if options == "omitempty" && v.Field(i).IsZero() {
			continue
		}
		b.WriteString(map[bool]string{true: "{\n", false: ",\n"}[b.Len() == 0])
		fmt.Fprintf(&b, "  %q: ", name)
		var err error
		if v.Field(i).Kind() == reflect.Slice {
			err = jsonLines(&b, v.Field(i))
		} else {
			err = jsonLine(&b, v.Field(i))
		}
		if err != nil {
			return nil, fmt.Errorf("report: results.json: %w; a figure must be a finite number", err)
		}
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// jsonChunk is how many elements of a list one worker encodes at a time.
const jsonChunk = 500

// jsonLines writes a list with a line for each element.
func jsonLines(b *bytes.Buffer, list reflect.Value) error {
	if list.Len() == 0 {
		b.WriteString("[]")
		return nil
	}
	chunks := make([]bytes.Buffer, (list.Len()+jsonChunk-1)/jsonChunk)
	errs := make([]error, len(chunks))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(chunks)) {
		workers.Go(func() {
			for c := range next {
				for i := c * jsonChunk; i < min((c+1)*jsonChunk, list.Len()) && errs[c] == nil; i++ {
					if i > 0 {
						chunks[c].WriteByte(',')
					}
					chunks[c].WriteString("\n    ")
					errs[c] = jsonLine(&chunks[c], list.Index(i))
				}
			}
		})
	}
	for c := range chunks {
		next <- c
	}
	close(next)
	workers.Wait()
	if i := slices.IndexFunc(errs, func(err error) bool { return err != nil }); i >= 0 {
		return errs[i]
	}
	b.WriteByte('[')
	for c := range chunks {
		b.Write(chunks[c].Bytes())
	}
	b.WriteString("\n  ]")
	return nil
}

func jsonLine(b *bytes.Buffer, v reflect.Value) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.Interface()); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the line's end
	return nil
}
