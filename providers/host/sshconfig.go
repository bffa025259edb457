package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kevinburke/ssh_config"
)

// settings are what ssh's own configuration says of one host.
type settings struct {
	alias      string // as the spec has it
	host       string
	port       int
	user       string
	hostKey    string   // the name under which known_hosts has it; empty: host and port
	knownHosts []string // files; the first is where new keys go
	identities []string // files of private keys
	onlyThese  bool     // no other keys of the agent
	agent      string   // socket; empty: none
	jump       []string // hosts on the way, nearest first
	timeout    time.Duration
}

// connectTimeout bounds connecting and logging in where ConnectTimeout does not.
const connectTimeout = 20 * time.Second

// configuration is ~/.ssh/config, then the system's: the first value wins, as in ssh.
type configuration []*ssh_config.Config

func readConfiguration(home string) (configuration, error) {
	var c configuration
	for _, file := range []string{filepath.Join(home, ".ssh", "config"), "/etc/ssh/ssh_config"} {
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		parsed, err := ssh_config.DecodeBytes(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		c = append(c, parsed)
	}
	return c, nil
}

func (c configuration) all(alias, key string) ([]string, error) {
	var values []string
	for _, file := range c {
		v, err := file.GetAll(alias, key)
		if err != nil {
			return nil, fmt.Errorf("ssh configuration, %s of %s: %w", key, alias, err)
		}
		values = append(values, v...)
	}
	return values, nil
}

// settle says how t is reached. home is that of whoever runs assay.
func (c configuration) settle(t target, home string) (settings, error) {
	var failed error
	first := func(key string) string {
		v, err := c.all(t.host, key)
		failed = errors.Join(failed, err)
		if len(v) == 0 {
			return ""
		}
		return strings.Trim(v[0], `"`)
	}
	s := settings{alias: t.host, host: t.host, port: t.port, user: t.user, timeout: connectTimeout, agent: os.Getenv("SSH_AUTH_SOCK")}
	if name := first("HostName"); name != "" {
		s.host = strings.NewReplacer("%%", "%", "%h", t.host).Replace(name)
	}
	if s.user == "" {
		s.user = first("User")
	}
	if s.user == "" {
		me, err := user.Current()
		if err != nil {
			return s, fmt.Errorf("%s: no user in the address, and that of this process is not known: %w", t.host, err)
		}
		s.user = me.Username
	}
	number := func(key string, low, high, otherwise int) int {
		v := first(key)
		if v == "" {
			return otherwise
		}
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			failed = errors.Join(failed, fmt.Errorf("ssh configuration, %s of %s: %q; expected a number from %d to %d", key, t.host, v, low, high))
		}
		return n
	}
	if s.port == 0 {
		s.port = number("Port", 1, 65535, 22)
	}
	if n := number("ConnectTimeout", 0, 3600, 0); n > 0 {
		s.timeout = time.Duration(n) * time.Second
	}
	s.hostKey = first("HostKeyAlias")
	s.onlyThese = first("IdentitiesOnly") == "yes"
	expand := func(file string) string {
		file = strings.Trim(file, `"`)
		file = strings.NewReplacer("%%", "%", "%d", home, "%h", s.host, "%n", t.host, "%p", strconv.Itoa(s.port), "%r", s.user).Replace(file)
		if rest, ok := strings.CutPrefix(file, "~/"); ok {
			file = filepath.Join(home, rest)
		}
		return file
	}
	switch socket := first("IdentityAgent"); socket {
	case "", "SSH_AUTH_SOCK":
	case "none":
		s.agent = ""
	default:
		if name, ok := strings.CutPrefix(socket, "$"); ok {
			socket = os.Getenv(name)
		}
		s.agent = expand(socket)
	}
	files, err := c.all(t.host, "IdentityFile")
	failed = errors.Join(failed, err)
	if len(files) == 0 {
		files = []string{"~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa"}
	}
	for _, f := range files {
		if f != "none" {
			s.identities = append(s.identities, expand(f))
		}
	}
	for _, k := range []struct{ key, otherwise string }{
		{"UserKnownHostsFile", "~/.ssh/known_hosts ~/.ssh/known_hosts2"},
		{"GlobalKnownHostsFile", "/etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2"},
	} {
		list := first(k.key)
		if list == "" {
			list = k.otherwise
		}
		for _, f := range strings.Fields(list) {
			if f != "none" {
				s.knownHosts = append(s.knownHosts, expand(f))
			}
		}
	}
	if j := first("ProxyJump"); j != "" && j != "none" {
		s.jump = strings.Split(j, ",")
	} else if p := first("ProxyCommand"); p != "" && p != "none" && j != "none" {
		failed = errors.Join(failed, fmt.Errorf("ssh configuration of %s: ProxyCommand is not supported; use ProxyJump", t.host))
	}
	return s, failed
}
