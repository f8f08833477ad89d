package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/badpatch"
)

func (a *app) badpatchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "badpatch",
		Short: "Make, verify or show bad patches: plausible, building, and wrong",
	}
	cmd.AddCommand(a.badpatchGenCommand(), a.badpatchVerifyCommand(), a.badpatchShowCommand(), a.badpatchWeakenCommand())
	return cmd
}

func (a *app) badpatchGenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gen -d BASE -o DATASET",
		Short: "Make bad patches and good variants of gold, by running them",
		Long: `Makes candidates of every instance's gold patch (parts of it, gold with one thing wrong,
the failure caught where it shows; with --attempts, what agents submitted; with --llm, what
a model gets wrong), drops what is not worth a run, runs the rest with the hidden tests, and
chooses those that differ most. A candidate that fails a fail-to-pass test in every run is
bad; one that breaks older tests only is a regression (for review tasks); one that passes all
is a survivor (it shows weak tests). Writes the dataset with the chosen patches and with
rewrites of gold that behave as gold does; everything else lies in DATASET.badpatch. A call
that was stopped goes on where it was; the same input and seed give the same dataset.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.badpatchGen(cmd) },
	}
	datasetFlags(cmd)
	executorFlags(cmd)
	modelFlags(cmd)
	d := badpatch.DefaultOptions()
	f := cmd.Flags()
	f.StringP("output", "o", "", "the dataset to write (JSON Lines); what it needs to go on lies beside it in OUTPUT.badpatch")
	f.StringSlice("sources", nil, "sources of candidates: subset, operator, symptom, undisciplined, attempt, llm (default: all that there is input for)")
	f.StringSlice("attempts", nil, "files of predictions: failed attempts become candidates")
	f.StringSlice("suites", nil, "files of predictions of test-generation tasks: columns of the kill matrix beside the hidden tests")
	f.Int("per-instance", d.N, "bad patches to choose")
	f.Int("reserve", 0, "more of them, kept out of the dataset, in OUTPUT.badpatch/reserve.jsonl")
	f.Int("regressions", d.Regressions, "most patches of an instance that break older tests only, for review tasks")
	f.Int("variants", d.Variants, "most good variants of an instance")
	f.Int("runs", d.Runs, "runs in which a bad patch must fail")
	f.Int("most", d.Most, "most candidates of an instance that are run")
	f.Int("pool", d.Pool, "run no more candidates when there are so many bad patches that fail differently")
	f.Bool("keep-published", false, "keep the instances' own bad patches, with their measured levels, before the chosen ones")
	f.String("choose", "best", "best, or random: what choosing is worth")
	f.Uint64("seed", d.Seed, "seed of every choice")
	f.IntP("jobs", "j", defaultJobs(), "how many instances are worked on at once")
	f.Bool("by-operator", false, "tell the yield of every operator")
	f.Bool("json", false, "write the figures as JSON to standard output, and no tables")
	return cmd
}

// badpatchOptions are the flags that decide what is made.
type badpatchOptions struct {
	badpatch.Options
	Sources       []string
	KeepPublished bool
}

func badpatchOptionsOf(cmd *cobra.Command) (badpatchOptions, error) {
	f := cmd.Flags()
	var o badpatchOptions
	for name, into := range map[string]*int{
		"per-instance": &o.N, "reserve": &o.Reserve, "regressions": &o.Regressions, "variants": &o.Variants,
		"runs": &o.Runs, "most": &o.Most, "pool": &o.Pool,
	} {
		if *into, _ = f.GetInt(name); *into < 0 {
			return o, fmt.Errorf("--%s %d: expected no negative number", name, *into)
		}
	}
	if jobs, _ := f.GetInt("jobs"); jobs < 1 {
		return o, fmt.Errorf("--jobs %d: expected at least 1", jobs)
	}
	if o.Runs < 1 || o.N < 1 || o.Most < 1 {
		return o, errors.New("--runs, --per-instance and --most: expected at least 1")
	}
	o.Seed, _ = f.GetUint64("seed")
	o.KeepPublished, _ = f.GetBool("keep-published")
	switch choose, _ := f.GetString("choose"); choose {
	case "best", "random":
		o.Random = choose == "random"
		if o.Random && o.Reserve > 0 {
			return o, errors.New("--choose random: expected no --reserve")
		}
	default:
		return o, fmt.Errorf("--choose %q: expected best or random", choose)
	}
	return o, o.sources(cmd)
}

// sources checks --sources, and that there is input for what it names.
func (o *badpatchOptions) sources(cmd *cobra.Command) error {
	f := cmd.Flags()
	known := []string{}
	for _, s := range ruleSources() {
		known = append(known, s.Name())
	}
	attempts, _ := f.GetStringSlice("attempts")
	model, _ := f.GetString("llm")
	given := map[string]bool{"attempt": len(attempts) > 0, "llm": model != ""}
	o.Sources, _ = f.GetStringSlice("sources")
	for _, s := range o.Sources {
		there, needs := given[s]
		switch {
		case !needs && !slices.Contains(known, s):
			return fmt.Errorf("--sources: %q is not known (%s, attempt, llm)", s, strings.Join(known, ", "))
		case needs && !there:
			return fmt.Errorf("--sources %s: needs --%s", s, map[string]string{"attempt": "attempts FILE", "llm": "llm provider/model"}[s])
		}
	}
	if len(o.Sources) > 0 {
		return nil
	}
	o.Sources = known
	for _, s := range []string{"attempt", "llm"} {
		if given[s] {
			o.Sources = append(o.Sources, s)
		}
	}
	return nil
}
