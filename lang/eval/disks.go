package eval

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-bench/assay/lang/config"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// sandboxDir is where sandbox disks lie that are given no directory: it is there on every Linux machine.
const sandboxDir = "/var/tmp"

// group is a group of disks, one by one.
type group struct {
	hardware, name string
	ids            []string
	disks          []cty.Value // of schema.DiskType
}

// disks reads one group of alike disks, and into an object with all of its arguments, absent ones null, with the name of the hardware and
// the ids of the disks.
func (e *evaluator) disks(h *config.Hardware, d *config.Plain, hosts []string) (cty.Value, spec.Disks) {
	out := spec.Disks{Name: d.Name}
	obj := map[string]cty.Value{"name": cty.StringVal(d.Name), "hardware": cty.StringVal(h.Name)}
	for _, n := range []string{"model", "capacity", "sandbox"} {
		obj[n] = cty.NullVal(cty.String)
	}
	identities := []string{"serials", "wwns", "slots"}
	for _, n := range identities {
		obj[n] = cty.ListValEmpty(cty.String)
	}
	obj["count"] = cty.NullVal(cty.Number)
	lists := map[string][]string{}
	count, sandbox, before := 0, "", len(e.diags)
	for _, a := range config.SortedAttributes(d.Attrs) {
		v := e.fixed(a.Expr)
		if v.IsKnown() && v.IsNull() { // as if it were not there: a variable may leave it out
			continue
		}
		switch a.Name {
		case "capacity":
			out.Capacity = e.quantity(v, a, unit.Bytes)
		case "count":
			count = e.integer(v, a, 1)
		case "serials", "wwns", "slots":
			lists[a.Name] = e.identities(v, a)
		case "model":
			out.Model = e.stringOf(v, a)
		case "sandbox":
			sandbox, v = e.sandbox(v, a)
		}
		obj[a.Name] = v
	}
	g := &group{hardware: h.Name, name: d.Name}
	e.groups[h.Name+"."+d.Name] = g
	if len(e.diags) == before {
		machines := max(1, len(hosts))
		for _, n := range identities {
			if list := lists[n]; len(list) > 0 && sandbox == "" && count > 0 && len(list) != count*machines {
				e.errorf(d.Attrs["count"].Expr.Range(), "Number of disks", "count says that there are %s, and %s names %d. Mend one of them, or leave count out.",
					onEach(count, machines), n, len(list))
			}
		}
		if s, w := lists["serials"], lists["wwns"]; len(s) > 0 && len(w) > 0 && len(s) != len(w) {
			e.errorf(d.Attrs["wwns"].Expr.Range(), "Number of disks", "There are %d serials and %d wwns; the first of each are those of one disk, and so on. Give both for every disk, or one of the lists.", len(s), len(w))
		}
	}
	if sandbox != "" {
		if out.Capacity == nil && d.Attrs["capacity"] == nil {
			e.errorf(d.Attrs["sandbox"].Expr.Range(), "Missing argument", "Disks that are made in a sandbox need a capacity, such as capacity = \"256MiB\".")
		}
		for _, list := range lists {
			if count == 0 {
				count = len(list) / max(1, len(hosts))
			}
		}
		if count == 0 {
			e.errorf(d.Attrs["sandbox"].Expr.Range(), "Missing argument", "How many disks are made in the sandbox? Give a count.")
		}
		lists = nil
	}
	out.Serials, out.WWNs = lists["serials"], lists["wwns"]
	if len(e.diags) > before {
		obj["ids"] = cty.UnknownVal(cty.List(cty.String)) // whatever names these disks is not looked at
		return cty.ObjectVal(obj), out
	}
	e.oneByOne(g, out, lists, count, sandbox)
	obj["ids"] = cty.ListValEmpty(cty.String)
	if len(g.ids) > 0 {
		ids := make([]cty.Value, len(g.ids))
		for i, id := range g.ids {
			ids[i] = cty.StringVal(id)
		}
		obj["ids"] = cty.ListVal(ids)
	}
	return cty.ObjectVal(obj), out
}

func onEach(count, machines int) string {
	if machines == 1 {
		return fmt.Sprint(count)
	}
	return fmt.Sprintf("%d on each of %d machines", count, machines)
}

// identities reads serial numbers, WWNs or slots.
func (e *evaluator) identities(v cty.Value, a *hcl.Attribute) []string {
	list, _ := e.strings(v, a)
	seen := map[string]bool{}
	for _, id := range list {
		switch plain := strings.ToLower(strings.TrimSpace(id)); {
		case plain == "":
			e.errorf(a.Expr.Range(), "Not an identity", "One of %s is empty: every disk would do.", a.Name)
		case strings.Contains(plain, "/"):
			e.errorf(a.Expr.Range(), "Not an identity", "%q is a path, and what it leads to changes when disks are found in another order. Write what `lsblk -d -o NAME,SERIAL,WWN` prints for the disk.", id)
		case seen[plain]:
			e.errorf(a.Expr.Range(), "Disk given twice", "%q stands twice in %s.", id, a.Name)
		default:
			seen[plain] = true
		}
	}
	return list
}

