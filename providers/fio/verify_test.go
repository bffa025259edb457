package fio

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers/measure"
)

// TestVerify: real fio writes and reads back, and a byte that was changed since is found with its offset.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	base := func(more values) values {
		v := values{"directory": dir, "file": "checked", "bs": "4KiB", "size": "1MiB", "verify": "crc32c"}
		for k, x := range more {
			v[k] = x
		}
		return v
	}
	s, sink := repetition(t, testTarget(t, "w", base(values{"rw": "randwrite"})), open)
	if s.Outcome != measure.OK || len(s.Warnings) > 0 {
		t.Fatalf("%s: %s, %v", s.Outcome, s.Reason, s.Warnings)
	}
	doc := readOutput(sink.Data("fio.stdout")).doc
	all, _ := s.Get("bandwidth")
	writes, _ := s.Get("write_bandwidth")
	if _, reads := s.Get("read_bandwidth"); reads || all != writes || doc.Jobs[0].Read.Bytes != 1<<20 || all != doc.Jobs[0].Write.bandwidth() {
		t.Errorf("bandwidth %g, of writes %g, of reads %v; fio read back %g bytes", all, writes, reads, doc.Jobs[0].Read.Bytes)
	}
	read := testTarget(t, "r", base(values{"rw": "read"}))
	if s, _ := repetition(t, read, open); s.Outcome != measure.OK {
		t.Errorf("what was written is not read: %s", s.Reason)
	}
	f, err := os.OpenFile(placeOf(read).files[0], os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const at = 37*4096 + 2000
	old := make([]byte, 1)
	if _, err := f.ReadAt(old, at); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte{old[0] ^ 1}, at); err != nil {
		t.Fatal(err)
	}
	s, _ = repetition(t, read, open)
	want := fmt.Sprintf("the data at offset %d of %s (4 KiB) are not as they were written", 37*4096, f.Name())
	if s.Outcome != measure.Failed || !strings.Contains(s.Reason, want) || !strings.Contains(s.Reason, "error 84") {
		t.Errorf("%s: %s, want %s", s.Outcome, s.Reason, want)
	}
}

// TestNothingVerified: a run that was to verify and read nothing back is no sample, whatever its status.
func TestNothingVerified(t *testing.T) {
	target := testTarget(t, "rr", values{"directory": "/d", "rw": "write", "size": "1MiB", "bs": "4KiB", "verify": "md5"})
	e := expectation(target)
	out := strings.NewReplacer(`"read" :`, `"x" :`, `"write" :`, `"read" :`).Replace(readFolder(t, "version-fio-3.42-jsonplus").stdout)
	out = strings.Replace(out, `"x" :`, `"write" :`, 1)
	if s := parse(request(e, out, "")); s.Outcome != measure.Failed || !strings.Contains(s.Reason, "1 of 1 jobs did not read back what they wrote, so nothing was verified") {
		t.Errorf("%s: %s", s.Outcome, s.Reason)
	}
}
