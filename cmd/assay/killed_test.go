package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rehearsed has setups, switches, data, repetitions, retries, a monitor and things that are wanted fresh, on two benches. Where it is killed is
// up to the clock.
const rehearsed = `
matrix {
  axis "cache" {
    values = ["off", "on"]
  }
}
setup "fake_thing" "disk" {
  create_time  = "10ms"
  destroy_time = "10ms"
}
setup "fake_thing" "cache" {
  label       = setup.fake_thing.disk.id
  slot        = "cache"
  state       = matrix.cache
  create_time = "10ms"
  switch_time = "10ms"
}
dataset "fake_data" "d" {
  thing     = setup.fake_thing.disk.id
  load_time = "20ms"
  rows      = 7
  bytes     = "1GB"
}
test "fake" "t" {
  thing      = setup.fake_thing.cache.id
  depends_on = [dataset.fake_data.d]
  throughput = "100MB/s"
  noise      = "5%"
  duration   = "10ms"
  repeat     = 4
}
setup "fake_thing" "other" {
  create_time = "5ms"
  fresh       = true
}
test "fake" "anew" {
  thing  = setup.fake_thing.other.id
  count  = 3
  repeat = 2
}
test "fake" "flaky" {
  count  = 3
  mode   = "flaky"
  repeat = 2
  retry {
    attempts = 2
  }
}
test "fake" "fails" {
  count = 1
  mode  = "fail"
  retry {
    attempts = 2
  }
}
monitor "fake" "io" {
  during = test.fake.t
  rate   = "1GB/s"
}
kpi "fast" {
  measure = test.fake.t.throughput
  min     = "10MB/s"
}
`

// place is a directory of its own in which assay is run as a process.
type place struct {
	t   *testing.T
	dir string
	env []string
}

func newPlace(t *testing.T, spec string) *place {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &place{t: t, dir: t.TempDir()}
	p.env = append(os.Environ(), "ASSAY_LOCKS="+filepath.Join(p.dir, "locks"), "NO_COLOR=1")
	if err := errors.Join(os.Symlink(self, filepath.Join(p.dir, "assay")), os.Mkdir(filepath.Join(p.dir, "spec"), 0o755),
		os.WriteFile(filepath.Join(p.dir, "spec", "main.assay.hcl"), []byte(spec), 0o644)); err != nil {
		t.Fatal(err)
	}
	return p
}

// run runs assay, and kills it after a while; 0: never. It gives the exit status, -1 where it was killed, and what was printed.
func (p *place) run(after time.Duration, args ...string) (int, string) {
	p.t.Helper()
	var out bytes.Buffer
	cmd := exec.Command(filepath.Join(p.dir, "assay"), args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, &out, &out
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	_ = cmd.Wait() // the status is given
	return cmd.ProcessState.ExitCode(), out.String()
}

// toTheEnd kills assay at random moments until it has come to its end, and gives the exit status and how often it was killed.
func (p *place) toTheEnd(random *rand.Rand, longest time.Duration) (status, kills int) {
	p.t.Helper()
	args := []string{"apply", "spec"}
	for {
		if runs, _ := filepath.Glob(filepath.Join(p.dir, ".assay", "runs", "*", "plan.json")); len(runs) > 0 {
			args = []string{"apply", "--resume"}
		}
		after := time.Duration(random.Int64N(int64(longest))) + time.Millisecond
		if kills > 200 {
			after = 0 // a slow machine comes to no end within that time
		}
		status, out := p.run(after, args...)
		if status == -1 {
			kills++
			continue
		}
		if status == exitError {
			p.t.Fatalf("after %d kills: %s", kills, out)
		}
		return status, kills
	}
}

// results reads what a run found, without what must be otherwise after a crash: attempts and where their output lies.
func (p *place) results() any {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.dir, ".assay", "runs", "*", "report", "results.json"))
	if err != nil || len(files) != 1 {
		p.t.Fatal(files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		p.t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		p.t.Fatal(err)
	}
	return without(v, map[string]bool{"attempt": true, "artifacts": true, "generation": true})
}

func without(v any, names map[string]bool) any {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if names[name] {
				delete(v, name)
			} else {
				v[name] = without(x, names)
			}
		}
	case []any:
		for i, x := range v {
			v[i] = without(x, names)
		}
	}
	return v
}

// standing lists the things and the locks that are left.
func (p *place) standing() []string {
	var out []string
	for _, pattern := range []string{".assay/fake/*.json", ".assay/locks/*", "locks/*"} {
		files, _ := filepath.Glob(filepath.Join(p.dir, pattern))
		out = append(out, files...)
	}
	return out
}

