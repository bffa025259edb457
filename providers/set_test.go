package providers_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// double is a provider of which only the schema matters, and how it is configured.
type double struct {
	providers.Provider
	schema *schema.Provider
	got    []providers.ConfigureRequest
	err    error
}

func (d *double) Schema(context.Context) (*schema.Provider, error) { return d.schema, d.err }

func (d *double) Configure(_ context.Context, req providers.ConfigureRequest) error {
	d.got = append(d.got, req)
	return d.err
}

func named(name string, setups ...string) *double {
	d := &double{schema: &schema.Provider{Name: name}}
	for _, s := range setups {
		d.schema.Setups = append(d.schema.Setups, schema.Type{Name: s})
	}
	return d
}

func TestSetIsUnique(t *testing.T) {
	for want, list := range map[string][]providers.Provider{
		"":                                  {named("a", "x"), named("b", "y")},
		`two providers of the name "a"`:     {named("a"), named("a")},
		`b declares the setup type "x"`:     {named("a", "x"), named("b", "x")},
		"reading a provider's schema: lost": {&double{err: errors.New("lost")}},
	} {
		_, err := providers.NewSet(t.Context(), "/dir", list...)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestSetConfiguresOnce(t *testing.T) {
	a, b := named("a", "a_thing"), named("b", "b_thing")
	set, err := providers.NewSet(t.Context(), "/dir", a, b)
	if err != nil {
		t.Fatal(err)
	}
	one, two := cty.ObjectVal(map[string]cty.Value{"x": cty.StringVal("1")}), cty.ObjectVal(map[string]cty.Value{"x": cty.StringVal("2")})
	for range 2 {
		if err := set.Configure(t.Context(), "a", one); err != nil {
			t.Fatal(err)
		}
	}
	if len(a.got) != 1 || len(b.got) != 0 || a.got[0].Dir != "/dir" || !a.got[0].Config.RawEquals(one) {
		t.Errorf("configured %+v and %+v", a.got, b.got)
	}
	if err := set.Configure(t.Context(), "a", two); err == nil || !strings.Contains(err.Error(), "configured already") {
		t.Errorf("another configuration: %v", err)
	}
	if err := set.Configure(t.Context(), "c", one); err == nil {
		t.Error("a provider that is not there is configured")
	}
	b.err = &providers.Refused{Problems: []providers.Problem{{Attribute: "x", Summary: "Wrong", Detail: "It is 1."}, {Summary: "Also", Detail: "Wrong."}}}
	var refused *providers.Refused
	err = set.Configure(t.Context(), "b", one)
	if !errors.As(err, &refused) || err.Error() != "configuring provider b: x: Wrong: It is 1.\nAlso: Wrong." {
		t.Errorf("refused: %v", err)
	}
	if b.err = nil; set.Configure(t.Context(), "b", two) != nil { // what was refused is not configured
		t.Error("a second try is refused")
	}
	if set.For("setup", "a_thing") != providers.Provider(a) || set.Type("setup", "b_thing") == nil || set.For("setup", "c") != nil {
		t.Error("the set does not find what is in it")
	}
}
