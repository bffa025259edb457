package host

import (
	"context"
	"fmt"
)

// Dial opens a host by its address; the empty address is this machine. It is the Dialer that assay uses.
//
// ssh://USER@HOST:PORT is a host over ssh, reached as the user's own ~/.ssh/config, agent and known_hosts say (see dialLink);
// with ?become=sudo every command runs, and every file is touched, as root through sudo -n. Dial returns once the
// connection stands and the host was found fit to run commands.
func Dial(ctx context.Context, address string) (Host, error) {
	switch address {
	case "":
		return Local(), nil
	case "localhost", "local", "127.0.0.1", "::1":
		return nil, fmt.Errorf("%q is not the address of a host; leave hosts out of the hardware block to run on this machine", address)
	}
	t, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	r := &remote{address: address, target: t, grace: Grace}
	r.silence = min(silence, r.reconnect()) // the keeper of a command must hear from us before it gives us up
	if _, err := r.connected(ctx); err != nil {
		return nil, err
	}
	return r, nil
}
