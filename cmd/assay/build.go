package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/dataset"
	"assay/engine"
	"assay/languages"
	"assay/llm/prompts"
	"assay/report"
	"assay/style"
	"assay/tasks"
)

// buildFlags are build's flags.
type buildFlags struct {
	dataset    datasetFlags
	executor   executorFlags
	model      modelFlags
	options    dataset.Options
	rules      []string
	lintFiles  int
	level      string
	jobs       int
	output     string
	agentTasks string
	json       bool
}

func (a *app) buildCommand() *cobra.Command {
	o := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "build -d BASE -o DATASET",
		Short: "Make the tasks of all kinds from base instances",
		Long: `Reads base instances and writes them again with what their tasks need: style findings
(the linters run over each repository at base) and reviews of bad patches (by a model, or
by rule from what the hidden tests show). Says for each instance and kind what was built
and why not, and ends with the table of the dataset. A build that was stopped goes on where
it was; without a model, the same input and seed give the same bytes.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.build(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	o.model.add(cmd)
	o.add(cmd, a.parts)
	return cmd
}

// add adds the flags that only build has.
func (o *buildFlags) add(cmd *cobra.Command, parts engine.Parts) {
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "", "the dataset to write (JSON Lines); what it needs to resume is next to it in OUTPUT.build")
	secret(f, "output", ".build")
	f.StringSliceVarP(&o.options.Kinds, "tasks", "t", nil, "kinds of task to build (default: all)")
	f.IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many instances are built at once")
	f.Int64Var(&o.options.Seed, "seed", 1, "seed of every choice")
	f.StringSliceVar(&o.options.Linters, "linters", defaultLinters(parts), "linters of style tasks: "+strings.Join(parts.Linters.Names(), ", "))
	f.StringSliceVar(&o.rules, "rules", nil, "files that replace a linter's rule list")
	f.IntVar(&o.lintFiles, "lint-files", -1, "lint at most so many files of an instance; 0 means all (default: 100 for Python and Java, 15 for C++)")
	o.options.Select = style.DefaultSelect()
	f.IntVar(&o.options.Select.MinFindings, "min-findings", 3, "least findings of a style task")
	f.IntVar(&o.options.Select.MaxFindings, "max-findings", 30, "most findings of a style task")
	f.IntVar(&o.options.Select.MaxTasks, "style-tasks", 3, "most style tasks of an instance; 0 means all")
	f.StringVar(&o.level, "level", "L2", "how much a review without a model reveals: L0 failing behaviour, L1 + file, L2 + symbol, L3 + category")
	f.BoolVar(&o.options.QuoteTests, "quote-tests", false, "let reviews name hidden tests and quote what they expect")
	f.IntVar(&o.options.Reviews, "reviews", 1, "most reviewed bad patches of an instance; 0 means all")
	f.BoolVar(&o.options.Arms, "arms", false, "add, to every review task, one that shows the bad patch alone")
	f.StringVar(&o.agentTasks, "agent-tasks", "", "also write what agents may see, one task a line, to this file")
	secret(f, "agent-tasks")
	f.BoolVar(&o.json, "json", false, "write one JSON record per instance to standard output, and no table")
}

// defaultLinters names the first linter of each language.
func defaultLinters(parts engine.Parts) []string {
	var names []string
	seen := map[string]bool{}
	for _, l := range parts.Linters.All() {
		if about := l.About(); !seen[about.Language] {
			seen[about.Language] = true
			names = append(names, about.Name)
		}
	}
	return names
}

func (a *app) build(ctx context.Context, flags buildFlags) error {
	sel, err := a.selection(ctx, flags.dataset)
	if err != nil {
		return err
	}
	if err := checkOutput(sel, flags.output); err != nil {
		return err
	}
	kinds, err := flags.check(a.parts)
	if err != nil {
		return err
	}
	folder := flags.output + ".build"
	o, err := a.open(ctx, sel, flags.executor)
	if err != nil {
		return err
	}
	defer o.Close()
	writer, err := a.openReviewer(flags, folder)
	if err != nil {
		return err
	}
	defer writer.Close()
	j, err := engine.OpenJournal[built](filepath.Join(folder, "built.jsonl"))
	if err != nil {
		return err
	}
	defer j.Close()
	builder := dataset.Builder{Machine: o.Machine.Machine, Kinds: a.parts.Kinds, Linters: a.parts.Linters, Reviewer: writer, Options: flags.options}
	w := &engine.Resumable[built]{
		Data: o.set, Entries: o.entries, Journal: j, Settings: settingsKey(flags.options, writer.key, o.Limits),
		Work: func(ctx context.Context, inst bench.Instance) (built, string, bool, error) {
			made, rec, err := builder.Build(ctx, inst)
			return built{made, rec}, buildLine(rec, a.parts.Kinds.Names()), rec.Trouble == "", err
		},
	}
	if err := workOn(ctx, a, w, flags.jobs); err != nil {
		return fmt.Errorf("stopped; run the same command again to resume: %w", err)
	}
	return a.finishBuild(w, kinds, flags)
}

// built is one built instance.
type built struct {
	Instance bench.Instance `json:"instance"`
	Record   dataset.Record `json:"record"`
}

func settingsKey(o dataset.Options, reviewer string, l languages.Limits) string {
	text, err := json.Marshal(o)
	if err != nil {
		text = []byte(err.Error()) // options are plain data
	}
	return fmt.Sprintf("assay build 2\x00%s\x00%s\x00%s", text, reviewer, l)
}

// buildLine describes what was built of an instance and why not.
func buildLine(r dataset.Record, kinds []string) string {
	if r.Trouble != "" {
		return r.InstanceID + ": not built: " + r.Trouble
	}
	var parts []string
	for _, k := range kinds {
		made, asked := r.Kinds[k]
		switch {
		case !asked:
		case made.Tasks > 0:
			parts = append(parts, fmt.Sprintf("%s %d", k, made.Tasks))
		default:
			parts = append(parts, fmt.Sprintf("no %s (%s)", k, made.Why))
		}
	}
	return r.InstanceID + ": " + strings.Join(append(parts, leakLines(r)...), ", ")
}

// leakLines report reviews that leak, and of published ones that were
// replaced for it.
func leakLines(r dataset.Record) []string {
	var out []string
	for _, one := range r.Reviews {
		switch {
		case one.Leak == nil:
		case len(one.Leak.Leaks) > 0:
			out = append(out, fmt.Sprintf("the %s review of bad patch %d leaks (%s): agents are not shown it", one.Source, one.BadPatch, strings.Join(one.Leak.Leaks, ", ")))
		case slices.ContainsFunc(one.Leak.Refused, func(why string) bool { return strings.HasPrefix(why, dataset.RefusedPublished) }):
			out = append(out, fmt.Sprintf("the published review of bad patch %d leaks and was replaced", one.BadPatch))
		}
	}
	return out
}

// finishBuild writes the dataset in the order of its input, and the figures.
func (a *app) finishBuild(w *engine.Resumable[built], kinds []tasks.Kind, flags buildFlags) error {
	var buf, public bytes.Buffer
	figures, reviews := &report.Dataset{}, &dataset.Figures{}
	set, err := prompts.Load(flags.model.prompts)
	if err != nil {
		return err
	}
	err = w.Each(func(made built) error {
		if err := bench.WriteInstance(&buf, made.Instance); err != nil {
			return err
		}
		figures.Add(&made.Instance)
		reviews.Add(made.Record)
		if flags.json {
			if err := json.NewEncoder(a.stdout).Encode(made.Record); err != nil {
				return err
			}
		}
		if flags.agentTasks == "" {
			return nil
		}
		return a.parts.WriteAgentTasks(&public, set, kinds, &made.Instance)
	})
	if err != nil {
		return err
	}
	if err := bench.WriteAtomic(flags.output, buf.Bytes()); err != nil {
		return err
	}
	if flags.agentTasks != "" {
		if err := bench.WriteAtomic(flags.agentTasks, public.Bytes()); err != nil {
			return err
		}
	}
	if !flags.json {
		if err := errors.Join(figures.Text(a.stdout), reviews.Text(a.stdout)); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "dataset: %s\n", flags.output)
	}
	return incomplete(w)
}

// check checks the flags and completes what they leave open.
func (o *buildFlags) check(parts engine.Parts) ([]tasks.Kind, error) {
	kinds, err := engine.KindsOf(parts.Kinds, o.options.Kinds, len(o.options.Kinds) == 0)
	if err != nil {
		return nil, err
	}
	o.options.Kinds = nil
	for _, k := range kinds {
		o.options.Kinds = append(o.options.Kinds, k.Name())
	}
	if !slices.Contains([]string{"L0", "L1", "L2", "L3"}, o.level) {
		return nil, fmt.Errorf("--level %q: expected L0, L1, L2 or L3", o.level)
	}
	o.options.LintFiles = o.lintFiles
	s := o.options.Select
	if s.MinFindings < 1 || s.MaxFindings < s.MinFindings {
		return nil, fmt.Errorf("--min-findings %d, --max-findings %d: expected at least 1, and the first at most the second", s.MinFindings, s.MaxFindings)
	}
	o.options.Rules, err = o.ruleFiles(parts.Linters)
	return kinds, err
}

// ruleFiles are the rules of the linters, by name.
func (o *buildFlags) ruleFiles(known *style.Linters) (map[string]style.RuleFile, error) {
	rules := map[string]style.RuleFile{}
	for _, name := range o.options.Linters {
		linter, err := known.Lookup(name)
		if err != nil {
			return nil, fmt.Errorf("--linters: %q is not known (%s)", name, strings.Join(slices.Sorted(slices.Values(known.Names())), ", "))
		}
		if rules[name], err = style.DefaultRules(linter); err != nil {
			return nil, fmt.Errorf("--linters: %s: %w", name, err)
		}
	}
	for _, path := range o.rules {
		file, err := style.LoadRules(path)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(o.options.Linters, file.Linter) {
			return nil, fmt.Errorf("%s: linter %q is not one of --linters", path, file.Linter)
		}
		rules[file.Linter] = file
	}
	return rules, nil
}
