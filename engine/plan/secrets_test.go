package plan

import (
	"testing"

	"github.com/assay-bench/assay/lang/spec"
	"github.com/assay-bench/assay/providers"
	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

// TestHide: a secret is shown neither in environment nor standard input, and what stands beside it is.
func TestHide(t *testing.T) {
	inst := &spec.Instance{
		Config: cty.ObjectVal(map[string]cty.Value{
			"env": cty.MapVal(map[string]cty.Value{"PASSWORD": cty.StringVal("hunter22"), "PIN": cty.StringVal("12"), "USER": cty.StringVal("bench")}),
		}),
		Secret: []cty.Path{
			cty.GetAttrPath("env").Index(cty.StringVal("PASSWORD")), cty.GetAttrPath("env").Index(cty.StringVal("PIN")),
		},
	}
	answer := func() *providers.PlanResponse {
		return &providers.PlanResponse{
			Commands: []providers.Command{
				{Argv: []string{"sql", "12"}, Env: []string{"PASSWORD=hunter22", "PIN=12", "PORT=3126", "USER=bench"}, Stdin: "select 12"},
				{Argv: []string{"sql"}, Stdin: "set password hunter22;"},
			},
			SwitchCommands: map[string][]providers.Command{providers.AnyState: {{Argv: []string{"sql"}, Stdin: "hunter22"}}},
		}
	}
	got := answer()
	hide(inst, nil, got)
	want := answer()
	want.Commands[0].Env = []string{"PASSWORD=(sensitive)", "PIN=(sensitive)", "PORT=3126", "USER=bench"}
	want.Commands[1].Stdin = "(sensitive)"
	want.SwitchCommands[providers.AnyState][0].Stdin = "(sensitive)"
	if d := cmp.Diff(want.Commands, got.Commands); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want.SwitchCommands, got.SwitchCommands); d != "" {
		t.Error(d)
	}
	own := answer()
	hide(&spec.Instance{}, &spec.Provider{Config: inst.Config, Secret: inst.Secret}, own)
	if d := cmp.Diff(want.Commands, own.Commands); d != "" {
		t.Errorf("what is sensitive in the provider's configuration: %s", d)
	}
	if shows(got, "hunter22") {
		t.Error("the hidden secret is said to show")
	}
	if !shows(&providers.PlanResponse{ReleaseCommands: []providers.Command{{Argv: []string{"sql", "-phunter22"}}}}, "hunter22") {
		t.Error("a secret in argv is not seen")
	}
	if got, want := CommandLine(providers.Command{On: "ssh://h", Dir: "/srv", Env: []string{"A=1", "B=x y"}, Argv: []string{"sql"}, Stdin: "1;"}),
		`ssh://h /srv$ A=1 B='x y' sql <<< '1;'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
