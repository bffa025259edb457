package fio

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var helpRE = regexp.MustCompile(`(?m)^ *([a-zA-Z_-][a-zA-Z0-9_-]*) *: `)

// helpNames are the options that a help text of fio lists.
func helpNames(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range helpRE.FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
	}
	return names
}

// helps gives fio's option lists: general, and by engine.
type helps struct {
	general map[string]bool
	engines map[string]map[string]bool
}

func capturedHelp(t *testing.T) helps {
	t.Helper()
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	h := helps{helpNames(read("cmdhelp-3.33.txt")), map[string]map[string]bool{}}
	parts := strings.Split(read("enghelp-3.33.txt"), "\n# ")
	for _, p := range parts[1:] {
		engine, text, _ := strings.Cut(p, "\n")
		h.engines[engine] = helpNames(text)
	}
	for _, e := range engines {
		if !strings.Contains(parts[0], "\t"+e+"\n") {
			t.Errorf("engine %s is not among those of --enghelp", e)
		}
	}
	return h
}

func fioOutput(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("fio", args...)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil && len(out) == 0 { // --enghelp of an engine without options exits with 1
		t.Fatalf("fio %v: %v (fio must be installed: apt-get install fio)", args, err)
	}
	return string(out)
}

// installedHelp asks the fio of this machine.
func installedHelp(t *testing.T) helps {
	t.Helper()
	h := helps{helpNames(fioOutput(t, "--cmdhelp=all")), map[string]map[string]bool{}}
	for _, e := range engines {
		h.engines[e] = helpNames(fioOutput(t, "--enghelp="+e))
	}
	return h
}

// unlisted are options that fio has and documents but leaves out of --cmdhelp=all; --cmdhelp=NAME shows them.
var unlisted = map[string]bool{"iomem_align": true}

// TestNamesAreFios: every option that is let through stands in fio's own lists under just this name.
func TestNamesAreFios(t *testing.T) {
	for from, h := range map[string]helps{"captured": capturedHelp(t), "installed": installedHelp(t)} {
		if len(h.general) < 150 || len(h.engines["io_uring"]) < 8 {
			t.Fatalf("%s: %d options, %d of io_uring: the help was not read", from, len(h.general), len(h.engines["io_uring"]))
		}
		for name, f := range allowed {
			if len(f.engines) == 0 && !h.general[name] && !unlisted[name] {
				t.Errorf("%s: fio has no option %q", from, name)
			}
			for _, e := range f.engines {
				if !h.engines[e][name] {
					t.Errorf("%s: the engine %s has no option %q", from, e, name)
				}
			}
			if attribute(name) != nil || refused[name] != "" || aliases[name] != "" {
				t.Errorf("%q is let through, and an attribute, refused or an alias too", name)
			}
		}
		for _, a := range attributes() {
			if !ours[a.Name] && !h.general[a.Name] {
				t.Errorf("%s: fio has no option %q, which is an attribute", from, a.Name)
			}
		}
	}
	for name := range unlisted {
		if out := fioOutput(t, "--cmdhelp="+name); !strings.Contains(out, name+":") {
			t.Errorf("--cmdhelp=%s gives %q", name, out)
		}
	}
	for alias, full := range aliases {
		if out := fioOutput(t, "--cmdhelp="+alias); !strings.Contains(out, " "+full+":") && !strings.HasPrefix(strings.TrimSpace(out), full+":") {
			t.Errorf("--cmdhelp=%s does not show %s, but %q", alias, full, out)
		}
	}
}

// TestEveryOptionIsDecided: each option of fio is let through, an attribute, or refused with a reason.
func TestEveryOptionIsDecided(t *testing.T) {
	h := capturedHelp(t)
	var open []string
	for name := range h.general {
		if !isAllowed(name) && attribute(name) == nil && strings.HasPrefix(refusal(name), "It is not on the list") {
			open = append(open, name)
		}
	}
	sort.Strings(open)
	// What is left has no reason of its own: zoned devices, and others that nobody has asked for yet.
	want := []string{
		"atomic", "cpumask", "create_on_open", "allow_file_create", "job_max_open_zones", "ignore_zone_limits", "max_open_zones",
		"rate_cycle", "read_beyond_wp", "unlink_each_loop", "zone_reset_frequency", "zone_reset_threshold", "zonecapacity",
	}
	sort.Strings(want)
	if diff := cmp.Diff(want, open); diff != "" {
		t.Errorf("options without a decision:\n%s", diff)
	}
}

