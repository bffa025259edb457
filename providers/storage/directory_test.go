package storage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/google/go-cmp/cmp"
)

func TestWhatIsMadeIsRemoved(t *testing.T) {
	dir := t.TempDir()
	p := filepath.Join(dir, "bench")
	before := tree(t, dir)
	th := newThing(t, p, "thing1")
	sink := th.prepare()
	if diff := cmp.Diff(planned(th.plan.Commands), argvs(sink)); diff != "" {
		t.Errorf("the plan did not say what was run: %s", diff)
	}
	mark, err := os.ReadFile(filepath.Join(p, ".assay-directory"))
	if want := `{"format_version":1,"id":"thing1","made":true}` + "\n"; err != nil || string(mark) != want {
		t.Errorf("the mark is %q, %v; want %q", mark, err, want)
	}
	write(t, p, "assay-fio-seq", "data")
	want := append([]string{"rm -f -- " + p + "/assay-fio-seq"}, planned(th.plan.ReleaseCommands)...)
	if diff := cmp.Diff(want, argvs(th.release())); diff != "" {
		t.Errorf("the plan did not say what was run: %s", diff)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("something is left: %s", diff)
	}
}

func TestWhatIsThereStays(t *testing.T) {
	dir := t.TempDir()
	outside := t.TempDir()
	write(t, outside, "victim", "precious")
	for name, text := range map[string]string{"precious": "data\x00\xff", ".hidden": "h", "assay": "a", "assay.txt": "b", "my-assay-x": "c", ".assay-x": "d", "-rf": "e"} {
		write(t, dir, name, text)
	}
	mkdir(t, filepath.Join(dir, "assay-folder"))
	write(t, filepath.Join(dir, "assay-folder"), "assay-inside", "f")
	symlink(t, outside, filepath.Join(dir, "link"))
	before, beforeOutside := tree(t, dir), tree(t, outside)

	th := newThing(t, dir, "thing1")
	th.prepare()
	if diff := cmp.Diff(`{"format_version":1,"id":"thing1","made":false}`+"\n", string(read(t, dir, markName))); diff != "" {
		t.Error(diff)
	}
	write(t, dir, "assay-fio-seq", "data")
	write(t, dir, "assay-fio 數據\n*", "data")
	symlink(t, filepath.Join(outside, "victim"), filepath.Join(dir, "assay-link"))
	symlink(t, outside, filepath.Join(dir, "assay-link-to-directory"))
	th.release()
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the directory is not as it was: %s", diff)
	}
	if diff := cmp.Diff(beforeOutside, tree(t, outside)); diff != "" {
		t.Errorf("a link was followed: %s", diff)
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestAMadeDirectoryWithOtherFilesStays(t *testing.T) {
	p := filepath.Join(t.TempDir(), "bench")
	th := newThing(t, p, "thing1")
	th.prepare()
	write(t, p, "notes", "the user's")
	write(t, p, "assay-fio-seq", "ours")
	mkdir(t, filepath.Join(p, "assay-folder"))
	sink := th.release()
	if diff := cmp.Diff(map[string]string{".": "drwxr-xr-x", "notes": "-rw-r----- the user's", "assay-folder": "drwxr-xr-x"}, tree(t, p)); diff != "" {
		t.Error(diff)
	}
	if got := said(sink); !strings.Contains(got, "stays") || !strings.Contains(got, "assay-folder, notes") {
		t.Errorf("it was said: %q", got)
	}
	if got := th.standing(); got != providers.Absent {
		t.Errorf("it is %s", got)
	}
}

func TestPrepareRefuses(t *testing.T) {
	for name, tc := range map[string]struct {
		make func(t *testing.T, dir, bench string)
		want string
	}{
		"a mark of another": {func(t *testing.T, _, b string) {
			mkdir(t, b)
			write(t, b, markName, `{"format_version":1,"id":"thing2","made":true}`)
			write(t, b, "assay-fio-seq", "theirs")
		}, `belongs to the thing "thing2" of another run`},
		"files of our name": {func(t *testing.T, _, b string) { mkdir(t, b); write(t, b, "assay-x", "theirs") }, "already holds assay-x"},
		"a link":            {func(t *testing.T, d, b string) { symlink(t, d, b) }, "is a symbolic link"},
		"a file":            {func(t *testing.T, d, _ string) { write(t, d, "bench", "x") }, "is not a directory"},
		"a mark by a link": {func(t *testing.T, d, b string) {
			mkdir(t, b)
			write(t, d, "m", `{"format_version":1,"id":"thing1","made":true}`)
			symlink(t, "../m", filepath.Join(b, markName))
		}, "not a small regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p := filepath.Join(dir, "bench")
			th := newThing(t, p, "thing1") // planned before somebody came
			tc.make(t, dir, p)
			before := tree(t, dir)
			if _, err := th.step(th.p.Prepare); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Prepare: %v; want %q", err, tc.want)
			}
			if got := th.standing(); got != providers.Foreign {
				t.Errorf("it is %s", got)
			}
			_, _ = th.step(th.p.Release) // an error or none: nothing may go
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("something was changed: %s", diff)
			}
		})
	}
}

func TestWhatHasChangedSinceThePlan(t *testing.T) {
	dir := t.TempDir()
	p := filepath.Join(dir, "bench")
	mkdir(t, p)
	th := newThing(t, p, "thing1")
	if err := os.Remove(p); err != nil { // as a file system that is not mounted any more
		t.Fatal(err)
	}
	if _, err := th.step(th.p.Prepare); err == nil || !strings.Contains(err.Error(), "is its file system mounted?") {
		t.Errorf("gone since: %v", err)
	}
	th = newThing(t, p, "thing1")
	mkdir(t, p)
	if sink := th.prepare(); !strings.Contains(said(sink), "it will stay") {
		t.Errorf("there since, and it was said: %q", said(sink))
	}
	th.release()
	if got := tree(t, dir); len(got) != 2 {
		t.Errorf("what somebody else has made is gone: %v", got)
	}
}

