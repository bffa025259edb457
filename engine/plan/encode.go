package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Encode writes a plan as JSON. The same spec on the same bench gives the same bytes.
func Encode(p *Plan) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(p); err != nil {
		return nil, fmt.Errorf("writing the plan: %w", err)
	}
	return b.Bytes(), nil
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
