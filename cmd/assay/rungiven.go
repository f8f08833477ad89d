package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/methods"
	"assay/methods/zeroshot"
	"assay/tasks"
)

// withGiven gives a method proposed fixes and test files for its prompts.
func withGiven(ctx context.Context, m methods.Method, o methodFlags) (methods.Method, error) {
	taker, ok := m.(zeroshot.Taker)
	if !ok {
		return nil, fmt.Errorf("--fixes and --test-files are for -a zeroshot, zeroshotplus and libro, not for %s", m.About().Name)
	}
	var g zeroshot.Given
	var err error
	if g.Fixes, err = readGiven(ctx, "--fixes", o.fixes, tasks.BugFix{}.Name()); err != nil {
		return nil, err
	}
	if g.Tests, err = readGiven(ctx, "--test-files", o.shown, tasks.TestGen{}.Name()); err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, patches := range []map[string]string{g.Fixes, g.Tests} {
		for _, id := range slices.Sorted(maps.Keys(patches)) {
			fmt.Fprintf(h, "%q %q\n", id, patches[id])
		}
		fmt.Fprintln(h)
	}
	g.Source = hex.EncodeToString(h.Sum(nil))
	return taker.With(g), nil
}

// readGiven reads one patch for each instance from files of predictions.
func readGiven(ctx context.Context, flag string, files []string, kind string) (map[string]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	all, err := readAllSubmitted(ctx, files, kind)
	if err != nil {
		return nil, err
	}
	patches, err := zeroshot.Read(all)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s %s: %w", flag, strings.Join(files, ","), err)
	case len(patches) == 0:
		return nil, fmt.Errorf("%s %s: there is no prediction for %s in it", flag, strings.Join(files, ","), kind)
	}
	return patches, nil
}
