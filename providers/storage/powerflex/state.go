package powerflex

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strings"
)

// Want is what of a system tests will use.
type Want struct {
	ProtectionDomain string
	Pools            []string // storage pools of the domain
	Volumes          []string // of these pools
	Nodes            int      // storage nodes (SDS) of the domain; 0: any number
	Devices          int      // their devices in these pools together; 0: any number
}

// State is what was read, each answer verbatim by a name, and what follows from it.
type State struct {
	SystemID string
	Answers  map[string][]byte // system, protection_domain, pool-1, statistics-1, …, nodes, volumes
	// Missing are what is not there or not as it was wanted: no waiting helps.
	Missing []string
	// Unfit are reasons why what is measured now would not count: a rebuild that runs, a device that failed.
	Unfit []string
}

// The instances, as far as they are looked at.
type (
	system struct {
		ID         string `json:"id"`
		Name       string `json:"name"`
		MDMCluster struct {
			State string `json:"clusterState"`
		} `json:"mdmCluster"`
	}
	domain struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		State string `json:"protectionDomainState"`
	}
	pool struct {
		ID     string `json:"id"`
		Name   string `json:"name"`
		Domain string `json:"protectionDomainId"`
	}
	node struct {
		Name        string `json:"name"`
		Domain      string `json:"protectionDomainId"`
		State       string `json:"sdsState"`
		Membership  string `json:"membershipState"`
		Connection  string `json:"mdmConnectionState"`
		Maintenance string `json:"maintenanceState"`
	}
	volume struct {
		Name   string            `json:"name"`
		Pool   string            `json:"storagePoolId"`
		Mapped []json.RawMessage `json:"mappedSdcInfo"`
	}
)

// Paths are the requests that Read makes once it is logged in; POOL-ID stands for what is known only then.
func Paths(pools int) []string {
	out := []string{instances("System"), instances("ProtectionDomain"), instances("StoragePool")}
	for range pools {
		out = append(out, statistics("POOL-ID"))
	}
	return append(out, instances("Sds"), instances("Volume"))
}

func instances(kind string) string { return "/api/types/" + kind + "/instances" }

func statistics(pool string) string {
	return "/api/instances/StoragePool::" + url.PathEscape(pool) + "/relationships/Statistics"
}

// Read looks at a system. An error means that it could not be read; what is wrong with it stands in the state.
func Read(ctx context.Context, c *Client, w Want) (*State, error) {
	r := &reader{ctx: ctx, c: c, State: &State{Answers: map[string][]byte{}}}
	var systems []system
	var domains []domain
	var pools []pool
	var nodes []node
	var volumes []volume
	r.read("system", instances("System"), &systems)
	r.read("protection_domain", instances("ProtectionDomain"), &domains)
	r.read("pools", instances("StoragePool"), &pools)
	r.read("nodes", instances("Sds"), &nodes)
	r.read("volumes", instances("Volume"), &volumes)
	if r.err != nil {
		return nil, r.err
	}
	if len(systems) != 1 {
		return nil, fmt.Errorf("the endpoint answers for %d systems, and just one is expected", len(systems))
	}
	r.SystemID = systems[0].ID
	if s := systems[0].MDMCluster.State; !strings.HasPrefix(s, "ClusteredNormal") {
		r.unfit("its metadata cluster is %s and not ClusteredNormal", said(s))
	}
	at := slices.IndexFunc(domains, func(d domain) bool { return d.Name == w.ProtectionDomain })
	if at < 0 {
		r.missing("there is no protection domain %q; there is %s", w.ProtectionDomain, names(domains, func(d domain) string { return d.Name }))
		return r.State, nil
	}
	d := domains[at]
	if d.State != "Active" {
		r.unfit("the protection domain %s is %s and not Active", d.Name, said(d.State))
	}
	r.nodes(nodes, d, w)
	used := r.pools(pools, d, w)
	r.volumes(volumes, used, w)
	return r.State, r.err
}

type reader struct {
	*State
	ctx context.Context
	c   *Client
	err error
}

func (r *reader) missing(format string, args ...any) {
	r.Missing = append(r.Missing, fmt.Sprintf(format, args...))
}

func (r *reader) unfit(format string, args ...any) {
	r.Unfit = append(r.Unfit, fmt.Sprintf(format, args...))
}

