package storage

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/google/go-cmp/cmp"
)

func TestWrongPaths(t *testing.T) {
	for p, want := range map[string]string{
		"/data/bench":     "",
		"/data/數據":        "",
		"/data/a b":       "",
		"/mnt":            "",
		"/tmp/bench":      "",
		"/dev/shm/bench":  "",
		"/var/lib/mysql":  "",
		"/home/u/bench":   "",
		"/run/media/disk": "",
		"/etcetera":       "",
		"":                "absolute path of a directory",
		"data":            "expected an absolute path",
		"./data":          "expected an absolute path",
		"~/data":          "expected an absolute path",
		"/data/":          `write that`,
		"/data//bench":    `"/data/bench"`,
		"/data/../etc":    `"/etc"`,
		"/data/./bench":   `"/data/bench"`,
		"/data/\n":        "control characters",
		"/data/\x00":      "control characters",
		"/data/\xff":      "not UTF-8",
		"/":               "the whole system",
		"/etc":            "the machine's configuration",
		"/etc/bench":      "it is below /etc (it holds the machine's configuration)",
		"/usr/local/x":    "it is below /usr",
		"/bin":            "programs",
		"/boot/x":         "starts from it",
		"/dev":            "erases disks",
		"/dev/sda":        "erases disks",
		"/dev/shm":        "erases disks",
		"/dev/shm2/x":     "erases disks",
		"/proc/1":         "settings of the kernel",
		"/sys/block":      "settings of the kernel",
		"/var":            "services",
		"/home":           "all users",
		"/root":           "home of root",
	} {
		summary, detail := wrongPath(p)
		if (summary == "") != (want == "") || !strings.Contains(detail, want) {
			t.Errorf("%q: %s: %s; want %q", p, summary, detail, want)
		}
	}
}

// Each row makes something below a directory and plans for the path bench in it.
func TestPlanLooksAtTheDirectory(t *testing.T) {
	for name, tc := range map[string]struct {
		make     func(t *testing.T, dir, bench string)
		path     string // below dir; empty: bench
		problems string // of a problem; a warning begins with "warning: "
		stays    bool
	}{
		"absent":            {make: func(*testing.T, string, string) {}},
		"present and empty": {make: func(t *testing.T, _, b string) { mkdir(t, b) }, stays: true},
		"present with files": {make: func(t *testing.T, _, b string) {
			mkdir(t, b)
			write(t, b, "precious", "x")
			write(t, b, "assay.txt", "x")
			mkdir(t, filepath.Join(b, "assay-folder"))
		}, stays: true},
		"no parent":              {make: func(*testing.T, string, string) {}, path: "no/bench", problems: "make its parent first"},
		"the parent is a file":   {make: func(t *testing.T, d, _ string) { write(t, d, "file", "") }, path: "file/bench", problems: "is not a directory"},
		"a file":                 {make: func(t *testing.T, d, _ string) { write(t, d, "bench", "") }, problems: "is there and is not a directory"},
		"a symbolic link":        {make: func(t *testing.T, d, b string) { symlink(t, t.TempDir(), b) }, problems: "is a symbolic link"},
		"a dangling link":        {make: func(t *testing.T, d, b string) { symlink(t, "/no/such", b) }, problems: "is a symbolic link"},
		"a parent in the system": {make: func(t *testing.T, d, _ string) { symlink(t, "/etc", filepath.Join(d, "link")) }, path: "link/bench", problems: "through a symbolic link to /etc/bench"},
		"the system itself":      {make: func(t *testing.T, d, _ string) { symlink(t, "/", filepath.Join(d, "link")) }, path: "link/var", problems: "through a symbolic link to /var"},
		"files of our name": {make: func(t *testing.T, _, b string) {
			mkdir(t, b)
			write(t, b, "assay-results.csv", "x")
		}, problems: "already holds assay-results.csv"},
		"a link of our name": {make: func(t *testing.T, _, b string) { mkdir(t, b); symlink(t, "/etc/passwd", filepath.Join(b, "assay-x")) }, problems: "already holds assay-x"},
		"open to all": {make: func(t *testing.T, _, b string) {
			mkdir(t, b)
			if err := os.Chmod(b, 0o777); err != nil {
				t.Fatal(err)
			}
		}, problems: "warning: ", stays: true},
		"a mark of a run that made it": {make: func(t *testing.T, _, b string) {
			mkdir(t, b)
			write(t, b, markName, `{"format_version":1,"id":"other","made":true}`)
			write(t, b, "assay-fio-seq", "x")
		}, problems: `warning: `},
		"a mark of a run that found it": {make: func(t *testing.T, _, b string) {
			mkdir(t, b)
			write(t, b, markName, `{"format_version":1,"id":"other","made":false}`)
		}, problems: `warning: `, stays: true},
		"a mark of another kind": {make: func(t *testing.T, _, b string) { mkdir(t, b); write(t, b, markName, "hello") }, problems: "not what assay writes"},
		"a mark with more in it": {make: func(t *testing.T, _, b string) {
			mkdir(t, b)
			write(t, b, markName, `{"format_version":1,"id":"x","user":"me"}`)
		}, problems: "not what assay writes"},
		"a mark of a later version": {make: func(t *testing.T, _, b string) { mkdir(t, b); write(t, b, markName, `{"format_version":2,"id":"x"}`) }, problems: "format version 2"},
		"a mark that is a link": {make: func(t *testing.T, d, b string) {
			mkdir(t, b)
			write(t, d, "mark", `{"format_version":1,"id":"x","made":true}`)
			symlink(t, filepath.Join(d, "mark"), filepath.Join(b, markName))
		}, problems: "not a small regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p := filepath.Join(dir, "bench")
			tc.make(t, dir, p)
			if tc.path != "" {
				p = filepath.Join(dir, tc.path)
			}
			before := tree(t, dir)
			res, err := New(host.Dial).Plan(t.Context(), providers.PlanRequest{Target: target(p)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("planning changed files: %s", diff)
			}
			var got []string
			failed := false
			for _, pr := range res.Problems {
				text := pr.Summary + ": " + pr.Detail
				if failed = failed || !pr.Warning; pr.Warning {
					text = "warning: " + text
				}
				got = append(got, text)
			}
			all := strings.Join(got, "\n")
			if (all == "") != (tc.problems == "") || !strings.Contains(all, tc.problems) || strings.HasPrefix(tc.problems, "warning") == failed && all != "" {
				t.Errorf("problems %q; want %q", all, tc.problems)
			}
			if failed {
				return
			}
			commands, release := []string{"mkdir -- " + p}, []string{"rm -f -- " + p + "/.assay-directory", "rmdir -- " + p}
			if tc.stays {
				commands, release = nil, release[:1]
			}
			if diff := cmp.Diff(commands, planned(res.Commands)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(release, planned(res.ReleaseCommands)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]providers.Claim{{Name: "directory::" + p, Standing: true}}, res.Claims); diff != "" {
				t.Error(diff)
			}
			if got := res.Outputs.GetAttr("path").AsString(); got != p {
				t.Errorf("output path is %q", got)
			}
		})
	}
}

