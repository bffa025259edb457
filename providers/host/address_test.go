package host

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseAddress(t *testing.T) {
	for address, want := range map[string]target{
		"ssh://db1":                            {host: "db1"},
		"ssh://root@db1":                       {user: "root", host: "db1"},
		"ssh://root@10.0.0.1:2222":             {user: "root", host: "10.0.0.1", port: 2222},
		"ssh://u@[fe80::1]:22?become=sudo":     {user: "u", host: "fe80::1", port: 22, become: true},
		"ssh://u@db1?become=sudo":              {user: "u", host: "db1", become: true},
		"ssh://first.last@db-1.lab.example":    {user: "first.last", host: "db-1.lab.example"},
		"ssh://DOMAIN%5Cname@db1:65535":        {user: `DOMAIN\name`, host: "db1", port: 65535},
		"ssh://root@under_score.example:1":     {user: "root", host: "under_score.example", port: 1},
		"ssh://root@[2001:db8::1]?become=sudo": {user: "root", host: "2001:db8::1", become: true},
		"ssh://db1?reconnect=90.5s":            {host: "db1", reconnect: 90500 * time.Millisecond},
		"ssh://db1?become=sudo&reconnect=600s": {host: "db1", become: true, reconnect: 10 * time.Minute},
	} {
		got, err := parseAddress(address)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(target{})); err != nil || diff != "" {
			t.Errorf("%s: %v %s", address, err, diff)
		}
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	for address, want := range map[string]string{
		"db1":                               "does not begin with ssh://",
		"ssh://":                            "there is no host",
		"ssh://root@":                       "there is no host",
		"ssh://root@-oProxyCommand=x":       "no host",
		"ssh://-lroot@db1":                  "a user's name",
		"ssh://root:hunter2@db1":            "password",
		"ssh://root@db1/":                   "nothing may follow",
		"ssh://root@db1/dir":                "nothing may follow",
		"ssh://root@db1#x":                  "nothing may follow",
		"ssh://root@db1:0":                  "1 to 65535",
		"ssh://root@db1:65536":              "1 to 65535",
		"ssh://root@db1:port":               "expected ssh://USER@HOST",
		"ssh://root@db1?become=su":          "?become=su is not known",
		"ssh://root@db1?sudo":               "?sudo is not known",
		"ssh://root@db1?become=sudo&x":      "is not known",
		"ssh://db1?reconnect=0s":            "is not known",
		"ssh://db1?reconnect=ever":          "is not known",
		"ssh://db1?become=sudo&become=sudo": "is not known",
	} {
		_, err := parseAddress(address)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}
