package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/badpatch/measure"
	"assay/bench"
	"assay/internal/mirror"
	"assay/internal/patch"
	"assay/languages"
)

func (a *app) badpatchWeakenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "weaken -d DATASET -o PREDICTIONS",
		Short: "Write the hidden tests with fewer assertions, as submissions to test generation",
		Long: `Takes assertions out of the hidden tests, one by one, and writes what is left as predictions
of the test-generation task. How many of them "assay eval -t testgen" resolves, though they
assert less than they should, tells what a dataset's bad patches are worth.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.badpatchWeaken(cmd) },
	}
	datasetFlags(cmd)
	f := cmd.Flags()
	f.StringP("output", "o", "", "the predictions to write (JSON Lines)")
	f.Int("most", 40, "most versions of an instance, drawn by the seed; 0 means all")
	f.Uint64("seed", 1, "seed of the draw")
	f.String("repos", "", "folder of local mirrors (owner/name, owner__name or owner+name, bare or not)")
	return cmd
}

func (a *app) badpatchWeaken(cmd *cobra.Command) error {
	ctx := cmd.Context()
	sel, err := a.selectionOf(cmd)
	if err != nil {
		return err
	}
	out, _ := cmd.Flags().GetString("output")
	if out == "" {
		return errors.New("no output: give a file with -o")
	}
	most, _ := cmd.Flags().GetInt("most")
	if most < 0 {
		return fmt.Errorf("--most %d: expected no negative number", most)
	}
	seed, _ := cmd.Flags().GetUint64("seed")
	repos, _ := cmd.Flags().GetString("repos")
	cache, err := a.cacheDir(cmd)
	if err != nil {
		return err
	}
	w := weakener{
		machine: languages.Machine{Sources: &mirror.Store{Dir: repos, Cache: filepath.Join(cache, "mirrors")}},
		most:    most, seed: seed,
	}
	set, entries, err := sel.list(ctx)
	if err != nil {
		return err
	}
	defer set.Close()
	var made []*bench.Prediction
	failed := 0
	for _, e := range entries {
		weak, found, err := w.weaken(ctx, set, e)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed++
			fmt.Fprintf(a.stderr, "%s: %v\n", e.ID, err)
			continue
		}
		fmt.Fprintf(a.stderr, "%s: %d of %d weaker versions\n", e.ID, len(weak), found)
		made = append(made, weak...)
	}
	if err := writePredictions(out, made); err != nil {
		return err
	}
	if failed > 0 || set.partial {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d instances could not be weakened", failed, len(entries))}
	}
	return nil
}

// weakener makes submissions of an instance's hidden tests.
type weakener struct {
	machine languages.Machine
	most    int // of an instance; 0 means all
	seed    uint64
}

// weaken gives the drawn versions, and how many there are.
func (w weakener) weaken(ctx context.Context, set *data, e bench.Entry) ([]*bench.Prediction, int, error) {
	inst, err := set.Read(e)
	if err != nil {
		return nil, 0, err
	}
	if inst.Image != "" {
		return nil, 0, errors.New("its repository is inside an image: expected one with sources")
	}
	bed, err := w.machine.Open(ctx, &inst)
	if err != nil {
		return nil, 0, err
	}
	base, _, err := bed.Tree(ctx, languages.Variant{})
	if err != nil {
		return nil, 0, err
	}
	weak, err := measure.Weaken(&inst, base)
	if err != nil {
		return nil, 0, err
	}
	found := len(weak)
	if w.most > 0 && found > w.most {
		r := rand.New(rand.NewPCG(w.seed, 6))
		r.Shuffle(found, func(i, j int) { weak[i], weak[j] = weak[j], weak[i] })
		weak = weak[:w.most]
	}
	var made []*bench.Prediction
	for _, v := range weak {
		made = append(made, &bench.Prediction{InstanceID: inst.ID, Task: "testgen", Model: v.Name, Patch: v.Patch})
	}
	return made, found, nil
}

// goldPaths are what a tree of base must hold to work on gold and the bad
// patches.
func goldPaths(inst *bench.Instance) []string {
	var out []string
	texts := []string{inst.Patch, inst.TestPatch}
	for _, b := range inst.BadPatches {
		texts = append(texts, b.Patch)
	}
	for _, text := range texts {
		out = append(out, patch.PathsIn(text)...)
	}
	return out
}
