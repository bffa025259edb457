package addr

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
)

// FileName makes a file name of an address, or of another name: in ASCII, short enough for any file system, without anything that a shell
// or a path takes for its own. Different names stay different: where something is lost, a hash of the name follows.
func FileName(s string) string {
	var b strings.Builder
	lost := false
	for _, r := range s {
		if r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-=,[]", r)) {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
			lost = true
		}
	}
	name := strings.TrimLeft(b.String(), ".")
	if !lost && name == s && len(name) <= 150 {
		return name
	}
	sum := sha256.Sum256([]byte(s))
	if len(name) > 150 {
		name = name[:150]
	}
	return name + "-" + hex.EncodeToString(sum[:4])
}
