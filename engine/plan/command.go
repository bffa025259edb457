package plan

import (
	"strings"

	"github.com/assay-bench/assay/providers"
)

// CommandLine prints a command as one would type it.
func CommandLine(c providers.Command) string {
	on := ""
	if c.On != "" {
		on = c.On + " "
	}
	switch {
	case len(c.Argv) > 0:
		words := make([]string, len(c.Argv))
		for i, a := range c.Argv {
			words[i] = shellWord(a)
		}
		for i := len(c.Env) - 1; i >= 0; i-- {
			name, value, _ := strings.Cut(c.Env[i], "=")
			words = append([]string{name + "=" + shellWord(value)}, words...)
		}
		line := on + c.Dir + "$ " + strings.Join(words, " ")
		if c.Stdin != "" {
			line += " <<< " + shellWord(c.Stdin)
		}
		return line
	case c.SQL != "":
		return on + "sql> " + c.SQL
	case c.HTTP != "":
		return on + c.HTTP
	}
	return on + c.Manual
}

// shellWord quotes a word for reading; nothing is ever run from it.
func shellWord(s string) string {
	plain := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("-_=+.,:/@%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
