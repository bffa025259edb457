package plan_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/diag"
)

// Planning is to be linear in the number of instances: ns/instance at 100,000 is to be about what it is at 1,000 (the metric "ratio" is
// their quotient), and 100,000 instances are to take less than 10 CPU seconds and 1 GB. Terraform 1.5.7 takes 314 CPU
// seconds and 928 MB for 5,000 resources on such a machine.
//
//	go test -run '^$' -bench . -benchmem ./engine/plan

// linear is the target for the ratio of what is to be linear: it stands beside each figure as target-ratio.
const linear = 2

// BenchmarkTests is 100 setups with N tests that refer to them.
func BenchmarkTests(b *testing.B) {
	var base float64
	for _, n := range []int{1_000, 3_000, 10_000, 30_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { planned(b, wideSpec(n), n+100, &base, linear) })
	}
}

// wideSpec has its tests in blocks of at most 50,000, so that none exists too often.
func wideSpec(n int) string {
	blocks := max(1, n/50_000)
	var s strings.Builder
	fmt.Fprintf(&s, "matrix {\naxis \"s\" {\nvalues = range(100)\n}\naxis \"k\" {\nvalues = range(%d)\n}\n}\n", n/100/blocks)
	s.WriteString("setup \"fake_thing\" \"s\" {\nlabel = matrix.s\nclaims = [\"disk\"]\ncreate_time = \"1min\"\n}\n")
	for i := range blocks {
		fmt.Fprintf(&s, "test \"fake\" \"t%d\" {\nthing = setup.fake_thing.s.id\ncount = matrix.k\nduration = \"1s\"\n}\n", i)
	}
	return s.String()
}

// BenchmarkLongSpec is a spec of 30,000 lines.
func BenchmarkLongSpec(b *testing.B) {
	var base float64
	for _, blocks := range []int{200, 6_000} {
		var s strings.Builder
		s.WriteString("setup \"fake_thing\" \"s\" {\n}\n")
		for i := range blocks {
			fmt.Fprintf(&s, "test \"fake\" \"t%d\" {\n  thing    = setup.fake_thing.s.id\n  count    = %d\n  duration = \"1s\"\n}\n", i, i)
		}
		b.Run(fmt.Sprintf("%d lines", 5*blocks), func(b *testing.B) { planned(b, s.String(), blocks+1, &base, linear) })
	}
}

// BenchmarkChain is a chain of setups, each on the one before.
func BenchmarkChain(b *testing.B) {
	var base float64
	for _, n := range []int{100, 2_000} {
		var s strings.Builder
		s.WriteString("setup \"fake_thing\" \"s0\" {\n}\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&s, "setup \"fake_thing\" \"s%d\" {\nlabel = setup.fake_thing.s%d.id\n}\n", i, i-1)
		}
		fmt.Fprintf(&s, "test \"fake\" \"t\" {\nthing = setup.fake_thing.s%d.id\ncount = 1\n}\n", n-1)
		b.Run(fmt.Sprint(n), func(b *testing.B) { planned(b, s.String(), n+1, &base, linear) })
	}
}

// BenchmarkClosures is setups on three axes, in each other's way: every test has a closure of its own. Searching for an order takes a
// fixed number of trials, so that small ones do not set the measure here.
func BenchmarkClosures(b *testing.B) {
	var base float64
	for _, n := range []int{5, 10} {
		spec := fmt.Sprintf(`matrix {
axis "a" {
values = range(%[1]d)
}
axis "b" {
values = range(%[1]d)
}
axis "c" {
values = range(%[1]d)
}
}
setup "fake_thing" "a" {
label = matrix.a
claims = ["disk"]
create_time = "10min"
}
setup "fake_thing" "b" {
label = matrix.b
claims = ["net"]
create_time = "5min"
}
setup "fake_thing" "c" {
label = "${setup.fake_thing.a.id} ${matrix.c}"
claims = ["data"]
create_time = "20min"
}
test "fake" "t" {
thing = "${setup.fake_thing.c.id} ${setup.fake_thing.b.id}"
count = 1
}
`, n)
		b.Run(fmt.Sprint(n*n*n), func(b *testing.B) { planned(b, spec, n*n*n+n*n+2*n, &base, linear) })
	}
}

// BenchmarkExclude is an exclude that names six axes of many cases: of 50^6 combinations those where all are equal are left. It has to
// look at the square of the cases, so five times as many cost five times as much each.
func BenchmarkExclude(b *testing.B) {
	var base float64
	for _, n := range []int{10, 50} {
		var s strings.Builder
		s.WriteString("matrix {\n")
		for _, a := range "abcdef" {
			fmt.Fprintf(&s, "axis \"%c\" {\nvalues = range(%d)\n}\n", a, n)
		}
		s.WriteString("exclude {\nwhen = a != b || b != c || c != d || d != e || e != f\nreason = \"only the diagonal\"\n}\n}\n")
		s.WriteString("test \"fake\" \"t\" {\ncount = matrix.a + matrix.b + matrix.c + matrix.d + matrix.e + matrix.f\n}\n")
		b.Run(fmt.Sprint(n), func(b *testing.B) { planned(b, s.String(), n, &base, 6) })
	}
}

// BenchmarkEncode writes a plan of 10,000 tests.
func BenchmarkEncode(b *testing.B) {
	p := build(b, wideSpec(10_000))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := plan.Encode(p); err != nil {
			b.Fatal(err)
		}
	}
}

// planned plans a spec, and reports instances a second and how the time of one compares with that in the first of its kind.
func planned(b *testing.B, spec string, instances int, base *float64, target float64) {
	b.Helper()
	set := fakes(b)
	req := plan.Request{Sources: diag.Sources{"spec.assay.hcl": []byte(spec)}, Path: "."}
	b.ReportAllocs()
	for b.Loop() {
		built, diags, err := plan.Build(context.Background(), set, req)
		if err != nil || built == nil {
			b.Fatal(err, diags)
		}
		if n := len(built.Plan.Tests) + len(built.Plan.Things); n != instances {
			b.Fatalf("%d instances, want %d", n, instances)
		}
	}
	each := float64(b.Elapsed().Nanoseconds()) / float64(b.N) / float64(instances)
	if *base == 0 {
		*base = each
	}
	b.ReportMetric(1e9/each, "instances/s")
	b.ReportMetric(each / *base, "ratio")
	b.ReportMetric(target, "target-ratio")
}
