package unit

import (
	"math/big"
	"strings"
	"testing"
)

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		dim  Dim
		want string // exact, in base units
	}{
		{"400us", Seconds, "4/10000"}, {"400µs", Seconds, "4/10000"}, {"400μs", Seconds, "4/10000"},
		{"1ns", Seconds, "1/1000000000"}, {"1.5ms", Seconds, "15/10000"}, {"60s", Seconds, "60"}, {"2min", Seconds, "120"},
		{"1.5h", Seconds, "5400"}, {"2d", Seconds, "172800"}, {"1h30m", Seconds, "5400"}, {"1h 30m 15s", Seconds, "5415"},
		{"1m30s", Seconds, "90"}, {"5m30ms", Seconds, "300.03"}, {"-1h30m", Seconds, "-5400"}, {"1d1ns", Seconds, "86400.000000001"},
		{" 60 s ", Seconds, "60"}, {"1e3s", Seconds, "1000"}, {"1e-3s", Seconds, "1/1000"}, {"-5s", Seconds, "-5"}, {"−5s", Seconds, "-5"},

		{"1B", Bytes, "1"}, {"4KiB", Bytes, "4096"}, {"1MiB", Bytes, "1048576"}, {"1GiB", Bytes, "1073741824"},
		{"1TiB", Bytes, "1099511627776"}, {"1PiB", Bytes, "1125899906842624"}, {"4kB", Bytes, "4000"}, {"1MB", Bytes, "1000000"},
		{"1GB", Bytes, "1000000000"}, {"1.92TB", Bytes, "1920000000000"}, {"1PB", Bytes, "1000000000000000"},
		{"8bit", Bytes, "1"}, {"1kbit", Bytes, "125"}, {"1Gbit", Bytes, "125000000"},
		{"4k", Bytes, "4096"}, {"4K", Bytes, "4096"}, {"1m", Bytes, "1048576"}, {"1G", Bytes, "1073741824"}, {"1t", Bytes, "1099511627776"},

		{"28 GB/s", BytesPerSec, "28000000000"}, {"1MiB/s", BytesPerSec, "1048576"}, {"60MB/min", BytesPerSec, "1000000"},
		{"3600B/h", BytesPerSec, "1"}, {"10Gbit/s", BytesPerSec, "1250000000"}, {"1k", BytesPerSec, "1024"},

		{"35k IOPS", PerSecond, "35000"}, {"35kIOPS", PerSecond, "35000"}, {"35k", PerSecond, "35000"}, {"1.5M", PerSecond, "1500000"},
		{"100 IOPS", PerSecond, "100"}, {"60/min", PerSecond, "1"}, {"5/s", PerSecond, "5"}, {"5 k/s", PerSecond, "5000"},
		{"7 TPS", PerSecond, "7"}, {"7 QPS", PerSecond, "7"}, {"7 MHz", PerSecond, "7000000"}, {"7 ops/s", PerSecond, "7"},

		{"100", One, "100"}, {"1.5", One, "3/2"}, {"2k", One, "2000"}, {"2M", One, "2000000"}, {"95%", One, "19/20"},
		{"+15%", One, "3/20"}, {"-6 %", One, "-3/50"}, {"−6 %", One, "-3/50"}, {"±0 %", One, "0"}, {"5 ops", One, "5"},
		{"0.1", One, "1/10"}, {"1e-7", One, "1/10000000"},

		{"0.5 EUR/(B/s)", Dim{Other: "EUR/(B/s)"}, "1/2"}, {"2EUR / (B/s)", Dim{Other: "EUR/(B/s)"}, "2"}, {"7 NT$ per tpmC", Dim{Other: "NT$ per tpmC"}, "7"},
		{"3 s/B", Dim{Byte: -1, Second: 1}, "3"}, {"1e-6 s*EUR/B", Dim{Byte: -1, Second: 1, Other: "EUR"}, "1/1000000"},
	} {
		q, err := Parse(c.text, c.dim)
		if err != nil {
			t.Errorf("%q: %s", c.text, err)
			continue
		}
		if q.Rat().Cmp(rat(c.want)) != 0 || q.Dim() != c.dim {
			t.Errorf("%q is %s %s, want %s", c.text, q.Rat(), q.Dim(), c.want)
		}
		if q.Text() != c.text {
			t.Errorf("%q: its text is %q", c.text, q.Text())
		}
	}
}

