package storage

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/assay-bench/assay/providers/storage/powerflex/powerflexdouble"
)

// serveFlex starts the double, and gives a configuration that fits it.
func serveFlex(t *testing.T, s *powerflexdouble.System) map[string]any {
	t.Helper()
	server, ca := s.Serve()
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(file, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"endpoint": server.URL, "username": s.Username, "password": s.Password, "ca": file, "protection_domain": s.Domain,
		"pools": []string{"pool-1", "pool-2"}, "volumes": []string{"data01", "data10"}, "nodes": 5, "devices": 50,
	}
}

func flexTarget(t *testing.T, values map[string]any) providers.Target {
	t.Helper()
	return providers.Target{
		Kind: "setup", Type: "storage_powerflex", Address: addr.Instance{Block: addr.Block{Kind: "setup", Type: "storage_powerflex", Name: "flex"}},
		Config: providertest.Config(t, (&flex{}).schema().Body, values),
	}
}

func flexProvider(t *testing.T) providers.Provider {
	t.Helper()
	p := newProvider()
	if err := p.Configure(t.Context(), providers.ConfigureRequest{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPowerFlex: whatever is not as it was wanted is said in the plan, and apply begins nothing on it.
func TestPowerFlex(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*powerflexdouble.System)
		values  map[string]any
		missing string // an error of the plan
		unfit   string // a warning of the plan
	}{
		{name: "as it should be"},
		{name: "by the manager", values: map[string]any{"login": "manager"}},
		{name: "no such domain", values: map[string]any{"protection_domain": "domain-2"}, missing: `there is no protection domain "domain-2"; there is domain-1, other`},
		{name: "no such pool", values: map[string]any{"pools": []string{"pool-1", "elsewhere"}}, missing: `the protection domain domain-1 has no storage pool "elsewhere"; it has pool-1, pool-2`},
		{name: "no such volume", values: map[string]any{"volumes": []string{"data11"}}, missing: `there is no volume "data11"; there is data01, data02, data03, data04, data05, data06, data07, data08 and 2 more`},
		{name: "volume in another pool", values: map[string]any{"pools": []string{"pool-1"}, "devices": nil}, missing: "the volume data10 is in none of the storage pools pool-1"},
		{name: "volume without a host", change: func(s *powerflexdouble.System) { s.Volumes[9].Mapped = 0 }, missing: "the volume data10 is mapped to no host"},
		{name: "a node too few", change: func(s *powerflexdouble.System) { s.Nodes = s.Nodes[:4] }, missing: "domain-1 has 4 storage nodes, and 5 are expected"},
		{name: "a device too few", change: func(s *powerflexdouble.System) { s.Pools[1].Devices-- }, missing: "the storage pools have 49 devices, and 50 are expected"},
		{name: "the cluster", change: func(s *powerflexdouble.System) { s.Cluster = "ClusteredDegraded" }, unfit: "its metadata cluster is ClusteredDegraded"},
		{name: "the domain", change: func(s *powerflexdouble.System) { s.DomainIs = "Inactive" }, unfit: "the protection domain domain-1 is Inactive"},
		{name: "a node is away", change: func(s *powerflexdouble.System) { s.Nodes[2].Connection = "Disconnected" }, unfit: "the node node-3 is Normal, Joined and Disconnected"},
		{name: "a node leaves", change: func(s *powerflexdouble.System) { s.Nodes[2].Membership = "Decoupled" }, unfit: "the node node-3 is Normal, Decoupled"},
		{name: "a node is removed", change: func(s *powerflexdouble.System) { s.Nodes[2].State = "RemovePending" }, unfit: "the node node-3 is RemovePending"},
		{name: "maintenance", change: func(s *powerflexdouble.System) { s.Nodes[4].Maintenance = "InMaintenance" }, unfit: "the node node-5 is in maintenance (InMaintenance)"},
		{name: "rebuild", change: func(s *powerflexdouble.System) { s.Rebuilds = 1000 }, unfit: "the storage pool pool-1 is not at rest: activeBckRebuildCapacityInKb = 4096"},
		{name: "rebalance waits", change: stat("pendingRebalanceCapacityInKb"), unfit: "pool-2 is not at rest: pendingRebalanceCapacityInKb = 8"},
		{name: "jobs", change: stat("activeMovingInFwdRebuildJobs"), unfit: "activeMovingInFwdRebuildJobs = 8"},
		{name: "a copy is lost", change: stat("degradedHealthyCapacityInKb"), unfit: "degradedHealthyCapacityInKb = 8"},
		{name: "data are lost", change: stat("failedCapacityInKb"), unfit: "failedCapacityInKb = 8"},
		{name: "capacity in maintenance", change: stat("inMaintenanceCapacityInKb"), unfit: "inMaintenanceCapacityInKb = 8"},
		{name: "what is no work", change: stat("fwdRebuildCapacityInKb")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := powerflexdouble.New()
			if c.change != nil {
				c.change(s)
			}
			values := serveFlex(t, s)
			for name, v := range c.values {
				values[name] = v
			}
			p, target := flexProvider(t), flexTarget(t, values)
			res, err := p.Plan(t.Context(), providers.PlanRequest{Target: target})
			if err != nil {
				t.Fatal(err)
			}
			var missing, unfit []string
			for _, problem := range res.Problems {
				if problem.Warning {
					unfit = append(unfit, problem.Detail)
				} else {
					missing = append(missing, problem.Detail)
				}
			}
			for _, x := range []struct {
				got  []string
				want string
			}{{missing, c.missing}, {unfit, c.unfit}} {
				if all := strings.Join(x.got, "\n"); (x.want == "") != (all == "") || !strings.Contains(all, x.want) {
					t.Errorf("the plan says %q, want %q", all, x.want)
				}
			}
			req := providers.ThingRequest{Target: target, ID: "flex-1", Outputs: res.Outputs, Expect: res.Expect}
			sink := providertest.NewSink(t.TempDir())
			err = p.Prepare(t.Context(), req, sink)
			if bad := c.missing + c.unfit; (bad == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), bad) {
				t.Fatalf("Prepare: %v, want %q", err, bad)
			}
			if !strings.Contains(string(sink.Data("system.json")), "a double, no DellEMC PowerFlex") {
				t.Error("what the system answered is not kept")
			}
			want := providers.Absent
			if err == nil {
				want = providers.Stands
			}
			if at, err := p.Inspect(t.Context(), req); err != nil || at.Standing != want {
				t.Errorf("Inspect: %v %v, want %s", at, err, want)
			}
			for _, r := range s.Requests {
				if strings.HasPrefix(r, "GET ") || r == "POST /rest/auth/login" {
					continue
				}
				t.Errorf("assay did %s, and it is to look only", r)
			}
		})
	}
}

