package run

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/providers/host"
)

// tag is what the commands of an attempt bear: they are known by it when assay is killed, and they go on.
func (r *runner) tag(step string, attempt int) string {
	return r.o.Record.ID + "/" + step + "/" + strconv.Itoa(attempt)
}

// endOrphans ends what still runs of the attempts that were open when the run was cut off, on every host, and says how much that was. What a
// finished step has started, a server say, lives on.
func (r *runner) endOrphans(ctx context.Context) (string, error) {
	var tags []string
	for _, s := range r.o.Plan.Steps {
		st := r.before.Step(s.ID)
		if st.Open {
			tags = append(tags, r.tag(s.ID, st.Attempt))
		}
		if st.Removing {
			tags = append(tags, r.tag(s.ID+removalSuffix, st.Removals))
		}
	}
	if len(tags) == 0 {
		return "", nil
	}
	var said []string
	for _, address := range r.o.Plan.Hosts {
		n, err := r.endOn(ctx, address, tags)
		if err != nil {
			return "", fmt.Errorf("ending what still runs on %s: %w; the run can be resumed again", name(address), err)
		}
		if n > 0 {
			said = append(said, fmt.Sprintf("%d of its processes still ran on %s and were ended", n, name(address)))
		}
	}
	return strings.Join(said, "; "), nil
}

func (r *runner) endOn(ctx context.Context, address string, tags []string) (int, error) {
	h, err := r.o.Dial(ctx, address)
	if err != nil {
		return 0, err
	}
	n, err := host.EndTagged(ctx, h, tags...)
	return n, errors.Join(err, h.Close())
}
