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
	"assay/languages"
	"assay/report"
	"assay/style"
	"assay/style/linters"
	"assay/tasks"
)

func (a *app) buildCommand() *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error { return a.build(cmd) },
	}
	datasetFlags(cmd)
	executorFlags(cmd)
	modelFlags(cmd)
	f := cmd.Flags()
	f.StringP("output", "o", "", "the dataset to write (JSON Lines); what it needs to go on lies beside it in OUTPUT.build")
	f.StringSliceP("tasks", "t", nil, "kinds of task to build (default: all)")
	f.IntP("jobs", "j", defaultJobs(), "how many instances are built at once")
	f.Int64("seed", 1, "seed of every choice")
	f.StringSlice("linters", []string{"pylint", "pmd", "clang-tidy"}, "linters of style tasks: pylint, pmd, checkstyle, clang-tidy")
	f.StringSlice("rules", nil, "files that replace a linter's rule list")
	f.Int("lint-files", -1, "lint at most so many files of an instance; 0 means all (default: 100 for Python and Java, 15 for C++)")
	f.Int("min-findings", 3, "least findings of a style task")
	f.Int("max-findings", 30, "most findings of a style task")
	f.Int("style-tasks", 3, "most style tasks of an instance; 0 means all")
	f.String("level", "L2", "how much a review without a model tells: L0 failing behaviour, L1 + file, L2 + symbol, L3 + category")
	f.Bool("quote-tests", false, "let reviews name hidden tests and quote what they expect")
	f.Int("reviews", 1, "most reviewed bad patches of an instance; 0 means all")
	f.Bool("arms", false, "add, to every review task, one that shows the bad patch alone")
	f.String("agent-tasks", "", "also write what agents may see, one task a line, to this file")
	f.Bool("json", false, "write one JSON record per instance to standard output, and no table")
	return cmd
}

