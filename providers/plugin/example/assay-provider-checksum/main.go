// Command assay-provider-checksum is a provider of assay that is a program of its own. See docs/providers.md.
package main

import (
	"github.com/assay-bench/assay/providers/host"
	"github.com/assay-bench/assay/providers/plugin"
	"github.com/assay-bench/assay/providers/plugin/example/checksum"
)

func main() { plugin.Serve(checksum.New(host.Dial)) }
