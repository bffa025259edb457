package guard

import (
	"context"
	"fmt"
	"strconv"
)

func truncateArgv(r Ref, thing string) []string {
	return []string{"truncate", "--size=" + strconv.FormatInt(r.Capacity, 10), "--", r.file(thing)}
}

func attachArgv(r Ref, thing string) []string {
	return []string{"losetup", "--find", "--show", "--", r.file(thing)}
}

// makeSandbox makes the file of a sandbox disk, in the thing's own directory, and the loop device over it, as far as they are not there. A
// file that is there keeps what is in it; of a thing that was whole it must be there. made tells that there was no loop device.
func makeSandbox(ctx context.Context, p *Picture, r Ref, thing string, whole bool, run Run) (made bool, err error) {
	for _, n := range p.names() {
		if p.Devices[n].Backing == r.file(thing) {
			return false, nil
		}
	}
	name := func(tool string) string { return tool + "-" + r.name() }
	if !whole {
		if err := run(ctx, name("mkdir"), []string{"mkdir", "-p", "--", r.dir(thing)}); err != nil {
			return false, err
		}
		if err := run(ctx, name("truncate"), truncateArgv(r, thing)); err != nil {
			return false, err
		}
	}
	if err := run(ctx, name("losetup"), attachArgv(r, thing)); err != nil {
		return false, fmt.Errorf("make a loop device for the sandbox disk %s: %w", r.ID, err)
	}
	return true, nil
}
