package measure

import (
	"encoding/json"
	"testing"
)

// TestMarkJSON: a moment has no end, so that records from before there were ends read the same.
func TestMarkJSON(t *testing.T) {
	for want, m := range map[string]Mark{
		`{"t":-1.5,"text":"disk fails"}`:        {T: -1.5, Text: "disk fails"},
		`{"t":2,"until":9.25,"text":"rebuild"}`: {T: 2, Until: 9.25, Text: "rebuild"},
	} {
		got, err := json.Marshal(m)
		if err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}
