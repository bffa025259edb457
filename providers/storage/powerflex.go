package storage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/lang/unit"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/storage/powerflex"
	"github.com/zclconf/go-cty/cty"
)

// flex is setup "storage_powerflex": a part of a PowerFlex system that is there already, read and checked, and never changed. That it was
// checked for a run is noted in a file on this machine, which is what stands.
type flex struct {
	dir string // where the notes lie
}

// notesDir is where the notes lie, in assay's working directory.
const notesDir = ".assay/powerflex"

// pollEvery is how often a system that is not at rest is looked at again.
const pollEvery = 5 * time.Second

func (*flex) schema() schema.Type {
	return schema.Type{
		Name: "storage_powerflex",
		Doc: "A protection domain of a PowerFlex system with its storage pools and volumes. It must be there; it is read over REST from this machine, and never changed. " +
			"Where something is missing, or a rebuild runs, a device failed or a node is away, no test begins: its figures would be those of another system.",
		Body: schema.Block{Attributes: []schema.Attribute{
			{Name: "endpoint", Kind: schema.String, Required: true, Doc: "Where the gateway or PowerFlex Manager answers: https://HOST or https://HOST:PORT."},
			{Name: "login", Kind: schema.String, Default: powerflex.Gateway, Enum: []string{powerflex.Gateway, powerflex.Manager},
				Doc: "How to log in: at a gateway (up to 3.6), or at PowerFlex Manager (4)."},
			{Name: "username", Kind: schema.String, Required: true, Doc: "Who logs in. A user who may only look is enough."},
			{Name: "password", Kind: schema.String, Required: true, Sensitive: true, Doc: "From a sensitive variable."},
			{Name: "ca", Kind: schema.String, Doc: "File on this machine with the certificate, in PEM form, by which that of the server is checked."},
			{Name: "insecure", Kind: schema.Bool, Default: "false", Doc: "Do not check the server's certificate: whoever stands between could read the password."},
			{Name: "protection_domain", Kind: schema.String, Required: true, Doc: "The name of the protection domain."},
			{Name: "pools", Kind: schema.StringList, Required: true, Doc: "The names of the storage pools on which tests work."},
			{Name: "volumes", Kind: schema.StringList, Doc: "Names of volumes that must be in these pools and mapped to a host."},
			{Name: "nodes", Kind: schema.Integer, Min: "1", Doc: "How many storage nodes (SDS) the protection domain must have."},
			{Name: "devices", Kind: schema.Integer, Min: "1", Doc: "How many devices the pools must have together."},
			{Name: "wait", Kind: schema.Quantity, Dim: unit.Seconds, Default: "0s", Min: "0s", Doc: "How long to wait until rebuilds and rebalancing are over."},
		}},
		Outputs: []schema.Output{{Name: "protection_domain", Type: schema.String, Doc: "The name, as given."}},
	}
}

// flexConf is a configuration as it is used.
type flexConf struct {
	powerflex.Options
	powerflex.Want
	ca   string
	wait time.Duration
}

func flexConfOf(config cty.Value) flexConf {
	c := args{config}
	return flexConf{
		Options: powerflex.Options{
			Endpoint: strings.TrimSuffix(c.text("endpoint"), "/"), Login: c.text("login"), Username: c.text("username"), Password: c.text("password"),
			Insecure: c.is("insecure"),
		},
		Want: powerflex.Want{
			ProtectionDomain: c.text("protection_domain"), Pools: c.list("pools"), Volumes: c.list("volumes"),
			Nodes: int(c.number("nodes")), Devices: int(c.number("devices")),
		},
		ca: c.text("ca"), wait: time.Duration(c.number("wait") * float64(time.Second)),
	}
}

// check says what is wrong with a configuration as it stands.
func (s flexConf) check() (problems []providers.Problem) {
	wrong := func(attribute, summary, detail string, args ...any) {
		problems = append(problems, providers.Problem{Attribute: attribute, Summary: summary, Detail: fmt.Sprintf(detail, args...)})
	}
	u, err := url.Parse(s.Endpoint)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		wrong("endpoint", "Not an endpoint", "Expected https://HOST or https://HOST:PORT and nothing more; the name and password have arguments of their own.")
	}
	if s.ca != "" && s.Insecure {
		wrong("ca", "Checked and not checked", "ca says how the certificate is checked, and insecure that it is not. Leave one of them out.")
	}
	if s.ca != "" && !filepath.IsAbs(s.ca) {
		wrong("ca", "Relative path", "%q depends on where assay is started; expected an absolute path.", s.ca)
	}
	if len(s.Pools) == 0 {
		wrong("pools", "No storage pool", "Name the storage pools on which tests work.")
	}
	for attribute, list := range map[string][]string{"pools": s.Pools, "volumes": s.Volumes} {
		for i, name := range list {
			if name == "" || slices.Contains(list[:i], name) {
				wrong(attribute, "Not a list of names", "%q is empty or given twice; name each once.", name)
				break
			}
		}
	}
	return problems
}

// read logs in and looks.
func (s flexConf) read(ctx context.Context) (*powerflex.State, error) {
	o := s.Options
	if s.ca != "" {
		var err error
		if o.CA, err = os.ReadFile(s.ca); err != nil {
			return nil, fmt.Errorf("ca: %w", err)
		}
	}
	c, err := powerflex.Login(ctx, o)
	if err != nil {
		return nil, err
	}
	return powerflex.Read(ctx, c, s.Want)
}

