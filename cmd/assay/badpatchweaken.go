package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"assay/badpatch/measure"
	"assay/bench"
	"assay/engine"
	"assay/internal/patch"
	"assay/languages"
)

// weakenFlags are the flags of weaken.
type weakenFlags struct {
	dataset       datasetFlags
	output, repos string
	most          int
	seed          uint64
	controls      bool
}

func (a *app) badpatchWeakenCommand() *cobra.Command {
	o := &weakenFlags{}
	cmd := &cobra.Command{
		Use:   "weaken -d DATASET -o PREDICTIONS",
		Short: "Write the hidden tests with fewer assertions, as submissions to test generation",
		Long: `Takes assertions out of the hidden tests, one by one, and writes what is left as predictions
of the test-generation task. How many of them "assay eval -t testgen" resolves, though they
assert less than they should, tells what a dataset's bad patches are worth.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.badpatchWeaken(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "the predictions to write (JSON Lines)")
	secret(f, "output")
	f.BoolVar(&o.controls, "controls", false, "also write the whole hidden tests, an existing test under another name, and one that always fails")
	f.IntVar(&o.most, "most", 40, "most versions of an instance, drawn by the seed; 0 means all")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the draw")
	f.StringVar(&o.repos, "repos", "", "folder of local mirrors (owner/name, owner__name or owner+name, bare or not)")
	secret(f, "repos")
	return cmd
}

func (a *app) badpatchWeaken(ctx context.Context, o weakenFlags) error {
	sel, err := a.selection(ctx, o.dataset)
	switch {
	case err != nil:
		return err
	case o.output == "":
		return errors.New("no output: give a file with -o")
	case o.most < 0:
		return fmt.Errorf("--most %d: expected 0 or more", o.most)
	}
	cache, err := a.cacheDir()
	if err != nil {
		return err
	}
	w := weakener{machine: languages.Machine{Sources: engine.Sources(o.repos, cache)}, most: o.most, seed: o.seed, controls: o.controls}
	set, entries, err := sel.List(ctx)
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
		fmt.Fprintf(a.stderr, "%s: %d suites, from %d weaker versions\n", e.ID, len(weak), found)
		made = append(made, weak...)
	}
	if err := writePredictions(o.output, made); err != nil {
		return err
	}
	if failed > 0 || set.Partial {
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d instances could not be weakened", failed, len(entries))}
	}
	return nil
}

// weakener makes submissions of an instance's hidden tests.
type weakener struct {
	machine languages.Machine
	most    int // of an instance; 0 means all
	seed    uint64
	// controls asks for the suites of measure.Controls too.
	controls bool
}

// weaken returns the drawn versions, and how many there are.
func (w weakener) weaken(ctx context.Context, set *engine.Data, e bench.Entry) ([]*bench.Prediction, int, error) {
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
	if w.controls {
		controls, err := measure.Controls(&inst, base)
		if err != nil {
			return nil, 0, err
		}
		weak = append(controls, weak...)
	}
	var made []*bench.Prediction
	for _, v := range weak {
		made = append(made, &bench.Prediction{InstanceID: inst.ID, Task: "testgen", Model: v.Name, Patch: v.Patch})
	}
	return made, found, nil
}

// goldPaths are what a tree of base must contain to work on gold and the bad
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
