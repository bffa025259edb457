package fio

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/google/go-cmp/cmp"
)

func precondition(t testing.TB, values map[string]any) providers.Target {
	t.Helper()
	return providers.Target{Kind: "dataset", Type: preconditionType, Config: providertest.Config(t, preconditionSchema().Body, values),
		Address: addr.Instance{Block: addr.Block{Kind: "dataset", Type: preconditionType, Name: "full"}}}
}

func TestPlanPrecondition(t *testing.T) {
	resp := plan(t, precondition(t, values{"device": "/dev/md/a", "size": "100GB"}))
	got := resp.Commands[0].Argv
	want := strings.Fields("fio --output-format=json+ --eta=never --name=full --filename=/dev/md/a --rw=write --bs=128k --ioengine=libaio --iodepth=32 --direct=1 --size=97656250k --loops=2")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if resp.Writes != 200e9 || resp.Estimate != 1001*time.Second || len(resp.Problems) > 0 {
		t.Errorf("writes %d, takes %s, %+v", resp.Writes, resp.Estimate, resp.Problems)
	}
	if d := cmp.Diff([]providers.Claim{{Name: "host::cpu"}, {Name: "host::io"}, {Name: "fio::/dev/md/a", Standing: true}}, resp.Claims); d != "" {
		t.Error(d)
	}
	resp = plan(t, precondition(t, values{"directories": list{"/a", "/b"}, "file": "x", "filesize": "1GiB", "passes": 3, "rw": "randwrite", "bs": "4KiB", "log_avg_msec": "1s"}))
	if resp.Writes != 6<<30 || resp.Outputs.GetAttr("file").AsString() != "x" || resp.Outputs.GetAttr("directories").LengthInt() != 2 {
		t.Errorf("writes %d, outputs %#v", resp.Writes, resp.Outputs)
	}
	if argv := strings.Join(resp.Commands[0].Argv, " "); !strings.Contains(argv, "--filename=/a/assay-fio-x:/b/assay-fio-x --rw=randwrite --bs=4k ") || !strings.Contains(argv, " --loops=3 --write_bw_log=fio ") {
		t.Error(argv)
	}
	if argv := strings.Join(resp.ReleaseCommands[0].Argv, " "); argv != "rm -f -- /a/assay-fio-x.preconditioned /b/assay-fio-x.preconditioned /a/assay-fio-x /b/assay-fio-x" {
		t.Error(argv)
	}
	if resp = plan(t, precondition(t, values{"device": "/dev/md/a"})); len(resp.Problems) != 1 || resp.Problems[0].Attribute != "size" || !resp.Problems[0].Warning {
		t.Errorf("%+v", resp.Problems)
	}
}

// TestPrecondition: all passes are written, on each of two directories, and the sample of the load says how fast.
func TestPrecondition(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	target := precondition(t, values{"directories": list{a, b}, "filesize": "1MiB", "passes": 3, "direct": false, "ioengine": "psync", "iodepth": 1, "log_avg_msec": "50ms"})
	p, sink := New(host.Dial), providertest.NewSink(t.TempDir())
	resp := plan(t, target)
	req := providers.ThingRequest{Target: target, ID: "abc", Outputs: resp.Outputs, Expect: resp.Expect}
	if err := p.Prepare(t.Context(), req, sink); err != nil {
		t.Fatal(err)
	}
	parsed, err := p.Parse(t.Context(), providers.ParseRequest{Target: target, Artifacts: sink.Artifacts(), Exits: sink.Exits(), Expect: resp.Expect})
	if err != nil || parsed.Sample.Outcome != measure.OK {
		t.Fatalf("%v, %+v", err, parsed)
	}
	if n, _ := parsed.Sample.Get("bytes"); n != 6<<20 || len(parsed.Sample.Values) != 3 {
		t.Errorf("%g bytes were written, want 6 MiB: %v", n, parsed.Sample.Values)
	}
	for _, s := range parsed.Series {
		if s.Measure != "bandwidth" {
			t.Errorf("a series of %s, which is no measure of it", s.Measure)
		}
	}
	for _, dir := range []string{a, b} {
		if info, err := os.Stat(filepath.Join(dir, "assay-fio-full")); err != nil || info.Size() != 1<<20 {
			t.Errorf("%v, %v", info, err)
		}
	}
	standing := func(id string) providers.Standing {
		r := req
		r.ID = id
		res, err := p.Inspect(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return res.Standing
	}
	if got := standing("abc"); got != providers.Stands {
		t.Error(got)
	}
	if got := standing("other"); got != providers.Partial {
		t.Errorf("the files of another thing: %s", got)
	}
	if err := os.Remove(filepath.Join(b, "assay-fio-full")); err != nil {
		t.Fatal(err)
	}
	if got := standing("abc"); got != providers.Partial {
		t.Errorf("one file is gone: %s", got)
	}
	if err := p.Release(t.Context(), req, providertest.NewSink("")); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(a, "*")); len(left) > 0 {
		t.Errorf("%v stay", left)
	}
}

