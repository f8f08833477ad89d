package attempt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"assay/badpatch"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Read reads a file of predictions in any form that bench knows. Where some
// records are wrong it returns the others, along with an error of type
// *bench.Problems.
func Read(ctx context.Context, file string) ([]bench.Prediction, error) {
	found, err := bench.ReadPredictions(ctx, file)
	if err != nil && !errors.As(err, new(*bench.Problems)) {
		return nil, fmt.Errorf("reading attempts: %w", err)
	}
	return found, err
}

// Suites are an instance's submissions to test generation.
func Suites(inst *bench.Instance, predictions []bench.Prediction) []badpatch.StoredSuite {
	var out []badpatch.StoredSuite
	for _, p := range predictions {
		if !isOf(p, inst, "testgen") {
			continue
		}
		text, err := patch.Parse([]byte(p.Patch))
		if err != nil {
			continue // no suite at all
		}
		l := languages.Default().Named(badpatch.LanguageOf(inst))
		tests, _ := text.Split(func(path string) bool { return languages.IsTest(l, path) })
		if !tests.Empty() {
			out = append(out, badpatch.StoredSuite{Name: p.Model, Tests: string(tests.Bytes())})
		}
	}
	slices.SortStableFunc(out, func(a, b badpatch.StoredSuite) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// isOf reports whether a prediction is for an instance, and for a kind of task
// as far as it names one.
func isOf(p bench.Prediction, inst *bench.Instance, task string) bool {
	return (p.Task == "" || p.Task == task) && bench.NormaliseID(p.InstanceID) == bench.NormaliseID(inst.ID)
}
