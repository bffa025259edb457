package command_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/command"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
)

// values are those of a case; dir stands for its place.
func values(f func(dir string) map[string]any) func(providertest.Place) map[string]any {
	return func(p providertest.Place) map[string]any { return f(p.Dir) }
}

func argv(words ...string) map[string]any { return map[string]any{"argv": words} }

func with(m map[string]any, name string, value any) map[string]any {
	m[name] = value
	return m
}

// ls says what is in a directory, by which a thing of two files is whole, partial or absent.
func ls(dir string) map[string]any {
	return map[string]any{"argv": []string{"ls", dir}, "standing": `one\ntwo`, "partial": "one|two"}
}

func thing(dir string) map[string]any {
	return map[string]any{
		"create":   []map[string]any{argv("touch", dir+"/one"), with(argv("cp", "-v", dir+"/one", dir+"/two"), "expect", []string{"-> "})},
		"inspect":  ls(dir),
		"destroy":  []map[string]any{argv("rm", dir+"/one"), argv("rm", dir+"/two")},
		"outputs":  map[string]any{"path": dir + "/one", "size": 3},
		"claims":   []string{"network"},
		"shares":   []string{"switch:1"},
		"estimate": "1s",
	}
}

// person does what a person is asked for: the words of a command.
func person(what string) error {
	_, err := host.Local().Run(context.Background(), host.Cmd{Argv: strings.Fields(what)})
	return err
}

func newProvider() providers.Provider { return command.New(host.Dial) }

func TestMain(m *testing.M) { providertest.Main(m, newProvider) }

