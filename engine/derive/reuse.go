package derive

import (
	"encoding/json"
	"fmt"
	"path"

	"github.com/assay-bench/assay/engine/plan"
	"github.com/assay-bench/assay/providers/measure"
)

// KeptArtifact is what the step on a dataset that stands already leaves: a plan.Kept, with the sample of its load.
const KeptArtifact = "kept.json"

// loaded is the sample of data that stood already: that of the run in which they were loaded, and it says so.
func loaded(t plan.Test, artifacts []measure.Artifact, from string) (*measure.Sample, error) {
	var kept plan.Kept
	for _, a := range artifacts {
		if a.Name == KeptArtifact {
			if err := json.Unmarshal(a.Data, &kept); err != nil {
				return nil, fmt.Errorf("%s of %s: %w", KeptArtifact, t.Address, err)
			}
		}
	}
	if kept.Sample == nil {
		return nil, fmt.Errorf("the step on %s, which stood already, left no sample in %s", t.Address, KeptArtifact)
	}
	s := *kept.Sample
	s.LoadedIn, s.Artifacts = kept.Run, []string{path.Join(from, KeptArtifact)}
	s.Warnings = append(s.Warnings[:len(s.Warnings):len(s.Warnings)], measure.Warning{Code: "loaded_earlier",
		Text: "the data were loaded in run " + kept.Run + " and used again, so this is the sample of that load"})
	return &s, nil
}
