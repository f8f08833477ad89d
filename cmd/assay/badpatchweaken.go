package main

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"assay/badpatch"
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
	sel, err := selectionOf(cmd)
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
	m := languages.Machine{Sources: &mirror.Store{Dir: repos, Cache: cache + "/mirrors"}}
	var made []*bench.Prediction
	set, err := sel.scan(ctx, func(e bench.Entry, inst *bench.Instance) error {
		bed, err := m.Open(ctx, inst)
		if err != nil {
			return err
		}
		base, _, err := bed.Tree(ctx, languages.Variant{})
		if err != nil {
			return err
		}
		weak, err := badpatch.Weaken(inst, base)
		if err != nil {
			return err
		}
		found := len(weak)
		if most > 0 && found > most {
			r := rand.New(rand.NewPCG(seed, 6))
			r.Shuffle(found, func(i, j int) { weak[i], weak[j] = weak[j], weak[i] })
			weak = weak[:most]
		}
		for _, w := range weak {
			made = append(made, &bench.Prediction{InstanceID: inst.ID, Task: "testgen", Model: w.Name, Patch: w.Patch})
		}
		fmt.Fprintf(a.stderr, "%s: %d of %d weaker versions\n", e.ID, len(weak), found)
		return nil
	})
	if err != nil {
		return err
	}
	defer set.Close()
	return writePredictions(out, made)
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
		if p, err := patch.Parse([]byte(text)); err == nil {
			out = append(out, p.Paths()...)
		}
	}
	return out
}
