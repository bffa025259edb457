package fio

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/measure"
	"github.com/assay-bench/assay/providers/providertest"
)

func jobsTarget(t testing.TB, values map[string]any) providers.Target {
	t.Helper()
	return providers.Target{Kind: "test", Type: jobsType, Config: providertest.Config(t, jobsSchema().Body, values),
		Address: addr.Instance{Block: addr.Block{Kind: "test", Type: jobsType, Name: "mix"}}}
}

const twoJobs = `; a comment
[global]
ioengine=psync   # another
direct=0
size=1m
time_based
runtime=1

[reads]
rw=randread
numjobs=2

[writes]
stonewall
rw=write
bs=64k
`

// TestJobsRefused: a job file does nothing that a spec could not say, whatever fio would do with it.
func TestJobsRefused(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ line, want string }{
		{"filename=/dev/sda", `"/dev/sda" is none of what the test is given (`},
		{"filename=" + dir + "/assay-fio-mix:/etc/passwd", `"/etc/passwd" is none of`},
		{"filename=" + dir + `/x\:y`, `/x:y" is none of`},
		{"directory=/", "attribute of its own"},
		{"exec_prerun=reboot", "runs a command"},
		{"exec_postrun=reboot", "runs a command"},
		{"write_lat_log=/etc/cron.d/x", "writes files of fio's own"},
		{"write_bw_log=x", "writes files of fio's own"},
		{"log_avg_msec=100", "attribute of its own"},
		{"read_iolog=/tmp/x", "replays a trace"},
		{"ioengine=external:/tmp/x.so", `"external:/tmp/x.so" is not one of`},
		{"ioengine=exec", `"exec" is not one of`},
		{"mem=mmap:/etc/passwd", `"mmap:/etc/passwd" is not one of`},
		{"iomem=mmap:/etc/passwd", `"mmap:/etc/passwd" is not one of`},
		{"buffer_pattern='/etc/shadow'", "does not have the form"},
		{"bs=${BS}", "host's environment"},
		{"size=$ncpus", "host's environment"},
		{"include other.fio", "reads another file"},
		{"opendir=/", "names files"},
		{"exec_pre=reboot", "short form of exec_prerun"},
		{"group_reporting", "output's form is assay's"},
		{"output=/etc/x", "output's form is assay's"},
		{"rw=trim", `"trim" is not one of`},
		{"bs=4k/x", "does not have the form"},
		{"iodepth=many", "does not have the form"},
		{"direct=perhaps", "does not have the form"},
		{"wait_for=/x", "does not have the form"},
		{"nosuch=1", "not on the list"},
		{"allow_mounted_write=1", "changes the host"},
		{"[reads]", "two sections"},
		{"[a b]", "not a name of letters"},
		{"[/dev/sda]", "not a name of letters"},
		{"[x", "not a name of letters"},
		{"runtime=1\nverify=crc32c\nrw=write", "it is over before that"},
		{"hipri=1", "Only io_uring or pvsync2 knows it"},
	} {
		text := "[reads]\nsize=1m\n" + c.line + "\n"
		resp := plan(t, jobsTarget(t, values{"directory": dir, "jobs_file": text}))
		why := ""
		for _, p := range resp.Problems {
			why += p.Detail + "\n"
		}
		if !strings.Contains(why, c.want) || !strings.Contains(why, "of the job file: ") || len(resp.Commands) > 0 || resp.Problems[0].Attribute != "jobs_file" {
			t.Errorf("%q: %+v, want %q", c.line, resp.Problems, c.want)
		}
	}
	for text, want := range map[string]string{
		"":                               "no section but [global]",
		"[global]\nsize=1m\n":            "no section but [global]",
		"rw=read\n[a]\nsize=1m\n":        "fio wants a section before it",
		"[a]\nrw=read\n":                 "job a has neither size nor filesize",
		"[a]\nsize=1m\n[b]\n[c]\nsize=1": "job b has neither",
	} {
		if resp := plan(t, jobsTarget(t, values{"directory": dir, "jobs_file": text})); len(resp.Problems) != 1 || !strings.Contains(resp.Problems[0].Detail, want) {
			t.Errorf("%q: %+v, want %q", text, resp.Problems, want)
		}
	}
}