// sandbox reads where sparse files stand in for the disks: a directory, or true for the usual one.
func (e *evaluator) sandbox(v cty.Value, a *hcl.Attribute) (string, cty.Value) {
	none := cty.NullVal(cty.String)
	if v.IsKnown() && v.Type() == cty.Bool && !v.IsMarked() {
		if v.False() {
			return "", none
		}
		return sandboxDir, cty.StringVal(sandboxDir)
	}
	dir := e.stringOf(v, a)
	if dir == "" && (!v.IsKnown() || v.Type() != cty.String) {
		return "", none
	}
	if !path.IsAbs(dir) || path.Clean(dir) != dir || dir == "/" {
		e.errorf(a.Expr.Range(), "Invalid sandbox", "%q is not the plain absolute path of a directory, such as \"/var/tmp\"; true stands for that one.", dir)
		return "", none
	}
	return dir, v
}

// oneByOne makes the disks of a group.
func (e *evaluator) oneByOne(g *group, d spec.Disks, lists map[string][]string, count int, sandbox string) {
	n := count
	for _, list := range lists {
		n = max(n, len(list))
	}
	for i := range n {
		disk := map[string]cty.Value{"group": cty.StringVal(g.name), "sandbox": cty.NullVal(cty.String), "model": cty.NullVal(cty.String), "capacity": cty.NullVal(cty.Number)}
		id := fmt.Sprintf("%s-%d", g.name, i+1)
		for _, by := range []struct{ list, one string }{{"slots", "slot"}, {"wwns", "wwn"}, {"serials", "serial"}} { // the last names it
			disk[by.one] = cty.NullVal(cty.String)
			if i < len(lists[by.list]) {
				id = lists[by.list][i]
				disk[by.one] = cty.StringVal(id)
			}
		}
		if sandbox != "" {
			disk["sandbox"] = cty.StringVal(sandbox)
		}
		if d.Model != "" {
			disk["model"] = cty.StringVal(d.Model)
		}
		if d.Capacity != nil {
			disk["capacity"] = cty.MustParseNumberVal(d.Capacity.Decimal())
		}
		disk["id"] = cty.StringVal(id)
		g.ids, g.disks = append(g.ids, id), append(g.disks, cty.ObjectVal(disk))
	}
}

// disks reads an attribute that takes disks: a group of hardware, ids of it, or a list of both. Nothing else names a disk.
func (d *decoder) disks(a schema.Attribute, ha *hcl.Attribute, v cty.Value) cty.Value {
	items := []cty.Value{v}
	if ty := v.Type(); ty.IsTupleType() || ty.IsListType() || ty.IsSetType() {
		items = v.AsValueSlice()
	}
	var out []cty.Value
	seen := map[string]bool{}
	for _, x := range items {
		disks := d.disksOf(a, ha, x)
		if disks == nil {
			return cty.NilVal
		}
		for _, disk := range disks {
			id := disk.GetAttr("group").AsString() + " " + disk.GetAttr("id").AsString()
			if seen[id] {
				d.e.errorf(ha.Expr.Range(), "Disk given twice", "%s has the disk %s twice.", a.Name, disk.GetAttr("id").AsString())
				return cty.NilVal
			}
			seen[id] = true
			out = append(out, disk)
		}
	}
	if len(out) == 0 {
		return cty.ListValEmpty(schema.DiskType)
	}
	return cty.ListVal(out)
}

// disksOf gives the disks that a group or an id is; nil where it is neither, which is reported.
func (d *decoder) disksOf(a schema.Attribute, ha *hcl.Attribute, v cty.Value) []cty.Value {
	e, rng := d.e, ha.Expr.Range()
	if !v.IsNull() && v.Type().IsObjectType() && v.Type().HasAttribute("hardware") && v.Type().HasAttribute("ids") {
		g := e.groups[v.GetAttr("hardware").AsString()+"."+v.GetAttr("name").AsString()]
		if !slices.Equal(e.hosts[g.hardware], d.hosts) {
			e.errorf(rng, "Disks of another machine", "hardware.%s.disks.%s are not on the machine that this block is on. Write on = hardware.%s, or name other disks.", g.hardware, g.name, g.hardware)
			return nil
		}
		return append([]cty.Value{}, g.disks...)
	}
	if v.IsNull() || v.Type() != cty.String {
		e.errorf(rng, "Not disks", "%s must be disks of hardware, such as hardware.NAME.disks.NAME, or ids of them, and this is %s.", a.Name, friendly(v))
		return nil
	}
	var ids []string
	for _, name := range sortedKeys(e.groups) {
		g := e.groups[name]
		if !slices.Equal(e.hosts[g.hardware], d.hosts) {
			continue
		}
		if i := slices.Index(g.ids, v.AsString()); i >= 0 {
			return []cty.Value{g.disks[i]}
		}
		ids = append(ids, g.ids...)
	}
	if strings.HasPrefix(v.AsString(), "/") {
		e.errorf(rng, "Disk not from hardware", "%q is a path, and what it leads to changes when disks are found in another order. Declare the disk by its serial number in a hardware block, and name that.", v.AsString())
		return nil
	}
	e.errorf(rng, "Disk not from hardware", "No disk of the id %q is declared in the hardware that this block is on.%s", v.AsString(), diag.DidYouMean(v.AsString(), ids))
	return nil
}
