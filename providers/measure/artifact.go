package measure

import (
	"bytes"
	"io"
	"os"
)

// Artifact is one file of raw output.
type Artifact struct {
	Name string // NAME.stdout
	Data []byte
	// File is where on this machine it lies, of one whose name ends in LogSuffix: Data is nil then. Logs may be larger than memory, so who
	// parses them reads them as a stream.
	File string `json:",omitempty"`
}

// LogSuffix ends the names of artifacts that are read as a stream.
const LogSuffix = ".log"

// Open reads it from its beginning, wherever it is.
func (a Artifact) Open() (io.ReadCloser, error) {
	if a.File != "" {
		return os.Open(a.File)
	}
	return io.NopCloser(bytes.NewReader(a.Data)), nil
}