func TestPlanJobs(t *testing.T) {
	resp := plan(t, jobsTarget(t, values{"directory": "/d", "jobs_file": twoJobs}))
	if len(resp.Problems) > 0 {
		t.Fatalf("%+v", resp.Problems)
	}
	c := resp.Commands[0]
	if strings.Join(c.Argv, " ") != "fio --output-format=json+ --eta=never -" || !strings.HasPrefix(c.Stdin, "[global]\nfilename=/d/assay-fio-mix\n\n; a comment\n[global]\n") {
		t.Errorf("%q <<< %q", c.Argv, c.Stdin)
	}
	if resp.Estimate != 3*time.Second {
		t.Errorf("one second after another, and one to start and end: %s", resp.Estimate)
	}
	if got := fmt.Sprint(expectedJobs(jobsTarget(t, values{"directory": "/d", "jobs_file": twoJobs}))); got != "[{reads 2 [read] 1 false} {writes 1 [write] 1 false}]" {
		t.Error(got)
	}
}

// TestJobsAsFioReadsThem: fio itself makes the same of each section as we do.
func TestJobsAsFioReadsThem(t *testing.T) {
	file := filepath.Join(t.TempDir(), "jobs.fio")
	text := "[global]\nfilename=/a\\:b/x\n" + twoJobs + "[last]\nreadwrite=rw\nblocksize=8k ; 4k\nfilename=/a\\:b/x\nstonewall\ntime_based=0\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("fio", "--showcmd", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	jobs, problems := readJobs(text, place{files: []string{"/a:b/x"}})
	if len(problems) > 0 {
		t.Fatalf("%+v", problems)
	}
	lines := strings.Split(string(out), "--name=")[1:]
	if len(lines) != len(jobs) {
		t.Fatalf("fio has %d jobs, we %d:\n%s", len(lines), len(jobs), out)
	}
	for i, s := range jobs {
		fields := strings.Fields(lines[i])
		if fields[0] != s.name {
			t.Errorf("fio calls it %s, we %s", fields[0], s.name)
		}
		given := map[string]bool{}
		for _, f := range fields[1:] {
			name, value, _ := strings.Cut(strings.TrimPrefix(f, "--"), "=")
			if full, ok := aliases[name]; ok {
				name = full
			}
			given[name] = true
			if got, ok := s.options[name]; !ok || got != value && name != "time_based" && name != "stonewall" {
				t.Errorf("%s: fio has %s = %q, we %q (%v)", s.name, name, value, got, ok)
			}
		}
		if !given["rw"] { // those of [global] are not shown
			t.Errorf("%s: fio shows %v", s.name, fields)
		}
	}
}

// TestRealJobs: each section has figures of its own, which are those of fio's JSON.
func TestRealJobs(t *testing.T) {
	dir := t.TempDir()
	target := jobsTarget(t, values{"directory": dir, "jobs_file": strings.Replace(twoJobs, "runtime=1\n", "runtime=300ms\n", 1)})
	s, sink := repetition(t, target, open)
	if s.Outcome != measure.OK || len(s.Warnings) > 0 {
		t.Fatalf("%s: %s, %v", s.Outcome, s.Reason, s.Warnings)
	}
	want := map[string]float64{}
	for _, j := range readOutput(sink.Data("fio.stdout")).doc.Jobs {
		for _, d := range []*direction{j.Read, j.Write} {
			if ran(d) {
				want[j.Name] += d.bandwidth()
			}
		}
	}
	got := map[string]float64{}
	for _, v := range s.Values {
		if len(v.Keys) != 1 || v.Keys[jobKey] == "" {
			t.Errorf("%+v", v)
		}
		if v.Measure == "bandwidth" {
			got[v.Keys[jobKey]] = v.Value
		}
	}
	if len(want) != 2 || len(got) != 2 || got["reads"] != want["reads"] || got["writes"] != want["writes"] {
		t.Errorf("%v, want %v", got, want)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 || entries[0].Name() != "assay-fio-mix" {
		t.Errorf("the directory holds %v", entries)
	}
	fakeFio(t, `/usr/bin/fio "$@" | sed s/writes/other/`+"\n")
	if s, _ := repetition(t, target, open); s.Outcome != measure.Failed || !strings.Contains(s.Reason, "0 of 1 jobs writes are in the output") {
		t.Errorf("%s: %s", s.Outcome, s.Reason)
	}
}

func FuzzJobs(f *testing.F) {
	f.Add(twoJobs)
	f.Add("[a]\nfilename=x\\:y:z\nsize=50%\n")
	f.Fuzz(func(t *testing.T, text string) {
		jobs, problems := readJobs(text, place{files: []string{"/d/f"}})
		if len(jobs) == 0 && len(problems) == 0 {
			t.Error("no job, and nothing wrong")
		}
	})
}
