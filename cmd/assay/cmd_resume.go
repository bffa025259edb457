package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/engine/record"
	"github.com/assay-bench/assay/engine/run"
	"github.com/assay-bench/assay/lang/diag"
	"github.com/assay-bench/assay/providers"
	"github.com/zclconf/go-cty/cty"
)

// resume goes on with a run by the plan in its record.
func (a *app) resume(ctx context.Context, set *providers.Set, f *applyFlags, args []string) error {
	name := "latest"
	if len(args) > 0 {
		name = args[0]
	}
	rec, err := record.Find(f.runs, name)
	if err != nil {
		return err
	}
	st, err := rec.State()
	if err != nil {
		return err
	}
	if st.Finished {
		return a.nothingToResume(ctx, set, f, rec)
	}
	o, err := a.reopen(ctx, set, &f.specFlags, rec)
	if err != nil {
		return err
	}
	if err := a.consent(o.Plan, f.approve, true, f.erase); err != nil { // what it erases was agreed to when it began
		return errors.Join(err, rec.CloseJournal())
	}
	return a.carryOut(ctx, set, f, *o)
}

// nothingToResume says so, and ends as judging the run does.
func (a *app) nothingToResume(ctx context.Context, set *providers.Set, f *applyFlags, rec *record.Record) error {
	// A crash may have come between the journal's last event and the manifest.
	if _, err := os.Stat(filepath.Join(rec.Dir, record.ManifestFile)); errors.Is(err, fs.ErrNotExist) {
		if err := rec.WriteManifest(); err != nil {
			return err
		}
	}
	in, err := judgeRecord(ctx, set, rec, nil)
	if err != nil {
		return err
	}
	if !f.json {
		a.printf("Run %s came to its end: there is nothing to go on with.\n\n", rec.ID)
		if err := a.printReport(rec, in); err != nil {
			return err
		}
	}
	if in.Results.Exit != 0 {
		return exitStatus(in.Results.Exit)
	}
	return nil
}

// reopen opens the record of a run to write on, with all that carrying out its plan needs.
func (a *app) reopen(ctx context.Context, set *providers.Set, flags *specFlags, rec *record.Record) (*run.Options, error) {
	raw, err := rec.Read(record.PlanFile)
	if err != nil {
		return nil, err
	}
	p, err := recordedPlan(rec)
	if err != nil {
		return nil, err
	}
	o := &run.Options{Plan: p, Record: rec, ImportFile: unchanged(p)}
	if o.Configs, o.Outputs, err = a.secrets(ctx, set, flags, rec, p); err != nil {
		return nil, err
	}
	st, err := rec.Continue()
	if errors.Is(err, record.ErrRunning) {
		return nil, fmt.Errorf("run %s still goes on in another process: wait for it, or interrupt that", rec.ID)
	}
	if err != nil {
		return nil, err
	}
	if err = fits(st, raw); err != nil {
		return nil, errors.Join(fmt.Errorf("run %s: %w", rec.ID, err), rec.CloseJournal())
	}
	o.Resume = st
	return o, nil
}

// fits checks that a record is still the one that the run began with, in the place where it began.
func fits(st *record.State, planJSON []byte) error {
	if st.PlanHash != "" && st.PlanHash != plan.Hash(planJSON) {
		return fmt.Errorf("%s is not the plan that the run began with; put the right one back", record.PlanFile)
	}
	if st.Dir == "" {
		return nil
	}
	here, err := os.Stat(".")
	if err != nil {
		return err
	}
	there, err := os.Stat(st.Dir)
	if err != nil || !os.SameFile(here, there) {
		return fmt.Errorf("it was begun in the directory %s, below which a part of what it made may stand: go there", st.Dir)
	}
	return nil
}

// secrets configures the providers, and where the plan has secrets, which it does not hold, evaluates the record's copy of the spec again. Nil
// where there are none.
func (a *app) secrets(ctx context.Context, set *providers.Set, flags *specFlags, rec *record.Record, p *plan.Plan) (configs, outputs map[string]cty.Value, err error) {
	for _, v := range flags.vars {
		name, _, _ := strings.Cut(v, "=")
		if !slices.Contains(p.Sensitive, name) {
			return nil, nil, fmt.Errorf("--var %s: a run is gone on with by the plan in its record, and only sensitive variables are given again", name)
		}
	}
	if len(p.Sensitive) == 0 {
		if err := addPrograms(ctx, set, p); err != nil {
			return nil, nil, err
		}
		return nil, nil, plan.Configure(ctx, set, p)
	}
	files, err := rec.SpecFiles()
	if err != nil {
		return nil, nil, err
	}
	src := diag.Sources{}
	for name, text := range files {
		src[filepath.ToSlash(filepath.Join(rec.Dir, record.SpecDir, name))] = text
	}
	shown := diag.Sources{}
	for name, text := range src {
		shown[name] = text
	}
	in, diags, err := flags.inputs(filepath.FromSlash(p.Spec.Path), shown)
	if err != nil {
		return nil, nil, err
	}
	var given []string
	for _, v := range in {
		if slices.Contains(p.Sensitive, v.Name) {
			given = append(given, v.Name)
		}
	}
	targets, err := plan.ParseTargets(p.Targets)
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.FromSlash(p.Spec.Path)
	built, more, err := plan.Build(ctx, set, plan.Request{
		Sources: src, Path: p.Spec.Path, Variables: append(in, savedVariables(p)...), Targets: targets, Offline: true,
		Glob: glob(dir), ReadFile: unchanged(p), Program: programs(dir),
	})
	diags = append(diags, more...)
	if diags.HasErrors() {
		err = errors.Join(a.diagnose(shown, diags), err)
	}
	if err != nil {
		var missing []string
		for _, name := range p.Sensitive {
			if !slices.Contains(given, name) {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			fmt.Fprintf(a.stderr, "No record holds secrets. These variables were not given again: %s.\n", strings.Join(missing, ", "))
		}
		return nil, nil, err
	}
	for _, t := range p.Things {
		if _, ok := built.Configs[t.ID]; !ok {
			return nil, nil, fmt.Errorf("%s is not what it was with the variables that are given now: give them as they were", t.Addresses[0])
		}
	}
	return built.Configs, built.Outputs, nil
}

// unchanged reads a file in the folder of a plan's spec, as long as it is the one that was planned with.
func unchanged(p *plan.Plan) func(string) ([]byte, error) {
	read := readFile(filepath.FromSlash(p.Spec.Path))
	return func(name string) ([]byte, error) {
		raw, err := read(name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(raw)
		if want := p.Spec.Files[path.Clean(name)]; want != "" && want != hex.EncodeToString(sum[:]) {
			return nil, fmt.Errorf("%s has changed since the run was planned; put it back as it was", name)
		}
		return raw, nil
	}
}

// sentence makes a sentence of an error.
func sentence(text string) string {
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