func TestADirectoryThatWasSwapped(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	p := filepath.Join(dir, "bench")
	th := newThing(t, p, "thing1")
	th.prepare()
	write(t, outside, "assay-precious", "x")
	write(t, outside, markName, string(read(t, p, markName)))
	if err := os.RemoveAll(p); err != nil {
		t.Fatal(err)
	}
	symlink(t, outside, p)
	before := tree(t, outside)
	if _, err := th.step(th.p.Release); err == nil || !strings.Contains(err.Error(), "nothing was removed") {
		t.Errorf("Release: %v", err)
	}
	if diff := cmp.Diff(before, tree(t, outside)); diff != "" {
		t.Errorf("the link was followed: %s", diff)
	}
}

func TestAMarkThatStays(t *testing.T) {
	tools, err := filepath.Abs("testdata/lying-rm")
	if err != nil {
		t.Fatal(err)
	}
	th := newThing(t, t.TempDir(), "thing1")
	th.prepare()
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	if _, err := th.step(th.p.Release); err == nil || !strings.Contains(err.Error(), ".assay-directory is still there") {
		t.Errorf("Release: %v", err)
	}
}

func TestManyFiles(t *testing.T) {
	p := filepath.Join(t.TempDir(), "bench")
	th := newThing(t, p, "thing1")
	th.prepare()
	for i := range 2*rmBatch + 1 {
		write(t, p, fmt.Sprintf("assay-%s-%d", strings.Repeat("x", 200), i), "")
	}
	sink := th.release()
	if got := len(sink.Exits()); got != 5 { // three rm, the mark, rmdir
		t.Errorf("%d commands", got)
	}
	if got := th.standing(); got != providers.Absent {
		t.Errorf("it is %s", got)
	}
}

// An exit status proves nothing: each row puts a tool on PATH that lies or fails.
func TestToolsThatLieOrFail(t *testing.T) {
	for name, tc := range map[string]struct {
		prepare string // part of Prepare's error; empty: Release's is looked at
		release string
		then    providers.Standing
	}{
		"lying-mkdir":   {prepare: "no such file or directory", then: providers.Absent},
		"failing-mkdir": {prepare: "mkdir ended with status 1: mkdir: no luck", then: providers.Absent},
		"lying-rm":      {release: "is there again", then: providers.Stands},
		"failing-rm":    {release: "rm ended with status 1: rm: no luck", then: providers.Stands},
		"lying-rmdir":   {release: "is still there", then: providers.Stands},
		"failing-rmdir": {release: "rmdir ended with status 1: rmdir: no luck", then: providers.Stands},
	} {
		t.Run(name, func(t *testing.T) {
			tools, err := filepath.Abs("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			path := os.Getenv("PATH")
			p := filepath.Join(t.TempDir(), "bench")
			th := newThing(t, p, "thing1")
			if tc.prepare != "" {
				t.Setenv("PATH", tools+":"+path)
				if _, err := th.step(th.p.Prepare); err == nil || !strings.Contains(err.Error(), tc.prepare) {
					t.Errorf("Prepare: %v; want %q", err, tc.prepare)
				}
			} else {
				th.prepare()
				write(t, p, "assay-fio-seq", "data")
				t.Setenv("PATH", tools+":"+path)
				if _, err := th.step(th.p.Release); err == nil || !strings.Contains(err.Error(), tc.release) {
					t.Errorf("Release: %v; want %q", err, tc.release)
				}
			}
			if got := th.standing(); got != tc.then {
				t.Errorf("it is %s, want %s", got, tc.then)
			}
			t.Setenv("PATH", path)
			th.release() // with honest tools nothing is left
			if _, err := os.Lstat(p); !os.IsNotExist(err) {
				t.Errorf("it is left: %v", err)
			}
		})
	}
}

// named is this machine under an address.
type named struct {
	host.Host
	address string
}

func (n named) Address() string { return n.address }

func TestSeveralHosts(t *testing.T) {
	p := filepath.Join(t.TempDir(), "bench")
	prov := New(func(ctx context.Context, address string) (host.Host, error) {
		if address == "ssh://down" {
			return nil, fmt.Errorf("%s: no route", address)
		}
		return named{host.Local(), address}, nil
	})
	req := providers.ThingRequest{Target: target(p, "ssh://a", "ssh://b"), ID: "thing1"}
	plan, err := prov.Plan(t.Context(), providers.PlanRequest{Target: req.Target})
	if err != nil || len(plan.Claims) != 2 || plan.Claims[0].Name == plan.Claims[1].Name || plan.Commands[0].On != "ssh://a" || plan.Commands[2].On != "ssh://b" {
		t.Fatalf("%+v, %v", plan, err)
	}
	th := &thing{t: t, p: prov, req: req}
	th.prepare() // both hosts are this machine: the second finds the work done
	if got := th.standing(); got != providers.Stands {
		t.Errorf("it is %s", got)
	}
	write(t, p, markName, "hello")
	_, err = th.step(prov.Prepare)
	if err == nil || !strings.HasPrefix(err.Error(), "ssh://a: ") {
		t.Errorf("the error does not say where: %v", err)
	}
	req.Hosts = []string{"ssh://down"}
	if _, err := prov.Inspect(t.Context(), req); err == nil {
		t.Error("a host that is down is no error")
	}
}
