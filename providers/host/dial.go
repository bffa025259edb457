package host

import (
	"context"
	"fmt"
	"strings"
)

// Dial opens a host by its address; the empty address is this machine. It is the Dialer that assay uses.
func Dial(_ context.Context, address string) (Host, error) {
	switch {
	case address == "":
		return Local(), nil
	case strings.HasPrefix(address, "ssh://"):
		return nil, fmt.Errorf("%s: hosts over ssh are not supported by this version; leave hosts out of the hardware block to run on this machine", address)
	case address == "localhost" || address == "local" || address == "127.0.0.1" || address == "::1":
		return nil, fmt.Errorf("%q is not the address of a host; leave hosts out of the hardware block to run on this machine", address)
	}
	return nil, fmt.Errorf("%q is not the address of a host; expected ssh://USER@HOST or ssh://USER@HOST:PORT, or no address for this machine", address)
}