func stat(key string) func(*powerflexdouble.System) {
	return func(s *powerflexdouble.System) { s.Pools[1].Statistics = map[string]any{key: 8} }
}

// TestPowerFlexWaits: a rebuild that ends within the time is waited for; one that does not ends with what it waited for.
func TestPowerFlexWaits(t *testing.T) {
	for wait, ends := range map[string]bool{"1s": true, "0s": false} {
		s := powerflexdouble.New()
		s.Rebuilds = 2 // one reading of two pools
		values := serveFlex(t, s)
		values["wait"] = wait
		req := providers.ThingRequest{Target: flexTarget(t, values), ID: "flex-1"}
		err := flexProvider(t).Prepare(t.Context(), req, providertest.NewSink(t.TempDir()))
		if ends != (err == nil) || err != nil && !strings.Contains(err.Error(), "is not at rest") {
			t.Errorf("wait %s: %v", wait, err)
		}
	}
	s := powerflexdouble.New()
	s.Rebuilds = 1 << 30
	values := serveFlex(t, s)
	values["wait"] = "1h"
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	req := providers.ThingRequest{Target: flexTarget(t, values), ID: "flex-1"}
	if err := flexProvider(t).Prepare(ctx, req, providertest.NewSink(t.TempDir())); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it goes on although its context has ended: %v", err)
	}
}

// TestPowerFlexWorld: a system that cannot be read is an error with the address, and never with the password.
func TestPowerFlexWorld(t *testing.T) {
	for name, c := range map[string]struct {
		values map[string]any
		want   string
	}{
		"wrong password":       {map[string]any{"password": "hunter2"}, "logging in as monitor: GET https://127.0.0.1:"},
		"wrong at the manager": {map[string]any{"password": "hunter2", "login": "manager"}, "status 401 Unauthorized: Unauthorized"},
		"not trusted":          {map[string]any{"ca": nil}, "certificate"},
		"no file":              {map[string]any{"ca": "/nowhere/ca.pem"}, "ca: open /nowhere/ca.pem"},
		"nobody there":         {map[string]any{"endpoint": "https://127.0.0.1:1"}, "connection refused"},
	} {
		values := serveFlex(t, powerflexdouble.New())
		for k, v := range c.values {
			values[k] = v
		}
		_, err := flexProvider(t).Plan(t.Context(), providers.PlanRequest{Target: flexTarget(t, values)})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	// Another system than the plan saw.
	values := serveFlex(t, powerflexdouble.New())
	req := providers.ThingRequest{Target: flexTarget(t, values), ID: "flex-1", Expect: map[string]string{systemKey: "another"}}
	if err := flexProvider(t).Prepare(t.Context(), req, providertest.NewSink(t.TempDir())); err == nil || !strings.Contains(err.Error(), "the plan was made for another; plan again") {
		t.Errorf("another system: %v", err)
	}
}

// TestPowerFlexOffline: the plan has every request, and makes none.
func TestPowerFlexOffline(t *testing.T) {
	s := powerflexdouble.New()
	values := serveFlex(t, s)
	res, err := flexProvider(t).Plan(t.Context(), providers.PlanRequest{Target: flexTarget(t, values), Offline: true})
	if err != nil || len(res.Problems) > 0 || len(s.Requests) > 0 {
		t.Fatalf("%v, %v, requests %v", err, res.Problems, s.Requests)
	}
	var planned []string
	for _, c := range res.Commands {
		if c.HTTP == "" {
			continue
		}
		path, _ := strings.CutPrefix(strings.Replace(c.HTTP, values["endpoint"].(string), "", 1), "")
		planned = append(planned, strings.Split(path, "::")[0])
	}
	if err := flexProvider(t).Prepare(t.Context(), providers.ThingRequest{Target: flexTarget(t, values), ID: "x"}, providertest.NewSink(t.TempDir())); err != nil {
		t.Fatal(err)
	}
	var made []string
	for _, r := range s.Requests {
		made = append(made, strings.Split(r, "::")[0])
	}
	slices.Sort(planned)
	slices.Sort(made)
	if !slices.Equal(planned, made) {
		t.Errorf("planned are\n%s\nand made were\n%s", strings.Join(planned, "\n"), strings.Join(made, "\n"))
	}
}