func mkdir(t testing.TB, p string) {
	t.Helper()
	if err := os.Mkdir(p, 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestTwoWaysToADirectoryAreOneClaim(t *testing.T) {
	dir := t.TempDir()
	mkdir(t, filepath.Join(dir, "real"))
	symlink(t, "real", filepath.Join(dir, "link"))
	p := New(host.Dial)
	var claims []string
	for _, way := range []string{"real/bench", "link/bench"} {
		res, err := p.Plan(t.Context(), providers.PlanRequest{Target: target(filepath.Join(dir, way))})
		if err != nil || len(res.Problems) > 0 {
			t.Fatal(err, res.Problems)
		}
		claims = append(claims, res.Claims[0].Name)
	}
	if claims[0] != claims[1] {
		t.Errorf("claims %q", claims)
	}
}

func TestOfflineSaysThatItDidNotLook(t *testing.T) {
	dir := t.TempDir() // present: offline does not know
	p := New(func(context.Context, string) (host.Host, error) { panic("dialled") })
	res, err := p.Plan(t.Context(), providers.PlanRequest{Target: target(dir, "ssh://db1", "ssh://db2"), Offline: true})
	if err != nil || len(res.Problems) > 0 {
		t.Fatal(err, res.Problems)
	}
	if diff := cmp.Diff([]string{"mkdir -- " + dir, "mkdir -- " + dir}, planned(res.Commands)); diff != "" {
		t.Error(diff)
	}
	if len(res.Claims) != 2 || res.Claims[1].Name != "directory:ssh://db2:"+dir || !res.Claims[1].Standing || res.Claims[1].Shared {
		t.Errorf("claims %+v", res.Claims)
	}
	told := 0
	for _, c := range res.Commands {
		if strings.Contains(c.Manual, "was not looked at") {
			told++
		}
	}
	if told != 2 || len(res.Expect) != 0 {
		t.Errorf("told %d times, expects %v", told, res.Expect)
	}
}
