package guard

import (
	"context"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/google/go-cmp/cmp"
)

// canned is a host of which the probe prints a text. It has no files.
type canned struct {
	host.Host
	address, probe string
	marks          map[string]string
}

func (c canned) Address() string { return c.address }

func (c canned) Run(_ context.Context, cmd host.Cmd) (host.Result, error) {
	out := c.probe
	if cmd.Argv[0] == "id" {
		out = "0\n"
	}
	_, err := io.WriteString(cmd.Stdout, out)
	return host.Result{}, err
}

func (c canned) ReadFile(_ context.Context, path string) ([]byte, error) {
	if text, ok := c.marks[path]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

func (canned) Stat(context.Context, string) (host.FileInfo, error) {
	return host.FileInfo{}, fs.ErrNotExist
}

func (canned) Close() error { return nil }

// planOn plans disks on hosts: each is the server of the table, amended.
func planOn(t *testing.T, req providers.PlanRequest, servers map[string][]string, refs ...Ref) (*providers.PlanResponse, *Planned) {
	t.Helper()
	raw, err := os.ReadFile("testdata/server.txt")
	if err != nil {
		t.Fatal(err)
	}
	dial := func(_ context.Context, address string) (host.Host, error) {
		return canned{address: address, probe: amend(t, string(raw), servers[address])}, nil
	}
	resp := &providers.PlanResponse{}
	planned, err := Plan(t.Context(), dial, req, "disk", refs, resp)
	if err != nil {
		t.Fatal(err)
	}
	return resp, planned
}

func on(hosts ...string) providers.PlanRequest {
	return providers.PlanRequest{Target: providers.Target{Hosts: hosts}, Erase: true}
}

// other is a server whose sdb is S1002.
var other = []string{"-sdb\tpg80more\tS0002     ", "blocks|sdb\tpg80more\tS1002", "-sdb\twwn\tnaa.5000000000000002", "blocks|sdb\twwn\tnaa.5000000000001002"}

func problems(resp *providers.PlanResponse) string {
	var texts []string
	for _, p := range resp.Problems {
		if p.Attribute != "disk" || p.Warning {
			texts = append(texts, "of "+p.Attribute)
		}
		texts = append(texts, p.Detail)
	}
	return strings.Join(texts, "\n")
}

func TestPlan(t *testing.T) {
	resp, planned := planOn(t, on(""), map[string][]string{"": {"signatures|sdb,0x438,ext4,u-1,data"}}, good)
	if got := problems(resp); got != "" {
		t.Fatal(got)
	}
	if diff := cmp.Diff([]providers.Claim{{Name: "disk:s0002", Standing: true}}, resp.Claims); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]providers.Erase{{Device: "/dev/sdb", Serial: "S0002", WWN: "naa.5000000000000002", Model: "UM511a", Size: 1920e9, Holds: `ext4 "data" (u-1)`, Found: true}}, resp.Erases); diff != "" {
		t.Error(diff)
	}
	id, err := readIdentity(resp.Expect["disk::S0002"])
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{Device: "/dev/sdb", Serial: "S0002", WWN: "naa.5000000000000002", Model: "UM511a", Size: 1920e9, DiskSeq: "2",
		Boot: "11111111-2222-3333-4444-555555555555", Signatures: []Signature{{Offset: "0x438", Type: "ext4", UUID: "u-1", Label: "data"}}}
	if diff := cmp.Diff(want, *id); diff != "" {
		t.Error(diff)
	}
	if d := planned.Found[""]["S0002"]; d == nil || d.Name != "sdb" {
		t.Errorf("found %v", planned.Found)
	}
	if len(planned.Take) != 2 || len(planned.Drop) != 1 || !strings.Contains(planned.Take[1].Manual, "/dev/assay/disk-S0002") {
		t.Errorf("commands %v, then %v", planned.Take, planned.Drop)
	}
}

// TestPlanOnHosts: a disk of hardware of several machines is on just one of them.
func TestPlanOnHosts(t *testing.T) {
	second := Ref{ID: "S1002", Serial: "S1002", Group: "sas"}
	two := map[string][]string{"ssh://b": other}
	resp, planned := planOn(t, on("ssh://a", "ssh://b"), two, good, second)
	if got := problems(resp); got != "" {
		t.Fatal(got)
	}
	if len(resp.Expect) != 2 || resp.Expect["disk:ssh://a:S0002"] == "" || resp.Expect["disk:ssh://b:S1002"] == "" {
		t.Errorf("expect %v", resp.Expect)
	}
	for _, c := range planned.Take {
		if (c.On == "ssh://b") != strings.Contains(c.Manual, "S1002") {
			t.Errorf("on %s: %s", c.On, c.Manual)
		}
	}
	if got := here("ssh://b", resp.Expect, []Ref{good, second}); len(got) != 1 || got[0].ID != "S1002" {
		t.Errorf("on b are %v", got)
	}
	for _, c := range []struct {
		name string
		ref  Ref
		want string
	}{
		{"on both", Ref{ID: "S0003", Serial: "S0003"}, "ssh://a and ssh://b have a disk with the serial number S0003: one of them is a copy"},
		{"on none", Ref{ID: "S9", Serial: "S9"}, "no disk has the serial number S9"},
		{"refused on one", Ref{ID: "SYS", Serial: "SYS000000000001"}, "ssh://a: sda carries /"},
	} {
		resp, _ := planOn(t, on("ssh://a", "ssh://b"), two, c.ref)
		if got := problems(resp); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s; want %q", c.name, got, c.want)
		}
	}
}

