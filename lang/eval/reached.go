package eval

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/lang/config"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// reached gives the addresses of hosts with how they are used: ssh://u@db1?become=sudo&reconnect=60s. In this form they go through
// plan and record, so that a host needs nothing but its address. What is given is put into obj too.
func (e *evaluator) reached(h *config.Hardware, hosts []string, obj map[string]cty.Value) []string {
	how := url.Values{}
	if a := h.Attrs["become"]; a != nil {
		obj["become"] = e.fixed(a.Expr)
		if word := e.enum(obj["become"], a, []string{"sudo"}); word != "" {
			how.Set(a.Name, word)
		}
	}
	if a := h.Attrs["reconnect"]; a != nil {
		obj["reconnect"] = e.fixed(a.Expr)
		if q := e.longerThanNothing(obj["reconnect"], a); q != nil {
			how.Set(a.Name, strconv.FormatFloat(q.Float(), 'f', -1, 64)+"s")
		}
	}
	if len(how) == 0 {
		return hosts
	}
	out := make([]string, len(hosts))
	for i, host := range hosts {
		out[i] = host + "?" + how.Encode()
	}
	return out
}

// checkReached refuses what is of no use without hosts, and a host that two blocks use in two ways: it would be taken for two.
func (e *evaluator) checkReached(h *config.Hardware, hosts []string) {
	for _, name := range []string{"become", "reconnect"} {
		if a := h.Attrs[name]; a != nil && h.Attrs["hosts"] == nil {
			e.errorf(a.NameRange, "Without hosts", "%s is about hosts over ssh, and this hardware is this machine. Name hosts, or remove it.", name)
		}
	}
	for _, host := range hosts {
		plain, _, _ := strings.Cut(host, "?")
		if other, ok := e.reach[plain]; ok && other != host {
			e.errorf(hostsRange(h), "Host used in two ways", "%q stands in another hardware block too, with another become or reconnect. Give both the same.", plain)
		}
		e.reach[plain] = host
	}
}

func hostsRange(h *config.Hardware) hcl.Range { return h.Attrs["hosts"].Expr.Range() }
