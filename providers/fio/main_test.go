package fio

import (
	"testing"

	"github.com/assay-bench/assay/providers"
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/providertest"
)

func newProvider() providers.Provider { return New(host.Dial) }

func TestMain(m *testing.M) { providertest.Main(m, newProvider) }
