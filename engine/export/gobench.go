package export

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/lang/schema"
)

// GoBench writes the samples that count in Go's benchmark format (golang.org/design/14313-benchmark-format), as benchstat
// reads it: a line for each sample, and for each combination of keys that it brings,
//
//	BenchmarkSeq/drive=sas/rw=read 1 1073741824 bandwidth-B/s 0.0004 latency_p99-sec
//
// named after the block and its coordinates. A unit is the measure's name with its unit behind it, since benchstat makes a table for each unit, and
// its direction is said by a Unit line. Before them stand facts of the hosts as configuration. In a name, white space, a
// slash, a percent sign and a dash before a number at its end, which would be taken for GOMAXPROCS, are written as %XX.
func (t *Table) GoBench(w io.Writer, p *plan.Plan, facts map[string]map[string]string) error {
	out := bufio.NewWriter(w)
	for _, c := range configuration(p, facts) {
		fmt.Fprintf(out, "%s: %s\n", c[0], c[1])
	}
	units := map[string]schema.Better{}
	for i := range t.Rows {
		if r := &t.Rows[i]; r.ok() {
			units[benchUnit(r)] = r.Better
		}
	}
	for _, u := range slices.Sorted(maps.Keys(units)) {
		if units[u] != "" {
			fmt.Fprintf(out, "Unit %s better=%s\n", u, units[u])
		}
	}
	names := benchNames(t.Rows)
	last := ""
	for i := range t.Rows {
		r := &t.Rows[i]
		if !r.ok() {
			continue
		}
		// The rows of one sample and one combination of keys stand together.
		line := "\nBenchmark" + t.benchName(names[r.Block], r) + " 1"
		if id := fmt.Sprintf("%p %s", r.Sample, line); id != last {
			out.WriteString(line)
			last = id
		}
		fmt.Fprintf(out, " %s %s", shortest(r.Value), benchUnit(r))
	}
	if last != "" {
		out.WriteString("\n")
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// benchNames gives each block the shortest name by which it is told from the others: Seq, Fio_Seq, Test_Fio_Seq.
func benchNames(rows []Row) map[addr.Block]string {
	ways := []func(addr.Block) string{
		func(b addr.Block) string { return title(b.Name) },
		func(b addr.Block) string { return title(b.Type) + "_" + title(b.Name) },
		func(b addr.Block) string { return title(b.Kind) + "_" + title(b.Type) + "_" + title(b.Name) },
	}
	out := map[addr.Block]string{}
	for _, way := range ways {
		used := map[string]addr.Block{}
		clash := false
		for i := range rows {
			b := rows[i].Block
			out[b] = way(b)
			other, ok := used[out[b]]
			clash = clash || ok && other != b
			used[out[b]] = b
		}
		if !clash {
			break
		}
	}
	return out
}

// title makes the first letter upper case, as Go's own benchmarks have it.
func title(s string) string {
	for i, r := range s {
		return string(unicode.ToUpper(r)) + s[i+len(string(r)):]
	}
	return s
}

func (t *Table) benchName(block string, r *Row) string {
	var b strings.Builder
	b.WriteString(escape(block))
	part := func(key, value string) { b.WriteString("/" + escape(key) + "=" + escape(value)) }
	if r.Each != "" {
		part("each", r.Each)
	}
	for _, list := range []struct {
		names []string
		of    addr.Coordinates
	}{{t.Axes, r.Sample.Coordinates}, {t.Keys, r.Keys}} {
		for _, n := range list.names {
			if v, ok := list.of[n]; ok {
				part(n, v)
			}
		}
	}
	name := b.String()
	digits := len(name) - len(strings.TrimRight(name, "0123456789"))
	if at := len(name) - digits - 1; digits > 0 && at >= 0 && name[at] == '-' {
		name = name[:at] + "%2D" + name[at+1:]
	}
	return name
}

// escape writes what would end or divide a part of a name as %XX for each byte.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '/' || r == '%' || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// benchUnit is the measure with its unit: latency_p99-sec, bandwidth-B/s, iops-1/s; of a plain number the measure alone. benchstat divides
// units at their dashes, stars and slashes and rescales ns and MB, so that a measure's own name must have and be none of these.
func benchUnit(r *Row) string {
	name := strings.NewReplacer("-", "_", "*", "_", "/", "_").Replace(r.Measure)
	if name == "ns" || name == "MB" {
		name += "_"
	}
	switch r.Unit {
	case "", "1":
		return escape(name)
	case "s":
		return escape(name) + "-sec"
	}
	return escape(name) + "-" + escapeUnit(r.Unit)
}

// escapeUnit keeps the slash of a unit, and makes one that benchstat would rescale another.
func escapeUnit(u string) string {
	parts := strings.Split(u, "/")
	for i, p := range parts {
		if p == "ns" || p == "MB" {
			p += "_"
		}
		parts[i] = escape(p)
	}
	return strings.Join(parts, "/")
}

// described are the facts of a host that say on what was measured, and stay the same from run to run, so that benchstat, which makes a table
// for each configuration, still compares two runs.
var described = []string{"machine.vendor", "machine.product", "virtualization", "os.name", "kernel.release", "cpu.model", "cpu.count", "memory.bytes"}

// configuration gives facts of the plan's hosts as keys and values; with several hosts each key begins with its host's number in the plan.
func configuration(p *plan.Plan, facts map[string]map[string]string) [][2]string {
	var out [][2]string
	for i, h := range p.Hosts {
		for _, name := range described {
			v := strings.TrimSpace(strings.Map(func(r rune) rune {
				if unicode.IsPrint(r) {
					return r
				}
				return ' '
			}, facts[h][name]))
			if v == "" {
				continue
			}
			if len(p.Hosts) > 1 {
				name = fmt.Sprintf("host%d.%s", i+1, name)
			}
			out = append(out, [2]string{name, v})
		}
	}
	return out
}