// systemKey is where Expect has the id of the system that the plan saw.
const systemKey = "powerflex:system"

func (f *flex) plan(ctx context.Context, _ host.Dialer, req providers.PlanRequest) (*providers.PlanResponse, error) {
	s := flexConfOf(req.Config)
	resp := &providers.PlanResponse{
		Outputs:  cty.ObjectVal(map[string]cty.Value{"protection_domain": cty.StringVal(s.ProtectionDomain)}),
		Expect:   map[string]string{},
		Problems: s.check(),
	}
	if len(resp.Problems) > 0 {
		return resp, nil
	}
	login := "GET " + s.Endpoint + "/api/login"
	if s.Login == powerflex.Manager {
		login = "POST " + s.Endpoint + "/rest/auth/login"
	}
	resp.Commands = append(resp.Commands, providers.Command{HTTP: login})
	for _, p := range powerflex.Paths(len(s.Pools)) {
		resp.Commands = append(resp.Commands, providers.Command{HTTP: "GET " + s.Endpoint + p})
	}
	resp.Commands = append(resp.Commands, providers.Command{Manual: "note below " + notesDir + " that it was checked"})
	resp.ReleaseCommands = []providers.Command{{Manual: "remove the note; the system stays as it is"}}
	for _, p := range s.Pools {
		resp.Claims = append(resp.Claims, providers.Claim{Name: "powerflex:" + s.Endpoint + ":" + s.ProtectionDomain + ":" + p, Standing: true})
	}
	if s.Insecure {
		resp.Problems = append(resp.Problems, providers.Problem{Warning: true, Attribute: "insecure", Summary: "Certificate is not checked",
			Detail: "Whoever stands between this machine and " + s.Endpoint + " can read the password. Give the certificate of its authority as ca."})
	}
	if req.Offline {
		return resp, nil
	}
	st, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	resp.Expect[systemKey] = st.SystemID
	for _, m := range st.Missing {
		resp.Problems = append(resp.Problems, providers.Problem{Summary: "Not as the spec expects", Detail: "On " + s.Endpoint + " " + m + "."})
	}
	for _, u := range st.Unfit {
		resp.Problems = append(resp.Problems, providers.Problem{Warning: true, Summary: "Not fit to be measured now",
			Detail: "On " + s.Endpoint + " " + u + ". While that is so, apply begins no test on it; with wait it waits for the end."})
	}
	return resp, nil
}

func (f *flex) prepare(ctx context.Context, dial host.Dialer, req providers.ThingRequest, sink providers.Sink) error {
	s := flexConfOf(req.Config)
	for _, p := range s.check() {
		return fmt.Errorf("%s: %s", p.Summary, p.Detail)
	}
	began := time.Now()
	for {
		st, err := s.read(ctx)
		if err != nil {
			return err
		}
		if want := req.Expect[systemKey]; want != "" && st.SystemID != want {
			return fmt.Errorf("%s answers for the system %s, and the plan was made for %s; plan again", s.Endpoint, st.SystemID, want)
		}
		fit := len(st.Unfit) == 0
		if len(st.Missing) > 0 || fit || time.Since(began) >= s.wait {
			if err := keep(sink, st.Answers); err != nil {
				return err
			}
			if why := append(st.Missing, st.Unfit...); len(why) > 0 {
				return fmt.Errorf("%s is not fit to be measured: %s", s.Endpoint, strings.Join(why, "; "))
			}
			return f.note(ctx, dial, req.ID, s)
		}
		sink.Progress(-1, "waiting, since "+st.Unfit[0])
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(min(pollEvery, s.wait)):
		}
	}
}

// keep writes what the system answered into the record.
func keep(sink providers.Sink, answers map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(answers)) {
		w, err := sink.Artifact(name + ".json")
		if err != nil {
			return err
		}
		_, err = w.Write(answers[name])
		if err := errors.Join(err, w.Close()); err != nil {
			return err
		}
	}
	return nil
}

// checked is the note that a system was checked.
type checked struct {
	FormatVersion int      `json:"format_version"` // 1
	ID            string   `json:"id"`             // of the standing thing
	Endpoint      string   `json:"endpoint"`
	Domain        string   `json:"protection_domain"`
	Pools         []string `json:"pools"`
}

func (f *flex) file(id string) string { return filepath.Join(f.dir, id+".json") }

func (f *flex) note(ctx context.Context, dial host.Dialer, id string, s flexConf) error {
	data, err := json.Marshal(checked{1, id, s.Endpoint, s.ProtectionDomain, s.Pools})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o755); err != nil {
		return err
	}
	h, err := dial(ctx, "")
	if err != nil {
		return err
	}
	return errors.Join(h.WriteFile(ctx, f.file(id), append(data, '\n'), 0o644), h.Close())
}

func (f *flex) inspect(_ context.Context, _ host.Dialer, req providers.ThingRequest) (*providers.InspectResponse, error) {
	_, err := os.Stat(f.file(req.ID))
	if isAbsent(err) {
		return &providers.InspectResponse{Standing: providers.Absent}, nil
	}
	return &providers.InspectResponse{Standing: providers.Stands}, err
}

func (f *flex) release(_ context.Context, _ host.Dialer, req providers.ThingRequest, _ providers.Sink) error {
	if err := os.Remove(f.file(req.ID)); !isAbsent(err) {
		return err
	}
	return nil
}