// read asks for a path and keeps the answer under a name. After an error it does nothing.
func (r *reader) read(name, path string, into any) {
	if r.err != nil {
		return
	}
	raw, err := r.c.Get(r.ctx, path)
	if err == nil {
		if err = json.Unmarshal(raw, into); err != nil {
			err = fmt.Errorf("GET %s%s: the answer is not what PowerFlex gives: %w", r.c.base, path, err)
		}
	}
	r.Answers[name], r.err = raw, err
}

func (r *reader) nodes(all []node, d domain, w Want) {
	n := 0
	for _, s := range all {
		if s.Domain != d.ID {
			continue
		}
		n++
		if s.State != "Normal" || s.Membership != "Joined" || s.Connection != "Connected" {
			r.unfit("the node %s is %s, %s and %s, and not Normal, Joined and Connected", s.Name, said(s.State), said(s.Membership), said(s.Connection))
		}
		if s.Maintenance != "" && s.Maintenance != "NoMaintenance" {
			r.unfit("the node %s is in maintenance (%s)", s.Name, s.Maintenance)
		}
	}
	if w.Nodes > 0 && n != w.Nodes {
		r.missing("the protection domain %s has %d storage nodes, and %d are expected", d.Name, n, w.Nodes)
	}
}

// pools looks at the pools that are wanted and gives them by id.
func (r *reader) pools(all []pool, d domain, w Want) map[string]pool {
	used := map[string]pool{}
	devices := 0
	for i, name := range w.Pools {
		at := slices.IndexFunc(all, func(p pool) bool { return p.Name == name && p.Domain == d.ID })
		if at < 0 {
			here := slices.DeleteFunc(slices.Clone(all), func(p pool) bool { return p.Domain != d.ID })
			r.missing("the protection domain %s has no storage pool %q; it has %s", d.Name, name, names(here, func(p pool) string { return p.Name }))
			continue
		}
		p := all[at]
		used[p.ID] = p
		var figures map[string]json.RawMessage
		r.read(fmt.Sprintf("statistics-%d", i+1), statistics(p.ID), &figures)
		devices += int(number(figures["numOfDevices"]))
		for _, key := range slices.Sorted(maps.Keys(figures)) {
			if v := number(figures[key]); v != 0 && atWork(key) {
				r.unfit("the storage pool %s is not at rest: %s = %g", name, key, v)
			}
		}
	}
	if w.Devices > 0 && len(used) == len(w.Pools) && devices != w.Devices && r.err == nil {
		r.missing("the storage pools have %d devices, and %d are expected", devices, w.Devices)
	}
	return used
}

// atWork reports whether a figure of a pool's statistics must be 0 for it to be at rest and whole: capacity and jobs that are being rebuilt
// or moved or wait for that, and capacity without its copy.
func atWork(key string) bool {
	if !strings.HasSuffix(key, "CapacityInKb") && !strings.HasSuffix(key, "Jobs") && !strings.HasSuffix(key, "jobs") {
		return false
	}
	low := strings.ToLower(key)
	moving := strings.HasPrefix(low, "active") || strings.HasPrefix(low, "pending")
	return moving && (strings.Contains(low, "rebuild") || strings.Contains(low, "rebalance")) ||
		strings.HasPrefix(low, "degraded") || strings.HasPrefix(low, "failed") || strings.HasPrefix(low, "inmaintenance")
}

func (r *reader) volumes(all []volume, used map[string]pool, w Want) {
	for _, name := range w.Volumes {
		at := slices.IndexFunc(all, func(v volume) bool { return v.Name == name })
		switch {
		case at < 0:
			r.missing("there is no volume %q; there is %s", name, names(all, func(v volume) string { return v.Name }))
		case used[all[at].Pool].ID == "" && len(used) == len(w.Pools):
			r.missing("the volume %s is in none of the storage pools %s", name, strings.Join(w.Pools, ", "))
		case len(all[at].Mapped) == 0:
			r.missing("the volume %s is mapped to no host", name)
		}
	}
}

func number(raw json.RawMessage) float64 {
	var f float64
	if json.Unmarshal(raw, &f) != nil {
		return 0
	}
	return f
}

func said(s string) string {
	if s == "" {
		return "in a state that is not told"
	}
	return s
}

func names[T any](all []T, name func(T) string) string {
	var out []string
	for _, x := range all {
		out = append(out, name(x))
	}
	if len(out) == 0 {
		return "none"
	}
	sort.Strings(out)
	const few = 8
	if len(out) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(out[:few], ", "), len(out)-few)
	}
	return strings.Join(out, ", ")
}
