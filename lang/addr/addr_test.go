package addr

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestString(t *testing.T) {
	fio, thing := Block{"test", "fio", "seq"}, Block{"setup", "fake_thing", "data"}
	for _, c := range []struct {
		at   Instance
		want string
	}{
		{Instance{Block: fio, Coordinates: nil}, "test.fio.seq"},
		{Instance{Block: fio, Coordinates: Coordinates{}}, "test.fio.seq"},
		{Instance{Block: Block{Kind: "kpi", Name: "latency"}, Coordinates: Coordinates{"b": "1", "a": "2"}}, "kpi.latency[a=2,b=1]"},
		{Instance{Block: fio, Coordinates: Coordinates{"rw": "read", "drive": "sas"}}, "test.fio.seq[drive=sas,rw=read]"},
		{Instance{Block: fio, Coordinates: Coordinates{"bs": "4KiB", "path": "/a/b-c_d.e:f+1"}}, "test.fio.seq[bs=4KiB,path=/a/b-c_d.e:f+1]"},
		{Instance{Block: fio, Coordinates: Coordinates{"a": ""}}, `test.fio.seq[a=""]`},
		{Instance{Block: fio, Coordinates: Coordinates{"a": "b c"}}, `test.fio.seq[a="b c"]`},
		{Instance{Block: fio, Coordinates: Coordinates{"a": `"quoted", ]`}}, `test.fio.seq[a="\"quoted\", ]"]`},
		{Instance{Block: fio, Coordinates: Coordinates{"a": "x<y&z>"}}, `test.fio.seq[a="x<y&z>"]`},
		{Instance{Block: fio, Coordinates: Coordinates{"a": "a=b"}}, `test.fio.seq[a="a=b"]`},
		{Instance{Block: fio, Coordinates: Coordinates{"a": "l1\nl2\t\\"}}, `test.fio.seq[a="l1\nl2\t\\"]`},
		{Instance{Block: Block{"test", "fio", "顺序"}, Coordinates: Coordinates{"硬盘": "固态", "读写": "读,写"}}, `test.fio.顺序[硬盘=固态,读写="读,写"]`},
		{Instance{Block: thing, Each: "d1"}, `setup.fake_thing.data["d1"]`},
		{Instance{Block: thing, Each: "d1", Coordinates: Coordinates{"drive": "sas"}}, `setup.fake_thing.data["d1"][drive=sas]`},
		{Instance{Block: thing, Each: `"],[`, Coordinates: Coordinates{"drive": "]["}}, `setup.fake_thing.data["\"],["][drive="]["]`},
	} {
		if got := c.at.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		back, err := ParseInstance(c.want)
		if err != nil {
			t.Errorf("%q: %s", c.want, err)
			continue
		}
		if c.at.Coordinates == nil {
			c.at.Coordinates = Coordinates{}
		}
		if d := cmp.Diff(c.at, back); d != "" {
			t.Error(d)
		}
	}
}

func TestParseAsTyped(t *testing.T) {
	got, err := ParseInstance(` test.fio.seq [ drive = sas , rw = "read" , bs=4 KiB ] `)
	want := Instance{Block: Block{"test", "fio", "seq"}, Coordinates: Coordinates{"drive": "sas", "rw": "read", "bs": "4 KiB"}}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Error(err, cmp.Diff(want, got))
	}
}

func TestParseErrors(t *testing.T) {
	for s, want := range map[string]string{
		"":                         "is not an address; write it like",
		"test.fio":                 "is not an address",
		"test.fio.":                "is not an address",
		"kpi.a.b":                  "is not an address",
		"kpi..":                    "is not an address",
		"kpi.a[b=c":                "lacks the closing bracket",
		"kpi.a[b]":                 "coordinates are written axis=case",
		"kpi.a[=c]":                "coordinates are written axis=case",
		"kpi.a[b=]":                `the case of axis "b" is missing`,
		"kpi.a[b=,c=d]":            `the case of axis "b" is missing`,
		`kpi.a[b="c]`:              `the case of axis "b" does not end`,
		`kpi.a[b="c"d=e]`:          "followed by something else than a comma",
		"kpi.a[b=c,b=d]":           `names axis "b" twice`,
		`test.fio.a[a="b",c="d"e]`: "followed by something else",
		`test.fio.a["k"]`:          "which only setups have",
		`setup.fio.a["k"`:          "the key of a for_each",
		`setup.fio.a["k"]b`:        "the key of a for_each",
		`setup.fio.a["k]`:          "the key of a for_each",
		`setup.fio.a[""]`:          "the key of a for_each",
		`setup.fio.a["k"][b`:       "lacks the closing bracket",
	} {
		_, err := ParseInstance(s)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want %q, got %v", s, want, err)
		}
	}
}

func TestCoordinates(t *testing.T) {
	c := Coordinates{"a": "1", "b": "2"}
	for _, x := range []struct{ got, want Coordinates }{
		{c.Project([]string{"b", "z"}), Coordinates{"b": "2"}},
		{c.With("a", "9"), Coordinates{"a": "9", "b": "2"}},
		{c.With("c", "3"), Coordinates{"a": "1", "b": "2", "c": "3"}},
		{c.Without("a"), Coordinates{"b": "2"}},
		{c.Without("z"), c},
		{c.Project([]string{"b", "a"}), c},
		{c, Coordinates{"a": "1", "b": "2"}}, // unchanged by all of these
	} {
		if d := cmp.Diff(x.want, x.got); d != "" {
			t.Error(d)
		}
	}
	for _, axes := range [][]string{nil, {"a"}, {"b", "a"}, {"z", "b"}} {
		if got, want := c.StringOf(axes), c.Project(axes).String(); got != want {
			t.Errorf("%v: %q, want %q", axes, got, want)
		}
	}
}

// FuzzRoundTrip: whatever a case is called, an address is read back as it was, and different coordinates have different ones.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{"sas", "", `"`, `a,b`, "]", "[", "a=b", "读写", "\n", "a b", "\\", "\u2028", "<&>"} {
		f.Add(s, "x")
		f.Add("x", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) { // HCL reads UTF-8 only
			return
		}
		at := Instance{Block: Block{"test", "fio", "seq"}, Coordinates: Coordinates{"a": a, "硬盘": b}}
		back, err := ParseInstance(at.String())
		if err != nil {
			t.Fatalf("%s: %s", at, err)
		}
		if d := cmp.Diff(at, back); d != "" {
			t.Fatal(d)
		}
		if swapped := (Coordinates{"a": b, "硬盘": a}); a != b && swapped.String() == at.Coordinates.String() {
			t.Fatalf("%q and %q are not told apart", a, b)
		}
		keyed := Instance{Block: Block{"setup", "t", "n"}, Coordinates: Coordinates{"a": a}, Each: b}
		if back, err := ParseInstance(keyed.String()); err != nil || cmp.Diff(keyed, back) != "" {
			t.Fatalf("%s: %v %s", keyed, err, back)
		}
		_, _ = ParseInstance(a)
		_, _ = ParseInstance("kpi.x[" + a + "]")
	})
}
