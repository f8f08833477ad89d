package attempts

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assay/bench"
)

// PredictionsFile names the file of the n-th attempts' predictions.
func PredictionsFile(attempt int) string {
	if attempt == 1 {
		return "predictions.jsonl"
	}
	return fmt.Sprintf("predictions-%d.jsonl", attempt)
}

// WritePredictions writes the submissions of the finished attempts (see Current:
// those of an earlier input would have the same model's name), the first attempts
// to predictions.jsonl, the n-th ones to predictions-n.jsonl, and returns the
// files' paths. The order of kinds is the one given.
func (f *Folder) WritePredictions(kinds []string) ([]string, error) {
	files := map[int]*bytes.Buffer{1: {}}
	records, _ := f.Current()
	slices.SortStableFunc(records, func(a, b Record) int { return slices.Index(kinds, a.Task) - slices.Index(kinds, b.Task) })
	for _, r := range records {
		if files[r.Attempt] == nil {
			files[r.Attempt] = &bytes.Buffer{}
		}
		p, err := f.prediction(r)
		if err != nil {
			return nil, err
		}
		if err := bench.WritePrediction(files[r.Attempt], p); err != nil {
			return nil, err
		}
	}
	var paths []string
	for n := 1; n <= max(1, f.last()); n++ {
		if files[n] == nil { // an earlier call may have written some
			if err := os.RemoveAll(f.path(PredictionsFile(n))); err != nil {
				return nil, err
			}
			continue
		}
		path := f.path(PredictionsFile(n))
		if err := bench.WriteAtomic(path, files[n].Bytes()); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// prediction is what an attempt submits.
func (f *Folder) prediction(r Record) (bench.Prediction, error) {
	text, err := os.ReadFile(filepath.Join(f.path(r.Dir), patchFile))
	if err != nil {
		return bench.Prediction{}, fmt.Errorf("reading the patch of %s: %w", r.slot(), err)
	}
	p := bench.Prediction{
		InstanceID: r.InstanceID, Model: r.Submitter(), Patch: string(text), Task: r.Task, CostUSD: r.CostUSD,
		Attempt: r.Attempt, Seed: r.Seed, End: string(r.End), Steps: r.Steps, Seconds: r.Seconds, Tokens: r.Tokens,
	}
	if r.Recorded {
		p.Trajectory = filepath.ToSlash(filepath.Join(r.Dir, trajectoryFile))
	}
	return p, nil
}
