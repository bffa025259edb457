package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/eval"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
)

const worldly = `
variable "world" {
  type      = string
  sensitive = true
  default   = "secret"
}
setup "fake_thing" "t" {}
test "fake" "t" {
  thing = setup.fake_thing.t.id
  count = 1
}
`

// TestConfigureAsPlanned: what was planned with one configuration is done with it, also from the plan alone.
func TestConfigureAsPlanned(t *testing.T) {
	for world, want := range map[string]string{`"w"`: "w", "null": ""} {
		p := build(t, worldly+`provider "fake" { world = `+world+` }`)
		dir := t.TempDir()
		set, err := providers.NewSet(t.Context(), dir, fake.New())
		if err != nil {
			t.Fatal(err)
		}
		if err := plan.Configure(t.Context(), set, p); err != nil {
			t.Fatal(err)
		}
		thing := p.Things[0]
		req := providers.ThingRequest{Target: providers.Target{Kind: "setup", Type: thing.Type, Address: thing.Instance}, Addresses: thing.Addresses}
		if err := set.For("setup", thing.Type).Prepare(t.Context(), req, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, ".assay", "fake", want, "world.log")); err != nil {
			t.Error(err)
		}
	}
}

// tryWith plans a spec with variables.
func tryWith(t *testing.T, spec string, vars ...eval.Input) *plan.Plan {
	t.Helper()
	built, diags, err := plan.Build(t.Context(), fakes(t), plan.Request{
		Sources: diag.Sources{"spec.assay.hcl": []byte(spec)}, Path: "spec", Variables: vars,
	})
	if err != nil || built == nil {
		t.Fatal(err, diags)
	}
	return built.Plan
}

// TestConfigureNeedsSecrets: a plan holds no sensitive value, so it cannot configure with one.
func TestConfigureNeedsSecrets(t *testing.T) {
	bare := strings.NewReplacer(`setup "fake_thing" "t" {}`, "", "thing = setup.fake_thing.t.id", "").Replace(worldly)
	p := tryWith(t, bare+`provider "fake" { world = var.world }`, eval.Input{Name: "world", Text: "hidden", Source: "--var"})
	raw, err := plan.Encode(p)
	if err != nil || strings.Contains(string(raw), "hidden") {
		t.Errorf("the secret stands in the plan, or %v", err)
	}
	if err := plan.Configure(t.Context(), fakes(t), p); err == nil || !strings.Contains(err.Error(), "sensitive") {
		t.Errorf("error %v", err)
	}
	open := build(t, worldly+`provider "fake" { world = "hidden" }`)
	if got := plan.ChangedProviders(open, p); len(got) != 1 || got[0] != `world of provider fake is sensitive and was "hidden"` {
		t.Errorf("difference %q", got)
	}
}

// TestConfigurationIsIdentity: the same setup of a provider that is configured otherwise is another thing; an empty block, or one that
// only says the defaults, changes nothing.
func TestConfigurationIsIdentity(t *testing.T) {
	id := func(block string) string { return build(t, worldly+block).Things[0].ID }
	bare := id("")
	for _, same := range []string{`provider "fake" {}`, `provider "fake" { world = null }`} {
		if id(same) != bare {
			t.Errorf("%s makes another thing", same)
		}
	}
	secret := tryWith(t, worldly+`provider "fake" { world = var.world }`, eval.Input{Name: "world", Text: "ab", Source: "--var"}) // too short to be looked for in commands
	if got := secret.Things[0].ID; got == bare || secret.Providers[0].SensitiveConfig[0] != "world" {
		t.Errorf("id %s with a sensitive configuration, %s without one", got, bare)
	}
	if a, b := id(`provider "fake" { world = "a" }`), id(`provider "fake" { world = "b" }`); a == bare || a == b {
		t.Errorf("ids %s, %s and %s", bare, a, b)
	}
}