// TestKilled kills the process itself at random moments. ASSAY_SOAK says how many campaigns there shall be.
func TestKilled(t *testing.T) {
	campaigns := 6
	if n, err := strconv.Atoi(os.Getenv("ASSAY_SOAK")); err == nil {
		campaigns = n
	}
	undisturbed := newPlace(t, rehearsed)
	began := time.Now()
	want, out := undisturbed.run(0, "apply", "spec")
	if want == exitError {
		t.Fatal(out)
	}
	took := time.Since(began)
	results := undisturbed.results()
	kills := 0
	for i := 0; i < campaigns || kills < campaigns && i < 5*campaigns; i++ {
		before := kills
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			p := newPlace(t, rehearsed)
			status, n := p.toTheEnd(rand.New(rand.NewPCG(1, uint64(i))), took)
			kills += n
			if status != want {
				t.Errorf("exit status %d, want %d", status, want)
			}
			if d := cmp.Diff(results, p.results()); d != "" {
				t.Errorf("after %d kills it ends otherwise (-undisturbed +killed):\n%s", n, d)
			}
			if left := p.standing(); len(left) > 0 {
				t.Errorf("after %d kills there are left: %s", n, strings.Join(left, ", "))
			}
		})
		if kills == before { // the machine has become faster since the undisturbed run
			took = max(took/2, 10*time.Millisecond)
		}
	}
	t.Logf("%d kills", kills)
	if kills < campaigns {
		t.Errorf("only %d kills in %d campaigns: they came too late", kills, 5*campaigns)
	}
}

// mounted is real fio on a file system of its own.
const mounted = `
variable "directory" {
  type = string
}
setup "storage_directory" "scratch" {
  path = var.directory
}
test "fio" "seq" {
  directory = setup.storage_directory.scratch.path
  rw        = "write"
  bs        = "64KiB"
  size      = "8MiB"
  runtime   = "2s"
  repeat    = 3
  timeout   = "2min"
}
`

// TestKilledFio kills assay once while fio writes on a loop device: fio goes on, is ended before the run is gone on with, and nothing is left.
func TestKilledFio(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a loop device")
	}
	for _, tool := range []string{"fio", "mkfs.ext4", "losetup", "mount"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	p := newPlace(t, mounted)
	disk, mount := filepath.Join(p.dir, "disk"), filepath.Join(p.dir, "mnt")
	if err := errors.Join(os.WriteFile(disk, nil, 0o600), os.Truncate(disk, 64<<20), os.Mkdir(mount, 0o755)); err != nil {
		t.Fatal(err)
	}
	command := func(argv ...string) {
		t.Helper()
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", argv, err, out)
		}
	}
	command("mkfs.ext4", "-q", disk)
	command("mount", "-o", "loop", disk, mount)
	defer command("umount", mount)
	directory := filepath.Join(mount, "assay")

	cmd := exec.Command(filepath.Join(p.dir, "assay"), "apply", "--var", "directory="+directory, "spec")
	cmd.Dir, cmd.Env = p.dir, p.env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !p.journalHas(`"repetition":2,"attempt":1}`) || len(p.fio()) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			t.Fatal("the second repetition did not begin")
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait() // it was killed
	if len(p.fio()) == 0 {
		t.Fatal("fio has ended with assay: there is no orphan to be ended")
	}
	status, out := p.run(0, "apply", "--resume")
	if status != exitOK {
		t.Fatalf("exit status %d: %s", status, out)
	}
	for _, want := range []string{"of its processes still ran on this machine and were ended", "setup.storage_directory.scratch stands", "3 of 3 samples ok"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "repetition 1 measured") {
		t.Errorf("the first repetition ran again:\n%s", out)
	}
	if _, err := os.Stat(directory); err == nil || len(p.fio()) > 0 || len(p.standing()) > 0 {
		t.Errorf("left are %s, processes %v, %v", directory, p.fio(), p.standing())
	}
}

func (p *place) journalHas(text string) bool {
	files, _ := filepath.Glob(filepath.Join(p.dir, ".assay", "runs", "*", "journal.jsonl"))
	for _, f := range files {
		if raw, err := os.ReadFile(f); err == nil && strings.Contains(string(raw), text) {
			return true
		}
	}
	return false
}

// fio lists the processes of fio that work in the place.
func (p *place) fio() []string {
	var out []string
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if name, _, _ := strings.Cut(string(raw), "\x00"); err == nil && filepath.Base(name) == "fio" && strings.Contains(string(raw), p.dir) {
			out = append(out, filepath.Base(filepath.Dir(f)))
		}
	}
	return out
}
