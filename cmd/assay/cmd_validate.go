package main

import (
	"encoding/json"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/lang/lint"
	"github.com/assay-bench/assay/providers"
	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
)

func (a *app) validateCommand() *cobra.Command {
	var flags specFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "validate [DIR]",
		Short: "Check a spec without looking at any machine",
		Long: `Check a spec without looking at any machine: names, types, units, references, and what providers know of their options.
Warnings tell what is right but probably not meant: names that nothing uses, axes without effect, figures that nothing
judges, limits without a reason. They do not change the exit status.`,
		Example: `  assay validate specs/quickstart
  assay validate --json --var runtime=5s specs/quickstart`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.using(func(c *cobra.Command, set *providers.Set, args []string) error {
			req, src, diags, err := flags.request(specDir(args), true)
			if err == nil && !diags.HasErrors() {
				var built *plan.Built
				var more hcl.Diagnostics
				built, more, err = plan.Build(c.Context(), set, req)
				diags = append(diags, more...)
				if built != nil {
					diags = diag.Sorted(append(diags, lint.Warnings(built.Model, built.Spec)...))
				}
			}
			if err != nil && !asJSON {
				return err
			}
			if err != nil {
				diags = append(diags, diag.Error(hcl.Range{}, "Cannot read the spec", "%s", err))
			}
			if !asJSON {
				if err := a.diagnose(src, diags); err != nil {
					return err
				}
				a.printf("The spec is valid.\n")
				return nil
			}
			enc := json.NewEncoder(a.stdout)
			enc.SetIndent("", "  ")
			enc.SetEscapeHTML(false)
			report := diag.JSON(src, diags)
			if err := enc.Encode(report); err != nil {
				return err
			}
			if !report.Valid {
				return exitStatus(exitError)
			}
			return nil
		}),
	}
	flags.add(c)
	c.Flags().BoolVar(&asJSON, "json", false, "answer as JSON, in Terraform's form")
	return c
}