func TestPlanRefuses(t *testing.T) {
	offline := on("")
	offline.Offline = true
	for _, c := range []struct {
		name string
		req  providers.PlanRequest
		refs []Ref
		want string
	}{
		{"one disk by two names", on(""), []Ref{good, {ID: "w", WWN: "5000000000000002"}}, "S0002 and w are one disk, sdb"},
		{"sandbox too small", on(""), []Ref{{ID: "sas-1", Group: "sas", Sandbox: "/sand", Capacity: 4096}}, "at least 1 MiB"},
		{"sandbox of half a block", offline, []Ref{{ID: "sas-1", Group: "sas", Sandbox: "/sand", Capacity: 1<<20 + 512}}, "whole blocks of 4 KiB"},
		{"no sandbox directory", on(""), []Ref{{ID: "sas-1", Sandbox: "/sand", Capacity: 1 << 20}}, "/sand does not exist"},
	} {
		resp, _ := planOn(t, c.req, nil, c.refs...)
		if got := problems(resp); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

// TestPlanOffline looks at nothing and promises the same paths.
func TestPlanOffline(t *testing.T) {
	req := on("ssh://nowhere")
	req.Offline = true
	resp := &providers.PlanResponse{}
	sandbox := Ref{ID: "sas-1", Group: "sas", Sandbox: "/sand", Capacity: 1 << 20}
	_, err := Plan(t.Context(), func(context.Context, string) (host.Host, error) {
		t.Error("a host was dialled")
		return nil, fs.ErrNotExist
	}, req, "disk", []Ref{good, sandbox}, resp)
	if err != nil || len(resp.Problems) > 0 {
		t.Fatal(err, resp.Problems)
	}
	if diff := cmp.Diff([]providers.Erase{{Host: "ssh://nowhere", Device: "/dev/assay/disk-S0002", Serial: "S0002", Model: "um511a", Size: 1920e9}}, resp.Erases); diff != "" {
		t.Error(diff)
	}
	if len(resp.Claims) != 2 || resp.Claims[0].Name != "disk:s0002" || resp.Claims[1].Name != "disk:/sand/sas-1" {
		t.Errorf("claims %v", resp.Claims)
	}
}

// TestGatherRefuses: what was not seen in whole is no picture.
func TestGatherRefuses(t *testing.T) {
	raw, err := os.ReadFile("testdata/server.txt")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(raw)
	for _, c := range []struct{ name, probe, want string }{
		{"nothing", "", "only a part"},
		{"cut off", whole[:len(whole)/2], "only a part"},
		{"no disks", "@@ user\n0\n@@ end\n", "only a part"},
		{"not root", strings.Replace(whole, "@@ user\n0\n", "@@ user\n1000\n", 1), "only root can look at the disks of ssh://x"},
		{"no wipefs", strings.Replace(whole, "@@ volumes\n", "unable\n@@ volumes\n", 1), "the disks of ssh://x cannot be looked at: there is no wipefs there"},
	} {
		if _, err := Gather(t.Context(), canned{address: "ssh://x", probe: c.probe}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
	if _, err := Gather(t.Context(), canned{probe: whole}); err != nil {
		t.Error(err)
	}
}

// TestNames: no two disks have one name, and no name is a path or an option.
func TestNames(t *testing.T) {
	seen := map[string]string{}
	for _, r := range []Ref{{ID: "S1"}, {ID: "S 1"}, {ID: "S/1"}, {ID: "../S1"}, {ID: "--S1"}, {ID: "sas-1"}, {ID: "sas-1", Sandbox: "/a"}, {ID: "sas-1", Sandbox: "/b"}, {ID: "碟"}, {ID: "盤"}} {
		name := r.name()
		if was, twice := seen[name]; twice {
			t.Errorf("%q and %q are both %q", was, r.ID, name)
		}
		seen[name] = r.ID
		if strings.ContainsAny(name, "/ ") || strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") {
			t.Errorf("%q is the name of %q", name, r.ID)
		}
	}
}

// FuzzParse: whatever a host prints, there is a picture, and no clause stumbles over it.
func FuzzParse(f *testing.F) {
	raw, err := os.ReadFile("testdata/server.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(raw))
	f.Add("@@ blocks\nsdb\tdev\t8:16\nsdb\tpg80\t\x80\n@@ mounts\nnamespace\tx\nclosed\n@@ signatures\nsdb,,,,\n@@ end\n")
	f.Add("@@ blocks\na\tholder\tb\nb\tholder\ta\na\tslave\tb\nb\tslave\ta\n@@ tree\nx -> a/b\n")
	f.Fuzz(func(t *testing.T, probe string) {
		p := parse(probe)
		_, _ = p.Claim(good)
		for _, d := range p.Devices {
			p.Refuse(d, consented)
			id := p.identity(d, good)
			if was, err := readIdentity(id.text()); err == nil && was.differs(id) != "" && strings.ToValidUTF8(id.text(), "") == id.text() {
				if again, err := readIdentity(was.text()); err != nil || again.differs(*was) != "" {
					t.Errorf("%q is not the same after it was written and read", id.text())
				}
			}
		}
	})
}
