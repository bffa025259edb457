package run_test

import (
	"context"
	"testing"

	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/fake"
)

// lacking is a provider whose test needs a tool that no machine has.
type lacking struct{ providers.Provider }

func (lacking) Schema(context.Context) (*schema.Provider, error) {
	return &schema.Provider{Name: "fio", Tests: []schema.Type{{Name: "fio", Tools: []string{"assay-no-such-tool"}}}}, nil
}

func noTools(t *testing.T, dir string) *providers.Set {
	t.Helper()
	set, err := providers.NewSet(context.Background(), dir, lacking{fake.New()})
	if err != nil {
		t.Fatal(err)
	}
	return set
}
