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

// badpatchFlags are the flags of gen.
type badpatchFlags struct {
	dataset          datasetFlags
	executor         executorFlags
	model            modelFlags
	options          badpatchOptions
	output, choose   string
	attempts, suites []string
	jobs             int
	byOperator, json bool
}

func (a *app) badpatchGenCommand() *cobra.Command {
	o := &badpatchFlags{}
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
		RunE: func(cmd *cobra.Command, _ []string) error { return a.badpatchGen(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	o.model.add(cmd)
	o.add(cmd)
	return cmd
}

// add adds the flags that only gen has.
func (o *badpatchFlags) add(cmd *cobra.Command) {
	d := badpatch.DefaultOptions()
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "the dataset to write (JSON Lines); what it needs to resume is next to it in OUTPUT.badpatch")
	secret(f, "output", ".badpatch")
	f.StringSliceVar(&o.options.Sources, "sources", nil, "sources of candidates: subset, operator, symptom, undisciplined, attempt, llm (default: all that there is input for)")
	f.StringSliceVar(&o.attempts, "attempts", nil, "files of predictions: failed attempts become candidates")
	secret(f, "attempts")
	f.StringSliceVar(&o.suites, "suites", nil, "files of predictions of test-generation tasks: columns of the kill matrix, in addition to the hidden tests")
	secret(f, "suites")
	f.IntVar(&o.options.N, "per-instance", d.N, "bad patches to choose")
	f.IntVar(&o.options.Reserve, "reserve", 0, "more of them, kept out of the dataset, in OUTPUT.badpatch/reserve.jsonl")
	f.IntVar(&o.options.Regressions, "regressions", d.Regressions, "most patches of an instance that break older tests only, for review tasks")
	f.IntVar(&o.options.Variants, "variants", d.Variants, "most good variants of an instance")
	f.IntVar(&o.options.Runs, "runs", d.Runs, "runs in which a bad patch must fail")
	f.IntVar(&o.options.Most, "most", d.Most, "most candidates of an instance that are run; two that only shared a build count as one")
	f.IntVar(&o.options.Pool, "pool", d.Pool, "stop running candidates when there are so many bad patches that fail differently")
	f.BoolVar(&o.options.KeepPublished, "keep-published", false, "keep the instances' own bad patches, with their measured levels, before the chosen ones")
	f.StringVar(&o.choose, "choose", "best", "best, or random: what choosing is worth")
	f.Uint64Var(&o.options.Seed, "seed", d.Seed, "seed of every choice")
	f.IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many instances are worked on at once")
	f.BoolVar(&o.byOperator, "by-operator", false, "show the yield of every operator")
	f.BoolVar(&o.json, "json", false, "write the figures as JSON to standard output, and no tables")
}

// badpatchOptions are the flags that decide what is made.
type badpatchOptions struct {
	badpatch.Options
	Sources       []string
	KeepPublished bool
}

// check checks the flags and completes what they leave open.
func (o *badpatchFlags) check() error {
	for _, n := range []struct {
		name  string
		value int
	}{
		{"per-instance", o.options.N}, {"reserve", o.options.Reserve}, {"regressions", o.options.Regressions}, {"variants", o.options.Variants},
		{"runs", o.options.Runs}, {"most", o.options.Most}, {"pool", o.options.Pool},
	} {
		if n.value < 0 {
			return fmt.Errorf("--%s %d: expected 0 or more", n.name, n.value)
		}
	}
	if o.jobs < 1 {
		return fmt.Errorf("--jobs %d: expected at least 1", o.jobs)
	}
	if o.options.Runs < 1 || o.options.N < 1 || o.options.Most < 1 {
		return errors.New("--runs, --per-instance and --most: expected at least 1")
	}
	switch o.choose {
	case "best", "random":
		o.options.Random = o.choose == "random"
		if o.options.Random && o.options.Reserve > 0 {
			return errors.New("--choose random: expected no --reserve")
		}
	default:
		return fmt.Errorf("--choose %q: expected best or random", o.choose)
	}
	return o.sources()
}

// sources checks --sources, and that there is input for what it names.
func (o *badpatchFlags) sources() error {
	known := []string{}
	for _, s := range ruleSources() {
		known = append(known, s.Name())
	}
	given := map[string]bool{"attempt": len(o.attempts) > 0, "llm": o.model.name != ""}
	for _, s := range o.options.Sources {
		there, needs := given[s]
		switch {
		case !needs && !slices.Contains(known, s):
			return fmt.Errorf("--sources: %q is not known (%s, attempt, llm)", s, strings.Join(known, ", "))
		case needs && !there:
			return fmt.Errorf("--sources %s: needs --%s", s, map[string]string{"attempt": "attempts FILE", "llm": "llm provider/model"}[s])
		}
	}
	if len(o.options.Sources) > 0 {
		return nil
	}
	o.options.Sources = known
	for _, s := range []string{"attempt", "llm"} {
		if given[s] {
			o.options.Sources = append(o.options.Sources, s)
		}
	}
	return nil
}