// TestPreconditionOfADevice: it stands as long as the device is the same one, under whatever name.
func TestPreconditionOfADevice(t *testing.T) {
	dev, file := loopDevice(t, 1<<20)
	link := filepath.Join(t.TempDir(), "disk")
	if err := os.Symlink(dev, link); err != nil {
		t.Fatal(err)
	}
	target := precondition(t, values{"device": link, "bs": "64KiB"})
	p := New(host.Dial)
	req := providers.ThingRequest{Target: target, ID: filepath.Base(t.TempDir()) + filepath.Base(dev), Expect: plan(t, target).Expect}
	expect := func(want providers.Standing) {
		t.Helper()
		if res, err := p.Inspect(t.Context(), req); err != nil || res.Standing != want {
			t.Errorf("%+v, %v; want %s", res, err, want)
		}
	}
	defer func() {
		if err := p.Release(t.Context(), req, providertest.NewSink("")); err != nil {
			t.Error(err)
		}
		expect(providers.Absent)
	}()
	expect(providers.Absent)
	if err := p.Prepare(t.Context(), req, providertest.NewSink("")); err != nil {
		t.Fatal(err)
	}
	expect(providers.Stands)
	if raw, err := os.ReadFile(file); err != nil || strings.Trim(string(raw[:4096]), "\x00") == "" {
		t.Error("nothing was written")
	}
	same := p
	p = New(func(context.Context, string) (host.Host, error) { return newDisk{host.Local()}, nil })
	expect(providers.Partial)
	p = same
	other, _ := loopDevice(t, 1<<20)
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	expect(providers.Partial)
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	expect(providers.Partial)
}

// newDisk is this machine, with another disk under each name.
type newDisk struct{ host.Host }

func (h newDisk) ReadFile(ctx context.Context, name string) ([]byte, error) {
	data, err := h.Host.ReadFile(ctx, name)
	if strings.HasSuffix(name, "/diskseq") {
		data = append([]byte("9"), data...)
	}
	return data, err
}

// TestPreconditionFails: what fio did not write whole does not stand.
func TestPreconditionFails(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"echo 'fio: no' >&2; exit 1\n", "fio exited with status 1"},
		{"exit 0\n", "holds no JSON result"},
		{`for a in "$@"; do case "$a" in --loops=*) set -- "$@" --loops=1;; esac; done; exec /usr/bin/fio "$@"` + "\n", "1 MiB of 2 MiB were written"},
	} {
		fakeFio(t, c.script)
		target := precondition(t, values{"directory": t.TempDir(), "size": "1MiB", "direct": false})
		p := New(host.Dial)
		req := providers.ThingRequest{Target: target, ID: "abc", Expect: plan(t, target).Expect}
		if err := p.Prepare(t.Context(), req, providertest.NewSink("")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if res, err := p.Inspect(t.Context(), req); err != nil || res.Standing == providers.Stands {
			t.Errorf("%+v, %v", res, err)
		}
	}
}
