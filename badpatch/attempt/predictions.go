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
	p, err := bench.OpenPredictions(file)
	if err != nil {
		return nil, fmt.Errorf("reading attempts: %w", err)
	}
	defer p.Close()
	entries, err := p.Index(ctx)
	var some *bench.Problems
	if err != nil && !errors.As(err, &some) {
		return nil, fmt.Errorf("reading attempts: %w", err)
	}
	out := make([]bench.Prediction, 0, len(entries))
	for _, e := range entries {
		one, broken := p.Read(e)
		if broken != nil {
			return nil, broken
		}
		out = append(out, one)
	}
	return out, err
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
