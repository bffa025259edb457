package addr

import "testing"

func TestFileName(t *testing.T) {
	seen := map[string]string{}
	for _, c := range []struct{ in, want string }{
		{"test.fio.seq", "test.fio.seq"},
		{"p[bs=4KiB,rw=read]", "p[bs=4KiB,rw=read]"},
		{"../../etc/passwd", "_.._etc_passwd-3754d6cb"},
		{"带宽", ""}, {"延迟", ""}, {"a/b", ""}, {"a:b", ""}, {"", ""}, {".", ""},
	} {
		got := FileName(c.in)
		if c.want != "" && got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		if old, ok := seen[got]; ok {
			t.Errorf("%q and %q have one name: %q", old, c.in, got)
		}
		seen[got] = c.in
		for _, r := range got {
			if r > 126 || r == '/' || got == "." || got == ".." {
				t.Errorf("%q: %q is no plain ASCII name", c.in, got)
			}
		}
	}
}