func TestConformance(t *testing.T) {
	made := providertest.Thing{Name: "files", Type: "command", Values: values(thing), Partial: func(t testing.TB, p providers.Provider, req providers.ThingRequest) {
		t.Helper()
		dir := req.Outputs.GetAttr("outputs").AsValueMap()["path"].AsString()
		if _, err := host.Local().Run(t.Context(), host.Cmd{Argv: []string{"touch", dir}}); err != nil {
			t.Fatal(err)
		}
	}}
	rate := map[string]any{"name": "rate", "pattern": `rate (\S+)`, "unit": "MB/s", "better": "higher"}
	measured := func(words ...string) func(providertest.Place) map[string]any {
		return values(func(string) map[string]any {
			return map[string]any{"argv": words, "estimate": "1s", "measure": []map[string]any{rate, {"name": "time", "elapsed": true, "unit": "s"}}}
		})
	}
	providertest.RunBoth(t, newProvider, providertest.Cases{
		Offline: func(_ testing.TB, dial host.Dialer) providers.Provider { return command.New(dial) },
		Things: []providertest.Thing{
			made,
			{Name: "state", Type: "command", Values: values(func(dir string) map[string]any {
				v := thing(dir)
				v["slot"], v["state"] = "cache", "on"
				v["switch"] = []map[string]any{with(argv("touch", dir+"/one", dir+"/two"), "leaves", "off")}
				return v
			})},
			{Name: "hand", Type: "command_manual", Person: person, Values: values(func(dir string) map[string]any {
				return map[string]any{
					"instructions": "touch " + dir + "/one " + dir + "/two", "undo": "rm -f " + dir + "/one " + dir + "/two", "inspect": ls(dir),
					"outputs": map[string]any{"path": dir + "/one"}, "slot": "cable", "state": "left",
				}
			}), Partial: func(t testing.TB, p providers.Provider, req providers.ThingRequest) {
				if err := person("touch " + req.Outputs.GetAttr("outputs").AsValueMap()["path"].AsString()); err != nil {
					t.Fatal(err)
				}
			}},
			{Name: "data", Kind: "dataset", Type: "command", Yields: []string{"rows", "time"}, Values: values(func(dir string) map[string]any {
				return map[string]any{
					"load": []map[string]any{argv("touch", dir+"/one", dir+"/two"),
						with(with(argv("tee", "-a", dir+"/two"), "stdin", "loaded 12 rows\n"), "expect", []string{"loaded"})},
					"inspect": ls(dir), "remove": argv("rm", "-f", dir+"/one", dir+"/two"),
					"measure": []map[string]any{{"name": "rows", "pattern": `loaded (\d+) rows`}, {"name": "time", "elapsed": true, "unit": "s"}},
				}
			})},
		},
		Tests: []providertest.Test{
			{
				Name: "environment", Type: "command", On: &made, Yields: []string{"rate", "share"},
				Values: func(p providertest.Place) map[string]any {
					return map[string]any{
						"argv": []string{"cat", "secret", "-"}, "files": map[string]any{"secret": "rate 3.5\n"}, "stdin": "{\"a\": {\"x\": 1, \"y\": 2}}\nbye\n",
						"before": argv("ls", p.Outputs.GetAttr("outputs").AsValueMap()["path"].AsString()), "expect": []string{"^bye$"}, "fail_if": []string{"error"},
						"measure": []map[string]any{rate, {"name": "time", "elapsed": true, "unit": "s"}, {"name": "share", "json": "a.*", "keys": []string{"part"}}},
					}
				},
				Long:    values(func(string) map[string]any { return with(argv("sleep", "1000"), "measure", rate) }),
				Imports: map[string]string{"text": "command.stdout"},
			},
			{
				Name: "plain", Type: "command", Yields: []string{"rate"}, Values: measured("echo", "rate 3.5"),
				Long: measured("sleep", "1000"), Imports: map[string]string{"text": "command.stdout"},
			},
		},
		Monitors: []providertest.Monitor{
			{
				Name: "vmstat", Type: "command", Yields: []string{"idle", "blocked"}, Series: []string{"idle", "blocked"},
				Values: values(func(string) map[string]any {
					return map[string]any{"argv": []string{"vmstat", "-n", "1"}, "measure": []map[string]any{
						{"name": "idle", "column": "id", "separator": " ", "unit": "%"},
						{"name": "blocked", "pattern": `^ *\d+ +(\d+) `, "statistic": "max"},
					}}
				}),
			},
			{
				Name: "follow", Type: "command", Yields: []string{"rate", "lag"}, Series: []string{"rate", "lag"},
				Values: values(func(string) map[string]any {
					return map[string]any{
						"argv": []string{"tail", "-n", "+1", "-f", "secret"}, "files": map[string]any{"secret": "[begin]\nrate 3.5\n{\"lag\": {\"a\": 1, \"b\": \"2ms\"}}\n"},
						"measure": []map[string]any{rate, {"name": "lag", "json": "lag.*", "unit": "s", "keys": []string{"replica"}, "roll_up": "worst"}},
					}
				}),
			},
			{
				Name: "every", Type: "command", Yields: []string{"rate", "share", "temperature"}, Series: []string{"rate", "share", "temperature"},
				Values: values(func(string) map[string]any {
					return map[string]any{
						"argv": []string{"cat", "secret", "-"}, "files": map[string]any{"secret": "rate 3.5\n"}, "stdin": "disk,celsius\nsda,31\nsdb,33\n{\"a\":\n {\"x\": 1}\n}\n", "every": "100ms",
						"measure": []map[string]any{rate, {"name": "share", "json": "a.x"}, {"name": "temperature", "column": "celsius", "keys": []string{"disk"}}},
					}
				}),
				Enough: func(s *providertest.Sink) bool { return strings.Count(string(s.Data("monitor.times")), "\n") > 2 },
			},
		},
		Bad: bad(),
	})
}

