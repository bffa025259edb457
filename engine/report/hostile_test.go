package report

import (
	"reflect"
	"strings"

	"github.com/assay-bench/assay/lang/addr"
)

// everyText calls change for what a spec, a tool or a machine can write into a report: titles, labels, reasons, warnings, codes, names of
// files, facts and their names, hosts, command lines, coordinates with the names of their cases, units, limits, notes. Names of measures, axes and blocks are
// identifiers, which the language checks, and addresses are what things are found by; they stay.
func everyText(in *Input, change func(*string)) {
	texts := map[string]bool{"Title": true, "Description": true, "Label": true, "Reason": true, "Because": true, "Figure": true, "Limit": true, "Text": true, "Code": true,
		"Words": true, "Source": true, "Host": true, "Error": true, "Signal": true, "Symbol": true, "What": true, "Arm": true, "Version": true, "LoadedIn": true}
	lists := map[string]bool{"Artifacts": true, "Notes": true, "Warnings": true, "Argv": true, "Sensitive": true, "Hosts": true}
	symbols := map[string]string{} // one unit, one text
	var walk func(reflect.Value, string)
	walk = func(v reflect.Value, name string) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), "")
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i), v.Type().Field(i).Name)
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				if e := v.Index(i); e.Kind() == reflect.String && lists[name] {
					changeIn(e, change)
				} else {
					walk(e, "")
				}
			}
		case reflect.String:
			if texts[name] && v.CanSet() {
				if name == "Symbol" {
					if _, ok := symbols[v.String()]; !ok {
						old := v.String()
						changeIn(v, change)
						symbols[old] = v.String()
					}
					return
				}
				changeIn(v, change)
			}
		}
	}
	walk(reflect.ValueOf(in), "")
	for host, facts := range in.Facts {
		bad := map[string]string{}
		for k, x := range facts {
			change(&k)
			change(&x)
			bad[k] = x
		}
		delete(in.Facts, host)
		change(&host)
		in.Facts[host] = bad
	}
	for k, raw := range in.Plan.Variables {
		x := string(raw)
		change(&x)
		in.Plan.Variables[k] = []byte(x)
	}
	var file string
	change(&file)
	in.Plan.Spec.Files[file] = "7d1f"
	// A case, wherever it stands: on the axis, in coordinates, in every address.
	var name string
	change(&name)
	renameCase(in, "128KiB", name)
}

func changeIn(v reflect.Value, change func(*string)) {
	s := v.String()
	change(&s)
	v.SetString(s)
}

// renameCase gives a case of the axis bs another name.
func renameCase(in *Input, old, name string) {
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			if c, ok := v.Interface().(addr.Coordinates); ok && c["bs"] == old {
				c["bs"] = name
			}
		case reflect.String:
			if s := v.String(); v.CanSet() && (s == old || strings.Contains(s, "bs="+old)) {
				v.SetString(strings.ReplaceAll(s, old, name))
			}
		}
	}
	walk(reflect.ValueOf(in))
}
