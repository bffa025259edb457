package host

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// target is an address taken apart; what is empty or 0 is for the ssh configuration to say.
type target struct {
	user   string
	host   string // a name that ~/.ssh/config may know, or an IP address
	port   int
	become bool // run as root through sudo

	reconnect time.Duration // how long work goes on without a link; 0: Reconnect
}

const addressForm = "expected ssh://USER@HOST or ssh://USER@HOST:PORT, or no address for this machine"

// parseAddress reads ssh://USER@HOST:PORT?become=sudo&reconnect=600s; all but HOST may be left out. The language makes what follows the ?
// of the arguments of hardware.
func parseAddress(address string) (target, error) {
	wrong := func(why string) (target, error) {
		return target{}, fmt.Errorf("%q is not the address of a host: %s; %s", address, why, addressForm)
	}
	rest, ok := strings.CutPrefix(address, "ssh://")
	if !ok {
		return wrong("it does not begin with ssh://")
	}
	u, err := url.Parse(address)
	if err != nil {
		return target{}, fmt.Errorf("%q is not the address of a host; %s", address, addressForm)
	}
	t := target{user: u.User.Username(), host: u.Hostname()}
	if _, secret := u.User.Password(); secret {
		return target{}, fmt.Errorf("the address of %s has a password in it; use a key or the agent: nothing secret may stand in a spec", u.Hostname())
	}
	switch {
	case t.host == "" || strings.HasPrefix(t.host, "-"):
		return wrong("there is no host in it")
	case strings.HasPrefix(t.user, "-"):
		return wrong("a user's name does not begin with -")
	case u.Path != "" || u.Fragment != "" || strings.Contains(rest, "#"):
		return wrong("nothing may follow host and port")
	}
	if p := u.Port(); p != "" {
		t.port, err = strconv.Atoi(p)
		if err != nil || t.port < 1 || t.port > 65535 {
			return wrong("a port is a number from 1 to 65535")
		}
	}
	for name, value := range u.Query() {
		known := len(value) == 1
		switch name {
		case "become":
			t.become = true
			known = known && value[0] == "sudo"
		case "reconnect":
			t.reconnect, err = time.ParseDuration(value[0])
			known = known && err == nil && t.reconnect > 0
		default:
			known = false
		}
		if !known {
			return wrong(fmt.Sprintf("?%s is not known", u.RawQuery))
		}
	}
	return t, nil
}