func (a *app) build(cmd *cobra.Command) error {
	ctx := cmd.Context()
	sel, err := a.selectionOf(cmd)
	if err != nil {
		return err
	}
	out, _ := cmd.Flags().GetString("output")
	if err := checkOutput(sel, out); err != nil {
		return err
	}
	options, err := buildOptions(cmd)
	if err != nil {
		return err
	}
	o, err := a.open(cmd, sel)
	if err != nil {
		return err
	}
	defer o.Close()
	writer, err := a.openReviewer(cmd, out+".build")
	if err != nil {
		return err
	}
	defer writer.Close()
	j, err := openJournal[built](filepath.Join(out+".build", "built.jsonl"))
	if err != nil {
		return err
	}
	defer j.Close()
	builder := dataset.Builder{Machine: o.Machine, Linters: linterSet(), Reviewer: writer, Options: options}
	w := &making[built]{
		app: a, set: o.set, entries: o.entries, journal: j, settings: settingsKey(options, writer.key, o.Limits),
		make: func(ctx context.Context, inst bench.Instance) (built, string, bool, error) {
			made, rec, err := builder.Build(ctx, inst)
			return built{made, rec}, buildLine(rec), rec.Trouble == "", err
		},
	}
	jobs, _ := cmd.Flags().GetInt("jobs")
	if err := w.all(ctx, jobs); err != nil {
		return fmt.Errorf("stopped; give the same command again to go on: %w", err)
	}
	return a.finishBuild(cmd, w, options.Kinds, out)
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

// buildLine says what was built of an instance and why not.
func buildLine(r dataset.Record) string {
	if r.Trouble != "" {
		return r.InstanceID + ": not built: " + r.Trouble
	}
	var parts []string
	for _, k := range tasks.Default().Names() {
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

// leakLines tell of reviews that leak, and of published ones that were replaced
// for it.
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
func (a *app) finishBuild(cmd *cobra.Command, w *making[built], kinds []string, out string) error {
	var buf, public bytes.Buffer
	figures, reviews := &report.Dataset{}, &dataset.Figures{}
	asJSON, _ := cmd.Flags().GetBool("json")
	agentTasks, _ := cmd.Flags().GetString("agent-tasks")
	prompts, err := promptsOf(cmd)
	if err != nil {
		return err
	}
	err = w.each(func(made built) error {
		if err := bench.WriteInstance(&buf, made.Instance); err != nil {
			return err
		}
		figures.Add(&made.Instance)
		reviews.Add(made.Record)
		if asJSON {
			if err := json.NewEncoder(a.stdout).Encode(made.Record); err != nil {
				return err
			}
		}
		if agentTasks == "" {
			return nil
		}
		return writeAgentTasks(&public, prompts, kinds, &made.Instance)
	})
	if err != nil {
		return err
	}
	if err := bench.WriteAtomic(out, buf.Bytes()); err != nil {
		return err
	}
	if agentTasks != "" {
		if err := bench.WriteAtomic(agentTasks, public.Bytes()); err != nil {
			return err
		}
	}
	if !asJSON {
		if err := errors.Join(figures.Text(a.stdout), reviews.Text(a.stdout)); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "dataset: %s\n", out)
	}
	return w.verdict()
}

// buildOptions are the flags that decide what is built.
func buildOptions(cmd *cobra.Command) (dataset.Options, error) {
	f := cmd.Flags()
	var o dataset.Options
	names, _ := f.GetStringSlice("tasks")
	kinds, err := kindsOf(names, len(names) == 0)
	if err != nil {
		return o, err
	}
	o.Kinds = kindNames(kinds)
	o.Linters, _ = f.GetStringSlice("linters")
	o.Seed, _ = f.GetInt64("seed")
	o.Reviews, _ = f.GetInt("reviews")
	o.Arms, _ = f.GetBool("arms")
	o.QuoteTests, _ = f.GetBool("quote-tests")
	if level, _ := f.GetString("level"); !slices.Contains([]string{"L0", "L1", "L2", "L3"}, level) {
		return o, fmt.Errorf("--level %q: expected L0, L1, L2 or L3", level)
	}
	files, _ := f.GetInt("lint-files")
	o.LintFiles = map[string]int{languages.Python: 100, languages.Java: 100, languages.Cpp: 15}
	if files >= 0 {
		o.LintFiles = map[string]int{languages.Python: files, languages.Java: files, languages.Cpp: files}
	}
	return o, styleOptions(cmd, &o)
}

// styleOptions are the flags of style tasks.
func styleOptions(cmd *cobra.Command, o *dataset.Options) error {
	f := cmd.Flags()
	o.Select = style.DefaultSelect()
	o.Select.MinFindings, _ = f.GetInt("min-findings")
	o.Select.MaxFindings, _ = f.GetInt("max-findings")
	o.Select.MaxTasks, _ = f.GetInt("style-tasks")
	if o.Select.MinFindings < 1 || o.Select.MaxFindings < o.Select.MinFindings {
		return fmt.Errorf("--min-findings %d, --max-findings %d: expected at least 1, and no more than the other", o.Select.MinFindings, o.Select.MaxFindings)
	}
	o.Rules = map[string]style.RuleFile{}
	known := linterSet()
	for _, name := range o.Linters {
		if _, ok := known[name]; !ok {
			return fmt.Errorf("--linters: %q is not known (%s)", name, strings.Join(sortedKeys(known), ", "))
		}
		file, err := linters.Rules(name)
		if err != nil {
			return err
		}
		o.Rules[name] = file
	}
	files, _ := f.GetStringSlice("rules")
	for _, path := range files {
		file, err := style.LoadRules(path)
		if err != nil {
			return err
		}
		if !slices.Contains(o.Linters, file.Linter) {
			return fmt.Errorf("%s: linter %q is not one of --linters", path, file.Linter)
		}
		o.Rules[file.Linter] = file
	}
	return nil
}