// TestEveryUnit reads each unit with its factor, so that none is lost or shadowed by another.
func TestEveryUnit(t *testing.T) {
	for name, u := range units {
		q, err := Parse("3"+name, u.dim)
		if err != nil {
			t.Errorf("3%s: %s", name, err)
			continue
		}
		if want := new(big.Rat).Mul(u.factor, big.NewRat(3, 1)); q.Rat().Cmp(want) != 0 {
			t.Errorf("3%s is %s, want %s", name, q.Rat(), want)
		}
		if any, err := ParseAny("3 " + name); err != nil || any.Dim() != u.dim {
			t.Errorf("3 %s is %v (%v)", name, any.Dim(), err)
		}
	}
}

func TestRelativeAndShare(t *testing.T) {
	for _, c := range []struct {
		text            string
		relative, share bool
	}{{"+15%", true, false}, {"-15%", true, false}, {"15%", false, true}, {"15", false, false}, {"+15", false, false}, {"±0%", true, false}} {
		q, err := Parse(c.text, One)
		if err != nil || q.Relative() != c.relative || q.Share() != c.share {
			t.Errorf("%q: relative %v, share %v (%v)", c.text, q.Relative(), q.Share(), err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		dim  Dim
		want []string
	}{
		{"4kb", Bytes, []string{`"4kb": "kb" is not a unit`, `did you mean "4KiB" or "4kB"?`}},
		{"4kib", Bytes, []string{`did you mean "4KiB"`}},
		{"4mb", Bytes, []string{`"4MiB" or "4MB"`}},
		{"4MBs", BytesPerSec, []string{`did you mean "4MB/s"?`}},
		{"4MBps", BytesPerSec, []string{`did you mean "4MB/s"?`}},
		{"10m", Seconds, []string{`could be minutes or milliseconds`, `write "10min" or "10ms"`}},
		{"10 m", Seconds, []string{`write "10min" or "10ms"`}},
		{"10 mins", Seconds, []string{`did you mean "10min"?`}},
		{"10", Seconds, []string{`a duration needs a unit`, `write "10s" for seconds, or "10ms"`}},
		{"10", Bytes, []string{`a size needs a unit`, `write "10B" for bytes, or "10KiB"`}},
		{"10", BytesPerSec, []string{`write "10MB/s" or "10MiB/s"`}},
		{"10", PerSecond, []string{`write "10 IOPS"`}},
		{"10", Dim{Other: "NT$"}, []string{`a quantity in NT$ needs a unit`, `write "10 NT$"`}},
		{"10s", Bytes, []string{`this is a duration, but a size is wanted here`, `write it like "128KiB"`}},
		{"4KiB", Seconds, []string{`this is a size, but a duration is wanted here`}},
		{"4KiB", One, []string{`this is a size, but a number is wanted here`}},
		{"5%", Seconds, []string{`this is a number, but a duration is wanted here`}},
		{"", Seconds, []string{`this is not a number with a unit`, `write it like "60s"`}},
		{"fast", Seconds, []string{`this is not a number with a unit`}},
		{"s", Seconds, []string{`this is not a number with a unit`}},
		{"1,5s", Seconds, []string{`",5s" is not a unit`}},
		{".5s", Seconds, []string{`this is not a number with a unit`}},
		{"1..5s", Seconds, []string{`is not a unit`}},
		{"±5%", One, []string{`this is not a number with a unit`}},
		{"0x10", One, []string{`is not a unit`}},
		{"NaN", One, []string{`not a number`}},
		{"Inf", One, []string{`not a number`}},
		{"1e999", One, []string{`beyond everything`}},
		{"1e-999", One, []string{`beyond everything`}},
		{"1e9999", One, []string{`is not a unit`}},
		{strings.Repeat("9", 300), One, []string{`a quantity of this length`}},
		{strings.Repeat("中", 100), One, []string{`a quantity of this length`}},
		{"5 parsecs", One, []string{`"parsecs" is not a unit`, `write it like "100"`}},
	} {
		_, err := Parse(c.text, c.dim)
		if err == nil {
			t.Errorf("%q was read", c.text)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q: want %q, got %q", c.text, w, err)
			}
		}
		if !strings.HasPrefix(err.(*Error).Why, strings.TrimSpace(err.(*Error).Why)) {
			t.Errorf("%q: %q", c.text, err)
		}
	}
}

func TestString(t *testing.T) {
	for _, c := range []struct {
		text string
		dim  Dim
		want string
	}{
		{"128KiB", Bytes, "128 KiB"}, {"128kB", Bytes, "128 kB"}, {"1.5GiB", Bytes, "1.5 GiB"}, {"1000KiB", Bytes, "1000 KiB"}, {"64k", Bytes, "64 KiB"}, {"1GB", Bytes, "1 GB"}, {"1.92TB", Bytes, "1.92 TB"}, {"100B", Bytes, "100 B"},
		{"1234567B", Bytes, "1.234567 MB"}, {"1.5 GB/s", BytesPerSec, "1.5 GB/s"}, {"128KiB/s", BytesPerSec, "131.072 kB/s"},
		{"35k IOPS", PerSecond, "35 k/s"}, {"35 IOPS", PerSecond, "35/s"},
		{"400us", Seconds, "400 µs"}, {"1.5ms", Seconds, "1.5 ms"}, {"60s", Seconds, "60 s"}, {"120s", Seconds, "2min"}, {"10min", Seconds, "10min"},
		{"90min", Seconds, "1h30m"}, {"2h", Seconds, "2h"}, {"150.5s", Seconds, "150.5 s"}, {"12345.678ms", Seconds, "12.345678 s"}, {"0s", Seconds, "0 s"},
		{"3661s", Seconds, "1h1m1s"}, {"-90min", Seconds, "-1h30m"},
		{"+15%", One, "+15 %"}, {"-6%", One, "−6 %"}, {"+0%", One, "±0 %"}, {"95%", One, "95 %"}, {"99.999%", One, "99.999 %"}, {"+0.001%", One, "+0.001 %"},
		{"100", One, "100"}, {"1.23456789", One, "1.23456789"},
	} {
		q, err := Parse(c.text, c.dim)
		if err != nil {
			t.Errorf("%q: %s", c.text, err)
			continue
		}
		if q.String() != c.want {
			t.Errorf("%q prints as %q, want %q", c.text, q, c.want)
		}
	}
	if s := (Quantity{}).String(); s != "" {
		t.Errorf("the zero quantity prints as %q", s)
	}
}

func TestFormat(t *testing.T) {
	inf := Number(1e308, One).Float() * 10
	for _, c := range []struct {
		v      float64
		dim    Dim
		symbol string
		want   string
	}{
		{28.4567e9, BytesPerSec, "", "28.46 GB/s"}, {999.96e3, BytesPerSec, "", "1 MB/s"}, {0, BytesPerSec, "", "0 B/s"},
		{35123, PerSecond, "IOPS", "35.12 kIOPS"}, {12, PerSecond, "", "12/s"}, {5025.33, Seconds, "", "1h23m45s"}, {119.99, Seconds, "", "120 s"},
		{0.00041234, Seconds, "", "412.3 µs"}, {0.00099999, Seconds, "", "1 ms"}, {3, One, "tpmC", "3 tpmC"}, {1048576, Bytes, "", "1 MiB"},
		{62.9, Dim{Other: "NT$/tpmC"}, "", "62.9 NT$/tpmC"}, {inf, One, "", "–"}, {inf - inf, Seconds, "", "–"},
	} {
		if got := Format(c.v, c.dim, c.symbol); got != c.want {
			t.Errorf("%g %s prints as %q, want %q", c.v, c.dim, got, c.want)
		}
	}
	for v, want := range map[float64]string{0.153: "+15.3 %", -0.06: "−6 %", 0.00001: "±0 %", -0.00001: "±0 %", 2: "+200 %", 0.12345: "+12.35 %"} {
		if got := FormatChange(v); got != want {
			t.Errorf("%g prints as %q, want %q", v, got, want)
		}
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		max    float64
		dim    Dim
		symbol string
		factor float64
		name   string
	}{
		{2e9, BytesPerSec, "", 1e9, "GB/s"}, {0, Bytes, "", 1, "B"}, {5e-5, Seconds, "", 1e-6, "µs"}, {0.5, Seconds, "", 1e-3, "ms"}, {3, Seconds, "", 1, "s"},
		{600, Seconds, "", 60, "min"}, {86400, Seconds, "", 3600, "h"}, {0, Seconds, "", 1, "s"}, {42000, PerSecond, "IOPS", 1e3, "kIOPS"}, {5, One, "", 1, ""},
	} {
		if f, n := Scale(c.max, c.dim, c.symbol); f != c.factor || n != c.name {
			t.Errorf("%g %s: %g %q, want %g %q", c.max, c.dim, f, n, c.factor, c.name)
		}
	}
}

// TestPrinted: the unit of a tool's figure, and what people write with it.
func TestPrinted(t *testing.T) {
	for _, c := range []struct {
		unit   string
		dim    Dim
		symbol string
		factor float64
		text   string // as people write a threshold
		shown  string
	}{
		{"ms", Seconds, "", 1e-3, "1500ms", "1.5 s"},
		{"%", One, "%", 0.01, "50%", "50 %"},
		{"", One, "", 1, "12", "12"},
		{"bit/s", BytesPerSec, "", 0.125, "80bit/s", "10 B/s"},
		{"IOPS", PerSecond, "IOPS", 1, "35k IOPS", "35 kIOPS"},
		{"/s", PerSecond, "", 1, "35k /s", "35 k/s"},
		{" events/s ", PerSecond, "events/s", 1, "1.2k events/s", "1.2k events/s"},
		{"tpmC", One, "tpmC", 1, "62.9k tpmC", "62900 tpmC"},
	} {
		d, symbol, factor := Printed(c.unit)
		if d != c.dim || symbol != c.symbol || factor != c.factor {
			t.Errorf("%q: %v %q %v", c.unit, d, symbol, factor)
		}
		q, err := Parse(WithoutSymbol(c.text, d, symbol), d)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := Format(q.Float(), d, symbol); got != c.shown {
			t.Errorf("%q: %q, want %q", c.text, got, c.shown)
		}
	}
	if f, name := Scale(12000, PerSecond, "events/s"); f != 1000 || name != "k events/s" {
		t.Errorf("scale %v %q", f, name)
	}
	if f, name := Scale(0.5, One, "%"); f != 0.01 || name != "%" {
		t.Errorf("scale %v %q", f, name)
	}
}

func TestDim(t *testing.T) {
	for d, want := range map[Dim]string{One: "1", Bytes: "B", Seconds: "s", BytesPerSec: "B/s", PerSecond: "1/s", {Other: "NT$"}: "NT$", {Second: -2}: "1/s/s", {Byte: -1, Second: 1, Other: "EUR"}: "s*EUR/B"} {
		if d.String() != want {
			t.Errorf("%v prints as %q, want %q", [2]int8{d.Byte, d.Second}, d, want)
		}
		if d.Second != -2 && d.Byte != -1 && ParseDim(want) != d {
			t.Errorf("%q is read as %v", want, ParseDim(want))
		}
		if _, err := Parse(d.Example(), d); err != nil { // the example is a quantity of the dimension
			t.Error(err)
		}
	}
}

func TestNumber(t *testing.T) {
	q := Number(0.1, Seconds)
	if q.Rat().Cmp(rat("1/10")) != 0 || q.Decimal() != "0.1" {
		t.Errorf("0.1 is %s", q.Rat())
	}
	if q.Cmp(Number(0.2, Seconds)) >= 0 {
		t.Error("0.1 s is not less than 0.2 s")
	}
	defer func() {
		if recover() == nil {
			t.Error("a duration was compared with a size")
		}
	}()
	q.Cmp(Number(1, Bytes))
}

// FuzzParse: nothing panics, what is read prints as something that reads as the same, as far as a float64 holds it.
func FuzzParse(f *testing.F) {
	for name := range units {
		f.Add("1.5"+name, uint8(0))
	}
	for i, s := range []string{"1h30m", "+15%", "−6 %", "±0 %", "10m", "4kb", "1e300s", "9007199254740993B", "0.1s0.1ms", "5k", "1e-300"} {
		for d := range allDimensions {
			f.Add(s, uint8(d))
		}
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, d uint8) {
		dim := allDimensions[int(d)%len(allDimensions)]
		q, err := Parse(text, dim)
		if err != nil {
			_ = err.Error()
			_, _ = ParseAny(text)
			return
		}
		_ = q.Decimal()
		s := q.String()
		back, err := Parse(s, dim)
		if err != nil {
			t.Fatalf("%q prints as %q, which is not read: %s", text, s, err)
		}
		if a, b := q.Float(), back.Float(); a != b && abs(a-b) > 1e-9*abs(a) && abs(a) < 1e15 && abs(a) > 1e-15 {
			t.Fatalf("%q is %g and prints as %q, which is %g", text, a, s, b)
		}
		if q.Relative() != back.Relative() || q.Share() != back.Share() {
			t.Fatalf("%q prints as %q, which is of another kind", text, s)
		}
	})
}

func abs(f float64) float64 {
	if f < 0 {
		return -f
	}
	return f
}