// TestFioTakesThem: real fio takes each option with the example value as it is passed on. All options of an engine go into
// one process, each as a job of its own, since fio takes its time to start.
func TestFioTakesThem(t *testing.T) {
	argv := map[string][]string{}
	for name, f := range allowed {
		value, err := f.read(f.like)
		if err != nil {
			t.Errorf("%s: its own example: %v", name, err)
			continue
		}
		in := f.engines
		if len(in) == 0 {
			in = []string{"psync"}
		}
		for _, engine := range in {
			argv[engine] = append(argv[engine], "--name="+name, "--filename=/nonexistent/x", "--size=1M", "--ioengine="+engine, "--"+name+"="+value)
		}
	}
	for engine, args := range argv {
		cmd := exec.Command("fio", append([]string{"--parse-only"}, args...)...)
		cmd.Dir = t.TempDir()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v (fio must be installed: apt-get install fio)\n%s", engine, err, out)
		}
	}
	// The check bites: a value that fio does not take is seen.
	cmd := exec.Command("fio", "--parse-only", "--name=x", "--filename=/nonexistent/x", "--size=1M", "--fallocate=sideways")
	if err := cmd.Run(); err == nil {
		t.Error("fio --parse-only takes anything")
	}
}

// TestRefused: ways by which fio opens files, runs commands or adds jobs, and others that no sample could come of.
func TestRefused(t *testing.T) {
	cases := []struct{ name, value, want string }{
		{"filename", "/dev/sda", "names files"},
		{"directory", "/etc", "directory is an attribute of its own"},
		{"opendir", "/", "names files"},
		{"filename_format", "/dev/sda", "names files"},
		{"unique_filename", "0", "names files"},
		{"lockfile", "exclusive", "names files"},
		{"exec_prerun", "rm -rf /", "runs a command"},
		{"exec_postrun", "rm -rf /", "runs a command"},
		{"exec_pre", "rm -rf /", "short form of exec_prerun"},
		{"exec_pre", "rm -rf /", "runs a command"},
		{"exec_po", "rm -rf /", "runs a command"},
		{"filen", "/dev/sda", "names files"},
		{"directo", "/etc", "short form of directory"},
		{"device", "/dev/sda", "is an attribute of its own"},
		{"opend", "/", "names files"},
		{"output", "/etc/passwd", "form is assay's"},
		{"output-format", "terse", "form is assay's"},
		{"aux-path", "/etc", "writes files"},
		{"iomem", "mmap:/etc/passwd", "another name of mem"},
		{"mem", "mmap:/etc/passwd", `"mmap:/etc/passwd" is not one of malloc, shm`},
		{"mem", "mmapshared:/etc/passwd", "is not one of"},
		{"ioengine", "external:/tmp/evil.so", "ioengine is an attribute"},
		{"buffer_pattern", "'/etc/shadow'", "0xdeadbeef"},
		{"verify_pattern", "'/etc/shadow'", "verify, the attribute"},
		{"write_bw_log", "/etc/cron.d/x", "writes files"},
		{"write_lat_log", "/etc/cron.d/x", "writes files"},
		{"write_iops_log", "x", "writes files"},
		{"write_hist_log", "x", "writes files"},
		{"write_clat_log", "x", "writes files"},
		{"write_iolog", "x", "writes files"},
		{"log_store_compressed", "1", "writes files"},
		{"read_iolog", "/etc/passwd", "replays a trace"},
		{"replay_redirect", "/dev/sda", "replays a trace"},
		{"merge_blktrace_file", "/etc/passwd", "replays a trace"},
		{"verify_state_load", "1", "writes files"},
		{"verify_state_save", "1", "writes files"},
		{"verify_dump", "1", "writes files"},
		{"verify", "crc32c", "is an attribute of its own"},
		{"name", "second", "several jobs"},
		{"include", "/etc/passwd", "several jobs"},
		{"client", "host", "several jobs"},
		{"server", "", "several jobs"},
		{"profile", "tiobench", "several jobs"},
		{"trigger", "rm -rf /", "runs a command"},
		{"trigger-file", "/x", "runs a command"},
		{"trigger-remote", "rm", "runs a command"},
		{"ioscheduler", "none", "changes the host"},
		{"cgroup", "x", "changes the host"},
		{"uid", "0", "changes the host"},
		{"gid", "0", "changes the host"},
		{"allow_mounted_write", "1", "changes the host"},
		{"fill_device", "1", "file system is full"},
		{"fill_fs", "1", "file system is full"},
		{"continue_on_error", "all", "no sample"},
		{"ignore_error", "ENOSPC", "no sample"},
		{"kb_base", "1000", "reads and prints quantities"},
		{"group_reporting", "1", "form is assay's"},
		{"unified_rw_reporting", "1", "form is assay's"},
		{"create_only", "1", "no sample"},
		{"nrfiles", "4", "one file"},
		{"time_based", "1", "implied"},
		{"buffered", "1", "direct = false"},
		{"bs", "4k", "bs is an attribute of its own: write bs = "},
		{"blocksize", "4k", "another name of bs"},
		{"readwrite", "write", "another name of rw"},
		{"timeout", "60", "another name of runtime"},
		{"io_limit", "1g", "another name of io_size"},
		{"trim_percentage", "1", "Trims are not measured"},
		{"thinktme", "1ms", `did you mean "thinktime"`},
		{"iodpeth", "1", `did you mean "iodepth"`},
		{"fallocate", "nativ", `did you mean "native"`},
		{"fallocate", "0", "is not one of none, native"},
		{"thinktime", "10", "a duration needs a unit"},
		{"ba", "4000kb", `did you mean "4000KiB"`},
		{"ba", "1.5B", "not a size in whole bytes"},
		{"startdelay", "1ns", "whole microseconds"},
		{"percentage_random", "101", "from 0 to 100"},
		{"percentage_random", "50,50", "from 0 to 100"},
		{"nice", "-21", "from -20 to 19"},
		{"bssplit", "4k/60:64k/40:/etc/passwd", "4k/60:64k/40"},
		{"bssplit", "4KiB/100", "4k/60:64k/40"}, // to fio 4000
		{"cpus_allowed", "0\n1", "0-3,8"},
		{"cpus_allowed", "0-3\n", "0-3,8"},
		{"steadystate", "iops:0.3%\n--output=/x", "iops_slope:0.3%"},
		{"numa_mem_policy", "bind:/etc", "bind:0"},
		{"zero_buffers", "yes", "neither true nor false"},
		{"hipri", "1", "Only io_uring or pvsync2 knows hipri"},
		{"", "x", "not on the list"},
		{"\x00", "x", "not on the list"},
		{"bs=4k --output", "x", "not on the list"},
		{"OVERWRITE", "1", "not on the list"},
		{"overwrite ", "1", "not on the list"},
		{"dedupe_global", strings.Repeat("1", 300), "300 characters"},
	}
	for _, c := range cases {
		summary, detail := optionProblem(c.name, c.value, "libaio")
		if summary == "" || !strings.Contains(detail, c.want) {
			t.Errorf("%s = %q: %q %q, want %q", c.name, c.value, summary, detail, c.want)
		}
	}
}

