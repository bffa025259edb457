package guard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/assay-bench/assay/providers/host"
)

// mark says whose a disk is. It is written before anything is done to the disk, and goes after all else.
type mark struct {
	FormatVersion int       `json:"format_version"` // 1
	Thing         string    `json:"thing"`          // id of the standing thing that has it
	Disk          string    `json:"disk"`           // as the spec names it
	Identity      *Identity `json:"identity,omitempty"`
	File          string    `json:"file,omitempty"`  // of a sandbox disk
	Whole         bool      `json:"whole,omitempty"` // the thing was finished: what is on the disk is its own
}

// readMark reads the mark of a disk; nil where it bears none.
func readMark(ctx context.Context, h host.Host, r Ref) (*mark, error) {
	raw, err := h.ReadFile(ctx, r.mark())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the mark of the disk %s: %w", r.ID, err)
	}
	m := &mark{}
	if err := json.Unmarshal(raw, m); err != nil || m.FormatVersion != 1 || m.Thing == "" {
		return nil, fmt.Errorf("%s%s is not a mark that this assay understands, so the disk is not touched; look at it, and remove it if nobody needs it", r.mark(), of(h.Address()))
	}
	return m, nil
}

func writeMark(ctx context.Context, h host.Host, r Ref, m mark) error {
	m.FormatVersion = 1
	raw, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := h.WriteFile(ctx, r.mark(), append(raw, '\n'), 0o644); err != nil {
		return fmt.Errorf("write the mark of the disk %s: %w", r.ID, err)
	}
	return nil
}
