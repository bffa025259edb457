package fake_test

import (
	"testing"

	"github.com/assay-bench/assay/providers/fake"
	"github.com/assay-bench/assay/providers/providertest"
)

func TestMain(m *testing.M) { providertest.Main(m, fake.New) }

func values(m map[string]any) func(providertest.Place) map[string]any {
	return func(providertest.Place) map[string]any { return m }
}

func TestConformance(t *testing.T) {
	thing := providertest.Thing{
		Name: "thing", Type: "fake_thing",
		Values:  values(map[string]any{"label": 7, "claims": []string{"disk:S0001", "磁盘"}, "create_time": "2ms", "destroy_time": "1ms"}),
		Partial: interrupted,
	}
	imports := map[string]string{"fake": "fake.stdout"}
	providertest.RunBoth(t, fake.New, providertest.Cases{
		Things: []providertest.Thing{
			thing,
			{Name: "bare", Type: "fake_thing"},
			{Name: "state", Type: "fake_thing",
				Values: values(map[string]any{"slot": "cache", "state": "on", "switch_time": "1ms"})},
			{Name: "witness", Type: "fake_witness", Values: values(map[string]any{"load": "40%", "mark": "重建"})},
			{Name: "data", Kind: "dataset", Type: "fake_data", Yields: []string{"load_time", "rows", "bytes", "load_rate"}, Partial: interrupted,
				Values: values(map[string]any{"rows": "1000", "bytes": "1MiB", "load_time": "2ms", "noise": "5%", "claims": []string{"database"}})},
			{Name: "no_data", Kind: "dataset", Type: "fake_data", Yields: []string{"load_time"}},
		},
		Tests: []providertest.Test{
			{
				Name: "all", Type: "fake", On: &thing,
				Values: func(p providertest.Place) map[string]any {
					return map[string]any{
						"thing": p.Outputs.GetAttr("id"), "throughput": "100MiB/s", "latency": "400us", "count": "35k",
						"noise": "2%", "seed": 1, "duration": "2ms",
					}
				},
				Long:    values(map[string]any{"count": 1, "duration": "1h"}),
				Yields:  []string{"throughput", "latency", "count"},
				Imports: imports,
			},
			{
				Name: "update", Type: "fake_update", On: &thing, Imports: imports,
				Values: func(p providertest.Place) map[string]any {
					return map[string]any{"thing": p.Outputs.GetAttr("id"), "count": "35k", "drift": "10%"}
				},
				Long:   values(map[string]any{"count": 1, "duration": "1h"}),
				Yields: []string{"count", "changes"},
			},
			{
				Name: "hosts", Type: "fake", Imports: imports, Yields: []string{"throughput", "latency", "share", "latency_p99", "latency_p99_9"},
				Values: values(map[string]any{"throughput": "1GB/s", "latency": "400us", "operations": 20000, "noise": "5%", "hosts": []string{"h1", "h2"}}),
			},
			{
				Name: "one", Type: "fake", Imports: imports,
				Values: values(map[string]any{"latency": "1ms"}),
				Long:   values(map[string]any{"latency": "1ms", "mode": "hang"}),
				Yields: []string{"latency"},
			},
		},
		Monitors: []providertest.Monitor{
			{Name: "all", Type: "fake", Yields: []string{"load", "rate"}, Series: []string{"load", "rate"}, Imports: imports,
				Values: values(map[string]any{"load": "40%", "rate": "1GB/s", "disks": []string{"sda", "sdb"}, "noise": "5%", "mark": "重建", "mark_lasts": "2s", "doubt": "a doubt"})},
			{Name: "one", Type: "fake", Yields: []string{"load"}, Imports: imports, Values: values(map[string]any{"load": "40%", "points": 1})},
		},
		Bad: []providertest.Bad{
			{Name: "disk_twice", Kind: "monitor", Type: "fake", Attribute: "disks", Values: map[string]any{"disks": []string{"sda", "sda"}}},
			{Name: "claim_twice", Kind: "setup", Type: "fake_thing", Attribute: "claims",
				Values: map[string]any{"claims": []string{"a", "b", "a"}}},
			{Name: "slot_without_state", Kind: "setup", Type: "fake_thing", Attribute: "slot",
				Values: map[string]any{"slot": "cache"}},
			{Name: "state_without_slot", Kind: "setup", Type: "fake_thing", Attribute: "state",
				Values: map[string]any{"state": "on"}},
			{Name: "any_state", Kind: "setup", Type: "fake_thing", Attribute: "slot",
				Values: map[string]any{"slot": "cache", "state": "*"}},
			{Name: "test_claim_twice", Kind: "test", Type: "fake", Attribute: "claims",
				Values: map[string]any{"claims": []string{"a", "a"}}},
			{Name: "data_claim_twice", Kind: "dataset", Type: "fake_data", Attribute: "claims",
				Values: map[string]any{"claims": []string{"a", "a"}}},
			{Name: "claim_empty", Kind: "setup", Type: "fake_thing", Attribute: "claims",
				Values: map[string]any{"claims": []string{" "}}},
		},
	})
}