// bad are configurations that are refused.
func bad() []providertest.Bad {
	var out []providertest.Bad
	setup := func(name, attribute string, change func(map[string]any)) {
		v := thing("/nowhere")
		change(v)
		out = append(out, providertest.Bad{Name: name, Kind: "setup", Type: "command", Values: v, Attribute: attribute})
	}
	setup("no_create", "create", func(v map[string]any) { delete(v, "create") })
	setup("no_inspect", "inspect", func(v map[string]any) { delete(v, "inspect") })
	setup("no_destroy", "destroy", func(v map[string]any) { delete(v, "destroy") })
	setup("no_program", "create", func(v map[string]any) { v["create"] = argv() })
	setup("empty_program", "create", func(v map[string]any) { v["create"] = argv("") })
	setup("relative_program", "destroy", func(v map[string]any) { v["destroy"] = argv("bin/true") })
	setup("relative_dir", "create", func(v map[string]any) { v["create"] = with(argv("true"), "dir", "here") })
	setup("two_directories", "create", func(v map[string]any) {
		v["create"] = with(with(argv("true"), "dir", "/tmp"), "files", map[string]any{"a": "b"})
	})
	setup("file_elsewhere", "create", func(v map[string]any) { v["create"] = with(argv("true"), "files", map[string]any{"../a": "b"}) })
	setup("no_variable", "create", func(v map[string]any) { v["create"] = with(argv("true"), "env", map[string]any{"A-B": "c"}) })
	setup("expect_pattern", "create", func(v map[string]any) { v["create"] = with(argv("true"), "expect", []string{"("}) })
	setup("expect_anything", "create", func(v map[string]any) { v["create"] = with(argv("true"), "expect", []string{"x*"}) })
	setup("fail_pattern", "destroy", func(v map[string]any) { v["destroy"] = with(argv("true"), "fail_if", []string{"("}) })
	setup("standing_pattern", "inspect", func(v map[string]any) { v["inspect"] = with(argv("ls"), "standing", "(") })
	setup("absent_pattern", "inspect", func(v map[string]any) { v["inspect"] = with(with(argv("ls"), "standing", "x"), "absent", ".*") })
	setup("claim_twice", "shares", func(v map[string]any) { v["shares"] = []string{"network"} })
	setup("claim_empty", "claims", func(v map[string]any) { v["claims"] = []string{""} })
	setup("slot_alone", "slot", func(v map[string]any) { v["slot"] = "cache" })
	setup("any_state", "slot", func(v map[string]any) { v["slot"], v["state"] = "cache", "*" })
	setup("state_alone", "state", func(v map[string]any) { v["state"] = "on" })
	setup("switch_alone", "switch", func(v map[string]any) { v["switch"] = argv("true") })
	for _, empty := range []string{"instructions", "undo"} {
		v := map[string]any{"instructions": "do it", "undo": "undo it", "inspect": ls("/nowhere")}
		v[empty] = " "
		out = append(out, providertest.Bad{Name: "no_" + empty, Kind: "setup", Type: "command_manual", Values: v, Attribute: empty})
	}
	out = append(out,
		providertest.Bad{Name: "monitor_without_measure", Kind: "monitor", Type: "command", Values: argv("true")},
		providertest.Bad{Name: "monitor_without_program", Kind: "monitor", Type: "command", Attribute: "argv",
			Values: with(argv(), "measure", map[string]any{"name": "a", "pattern": "(a)"})},
		providertest.Bad{Name: "monitor_without_place", Kind: "monitor", Type: "command", Attribute: "measure",
			Values: with(argv("true"), "measure", map[string]any{"name": "a"})},
		providertest.Bad{Name: "test_without_measure", Kind: "test", Type: "command", Values: argv("true")},
		providertest.Bad{Name: "test_without_program", Kind: "test", Type: "command", Attribute: "argv",
			Values: with(argv(), "measure", map[string]any{"name": "a", "pattern": "(a)"})})
	for name, m := range map[string]map[string]any{
		"nowhere":    {},
		"two_places": {"json": "a", "pattern": "(a)"},
		"no_group":   {"pattern": "a"},
		"two_groups": {"pattern": "(a)(b)"},
		"no_pattern": {"pattern": "(a"},
		"no_value":   {"pattern": "(?P<q>a)", "keys": []string{"q"}},
		"no_key":     {"pattern": "(?P<value>a)", "keys": []string{"q"}},
		"path":       {"json": "a..b"},
		"path_keys":  {"json": "a.*.*", "keys": []string{"q"}},
		"separator":  {"column": "a", "separator": "||"},
		"minutes":    {"elapsed": true, "unit": "min"},
		"unitless":   {"elapsed": true},
	} {
		m["name"] = "a"
		out = append(out, providertest.Bad{Name: "measure_" + name, Kind: "test", Type: "command", Attribute: "measure", Values: with(argv("true"), "measure", m)})
	}
	return out
}
