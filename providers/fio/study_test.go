package fio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStudy: the command line of the published study of Greenplum on PowerFlex, option for option. What assay adds is how fio answers; what
// differs is the name of the file, which bears assay's mark.
func TestStudy(t *testing.T) {
	var dirs list
	var files []string
	for n := 1; n <= 10; n++ {
		dirs = append(dirs, fmt.Sprintf("/storage/data%02d", n))
		files = append(files, fmt.Sprintf("/storage/data%02d/assay-fio-testfile", n))
	}
	target := testTarget(t, "largeread", values{
		"directories": dirs, "file": "testfile", "bs": "256KiB", "filesize": "10GiB", "rw": "randread", "ioengine": "libaio", "direct": true,
		"runtime": "15min", "numjobs": 4, "randrepeat": false, "iodepth": 16, "refill_buffers": true,
	})
	resp := plan(t, target)
	if len(resp.Problems) > 0 {
		t.Errorf("%+v", resp.Problems)
	}
	study := map[string]string{
		"name": "largeread", "bs": "256k", "filesize": "10G", "rw": "randread", "ioengine": "libaio", "direct": "1", "time_based": "1",
		"runtime": "900", "numjobs": "4", "randrepeat": "0", "iodepth": "16", "refill_buffers": "1", "filename": strings.Join(files, ":"),
		"output-format": "json+", "eta": "never", // ours
	}
	got := map[string]string{}
	for _, arg := range resp.Commands[0].Argv[1:] {
		name, value, _ := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if _, twice := got[name]; twice {
			t.Errorf("%s is given twice", name)
		}
		got[name] = value
	}
	if d := cmp.Diff(study, got); d != "" {
		t.Error(d)
	}
	if resp.Writes != 100<<30 {
		t.Errorf("it lays out %d bytes on each node, want 100 GiB", resp.Writes)
	}
}
