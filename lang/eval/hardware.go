package eval

import (
	"strings"

	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// evalHardware reads what stands on the bench. Its value, for references, is an object of hosts, memory and disks.
func (e *evaluator) evalHardware() {
	for _, h := range e.model.Hardware {
		out := spec.Hardware{Name: h.Name}
		obj := map[string]cty.Value{
			"name": cty.StringVal(h.Name), "hosts": cty.ListValEmpty(cty.String), "memory": cty.NullVal(cty.String),
			"become": cty.NullVal(cty.String), "reconnect": cty.NullVal(cty.String),
		}
		if a := h.Attrs["hosts"]; a != nil {
			obj["hosts"] = e.fixed(a.Expr)
			if hosts, ok := e.strings(obj["hosts"], a); ok {
				e.checkHosts(hosts, a)
				out.Hosts = e.reached(h, hosts, obj)
			}
		}
		e.checkReached(h, out.Hosts)
		if a := h.Attrs["memory"]; a != nil {
			obj["memory"] = e.fixed(a.Expr)
			out.Memory = e.quantity(obj["memory"], a, unit.Bytes)
		}
		disks := map[string]cty.Value{}
		for _, d := range h.Disks {
			var group spec.Disks
			disks[d.Name], group = e.disks(h, d, out.Hosts)
			out.Disks = append(out.Disks, group)
		}
		obj["disks"] = cty.ObjectVal(disks)
		e.hardware[h.Name] = cty.ObjectVal(obj)
		e.hosts[h.Name] = out.Hosts
		e.out.Hardware = append(e.out.Hardware, out)
	}
}

// fixed evaluates what hardware declares, which may name variables, and locals that do not name hardware again.
func (e *evaluator) fixed(expr hcl.Expression) cty.Value {
	if e.reaches(expr, "hardware") {
		e.errorf(expr.Range(), "Not known here", "Hardware cannot be declared by other hardware; name variables, or a local that both use.")
		return cty.DynamicVal
	}
	return e.constant(expr)
}

func (e *evaluator) checkHosts(hosts []string, a *hcl.Attribute) {
	seen := map[string]bool{}
	for _, h := range hosts {
		if !strings.HasPrefix(h, "ssh://") || len(h) == len("ssh://") {
			e.errorf(a.Expr.Range(), "Invalid host", `%q is not a host; write it as "ssh://user@host:port", or leave hosts out for this machine.`, h)
		} else if strings.Contains(h, "?") {
			e.errorf(a.Expr.Range(), "Invalid host", `Nothing follows host and port in %q; how a host is used is said by arguments of hardware, such as become = "sudo".`, h)
		}
		if seen[h] {
			e.errorf(a.Expr.Range(), "Host given twice", "%q stands twice in the list.", h)
		}
		seen[h] = true
	}
}