// TestNoWayRound: no prefix of a refused name, and no other spelling of it, is let through.
func TestNoWayRound(t *testing.T) {
	for name := range capturedHelp(t).general {
		if isAllowed(name) {
			continue
		}
		for i := range name {
			for _, form := range []string{name[:i], strings.ToUpper(name[:i]), "-" + name, name[:i] + "=", strings.ReplaceAll(name, "_", "-")} {
				if _, whole := allowed[form]; whole && form != name[:i] {
					t.Errorf("%q is let through beside %q", form, name)
				}
			}
		}
	}
	for name := range allowed {
		if !regexp.MustCompile(`^[a-z_]+$`).MatchString(name) {
			t.Errorf("%q is no plain name", name)
		}
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"thinktime", "10ms", "10ms"}, {"thinktime", "1s", "1s"}, {"thinktime", "1500us", "1500us"}, {"thinktime", "2min", "120s"},
		{"ba", "4KiB", "4k"}, {"ba", "4k", "4k"}, {"ba", "4kB", "4000"}, {"zonesize", "1GiB", "1G"}, {"zoneskip", "512B", "512"},
		{"zero_buffers", "true", "1"}, {"zero_buffers", "false", "0"}, {"zero_buffers", "1", "1"},
		{"nice", "-20", "-20"}, {"bssplit", "4k/60:64k/40", "4k/60:64k/40"}, {"random_distribution", "zipf:1.2", "zipf:1.2"},
		{"random_distribution", "random", "random"}, {"bsrange", "4k-64k,8k-16k", "4k-64k,8k-16k"}, {"bssplit", "4k/50:8k/", "4k/50:8k/"},
	} {
		if got, err := allowed[c.name].read(c.value); err != nil || got != c.want {
			t.Errorf("%s = %q becomes %q, %v; want %q", c.name, c.value, got, err, c.want)
		}
	}
}
