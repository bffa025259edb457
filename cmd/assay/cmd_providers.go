package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/schema"
	"github.com/assay-bench/assay/providers"
	"github.com/spf13/cobra"
)

// providersFormatVersion is that of `providers schema --json`.
const providersFormatVersion = 1

// schemasDocument is what `providers schema --json` prints.
type schemasDocument struct {
	FormatVersion int                `json:"format_version"`
	Providers     []*schema.Provider `json:"providers"` // sorted by name
}

func (a *app) providersCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "providers [TYPE]",
		Short: "List the providers and their types, or describe a type",
		Long: `List the providers with their types. With the name of a type, or of a provider, describe what its blocks take, promise and
measure.`,
		Example: `  assay providers
  assay providers fio
  assay providers schema --json
  assay providers lock specs/own`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.using(func(_ *cobra.Command, set *providers.Set, args []string) error {
			p := &typePrinter{width: min(width(a.stdout), 120), color: color(a.stdout)}
			if len(args) == 0 {
				p.list(sortedSchemas(set))
			} else if err := p.named(sortedSchemas(set), args[0]); err != nil {
				return err
			}
			_, err := a.stdout.Write(p.out.Bytes())
			return err
		}),
	}
	c.AddCommand(a.providersSchemaCommand(), a.providersLockCommand())
	return c
}

func (a *app) providersSchemaCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "schema",
		Short:   "Print the schemas of all providers as JSON",
		Long:    "Print the schemas of all providers as JSON, for editors and other programs: types, arguments, outputs and measures.",
		Example: "  assay providers schema --json",
		Args:    cobra.NoArgs,
		RunE: a.using(func(_ *cobra.Command, set *providers.Set, _ []string) error {
			if !asJSON {
				return errors.New("schemas are printed as JSON only: add --json; `assay providers TYPE` describes a type for people")
			}
			var out bytes.Buffer
			enc := json.NewEncoder(&out)
			enc.SetIndent("", "  ")
			enc.SetEscapeHTML(false)
			if err := enc.Encode(schemasDocument{providersFormatVersion, sortedSchemas(set)}); err != nil {
				return err
			}
			_, err := a.stdout.Write(out.Bytes())
			return err
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON; there is no other form")
	return c
}

// sortedSchemas are the schemas of all providers by name, so that their order does not depend on how they were put together.
func sortedSchemas(set *providers.Set) []*schema.Provider {
	list := append([]*schema.Provider{}, set.Schemas()...)
	sort.SliceStable(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// named describes all types of that name, one for each kind of block, or all types of a provider.
func (p *typePrinter) named(list []*schema.Provider, name string) error {
	var names []string
	found := false
	for _, byProvider := range []bool{false, true} {
		for _, s := range list {
			if byProvider {
				names = append(names, s.Name)
			}
			for _, kind := range providers.Kinds {
				for _, t := range s.Types(kind) {
					if !byProvider {
						names = append(names, t.Name)
					}
					if byProvider && s.Name == name || !byProvider && (t.Name == name || kind+"."+t.Name == name) {
						p.describe(s, kind, t)
						found = true
					}
				}
			}
			if s.Name == name && (found || byProvider) {
				p.config(s)
				found = true
			}
		}
		if found {
			return nil
		}
	}
	sort.Strings(names)
	return fmt.Errorf("there is no type or provider %q; `assay providers` lists them.%s", name, diag.DidYouMean(name, slices.Compact(names)))
}
