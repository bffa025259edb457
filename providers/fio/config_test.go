package fio

import (
	"testing"

	"github.com/assay-bench/assay/lang/addr"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/providertest"
	"github.com/zclconf/go-cty/cty"
)

// testConfig decodes a test's body from what one would write.
func testConfig(t testing.TB, values map[string]any) cty.Value {
	t.Helper()
	return providertest.Config(t, testType().Body, values)
}

// testTarget is a test of that name.
func testTarget(t testing.TB, name string, values map[string]any) providers.Target {
	t.Helper()
	return providers.Target{Kind: "test", Type: "fio", Config: testConfig(t, values),
		Address: addr.Instance{Block: addr.Block{Kind: "test", Type: "fio", Name: name}}}
}
