package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"assay/agents"
	"assay/attempts"
	"assay/bench"
	"assay/engine"
	"assay/harness"
	"assay/llm/prompts"
	"assay/tasks"
)

// defaultTime is what an attempt may take where nothing is said.
const defaultTime = time.Hour

// paperBudget is what an attempt may cost where nothing is said, in dollars, as
// in OmniCode's paper.
const paperBudget = 2

// runFlags are run's flags.
type runFlags struct {
	dataset            datasetFlags
	executor           executorFlags
	agent              agentFlags
	model              string
	output, prompts    string
	kinds, again       []string
	attempts, jobs     int
	retries            int
	budget, taskBudget float64
	prices             string
	seed               int64 // 0 for none
	method             methodFlags
	dryRun             bool
	json, quiet        bool
}

func (a *app) runCommand() *cobra.Command {
	o := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run -d DATASET -a AGENT [-m PROVIDER/MODEL] -o FOLDER",
		Short: "Let an agent solve tasks, and write its predictions",
		Long: `Lets an agent try the tasks of a dataset, each in a sandbox without network but for
the model, and writes what it submits to FOLDER/predictions.jsonl, which assay eval -p
takes as it is. See assay agents list for the agents, docs/agents.md for the folder.

The same command goes on where it was stopped: a finished attempt is not made again, and
what was spent counts. With a larger --budget it makes the attempts that were left.

` + exitHelp,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context(), *o) },
	}
	o.dataset.add(cmd)
	o.executor.add(cmd)
	cmd.Flags().Lookup("timeout").Usage = "time of one attempt, such as 20m or 2h (default: 1h)"
	o.add(cmd, a.parts)
	return cmd
}

// add adds the flags that only run has.
func (o *runFlags) add(cmd *cobra.Command, parts engine.Parts) {
	f := cmd.Flags()
	o.agent.add(cmd)
	f.StringVarP(&o.model, "model", "m", "", "the model that the agent uses, as provider/model; key and base URL by the usual variables or .env")
	f.StringVarP(&o.output, "output", "o", "", "the folder of the attempts")
	secret(f, "output")
	f.StringSliceVarP(&o.kinds, "tasks", "t", nil, "kinds of task: "+strings.Join(parts.Kinds.Names(), ", ")+" (default: all that the agent solves)")
	f.IntVarP(&o.attempts, "attempts-per-task", "k", 1, "how many attempts at each task")
	f.IntVarP(&o.jobs, "jobs", "j", defaultJobs(), "how many attempts are made at once")
	f.IntVar(&o.retries, "retries", 2, "how often an attempt is tried again that the provider or the sandbox failed")
	f.StringSliceVar(&o.again, "again", nil, "make finished attempts again that ended so: "+endNames())
	f.Float64Var(&o.budget, "budget", 0, "most dollars that the folder's attempts may cost in all; 0 means no limit")
	f.Float64Var(&o.taskBudget, "task-budget", paperBudget, "most dollars that one attempt may cost; 0 means no limit")
	f.Int64Var(&o.seed, "seed", 0, "seed of the first attempts' calls of the model, from 1 on; each further attempt has the next one (default: none)")
	f.StringVar(&o.prices, "prices", "", "file of prices that replace rows of the built-in table")
	o.method.add(cmd)
	f.StringVar(&o.prompts, "prompts", "", "folder of prompts that replace the built-in ones, by file name; or "+strings.Join(prompts.Variants(), ", "))
	f.BoolVar(&o.dryRun, "dry-run", false, "list the tasks, and run nothing")
	f.BoolVar(&o.json, "json", false, "write progress as JSON events to standard error")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "write no progress")
}

// check reports flags that make no sense.
func (o runFlags) check() error {
	switch {
	case o.output == "" && !o.dryRun:
		return errors.New("no output: give a folder with -o")
	case o.attempts < 1:
		return fmt.Errorf("--attempts-per-task %d: expected at least 1", o.attempts)
	case o.jobs < 1:
		return fmt.Errorf("--jobs %d: expected at least 1", o.jobs)
	case o.retries < 0:
		return fmt.Errorf("--retries %d: expected at least 0", o.retries)
	case o.seed < 0 || o.seed > math.MaxInt32-int64(o.attempts):
		return fmt.Errorf("--seed %d: expected a number from 1 on, with room for all attempts below 2^31", o.seed)
	case o.seed != 0 && o.model == "":
		return errors.New("--seed: seeds are for models, give one with -m")
	case !isAmount(o.budget):
		return fmt.Errorf("--budget %g: expected dollars, from 0 on", o.budget)
	case !isAmount(o.taskBudget):
		return fmt.Errorf("--task-budget %g: expected dollars, from 0 on", o.taskBudget)
	}
	for _, end := range o.again {
		if known := attempts.Ends(); !slices.Contains(known, agents.End(end)) {
			return fmt.Errorf("--again %q: expected some of %v", end, known)
		}
	}
	return isFolder(o.output)
}

// attemptTime is what an attempt may take.
func (o runFlags) attemptTime() time.Duration { return cmp.Or(o.executor.limits.time, defaultTime) }

func isAmount(usd float64) bool { return usd >= 0 && !math.IsInf(usd, 0) }

// isFolder rejects the name of a file, which is what -o once was.
func isFolder(path string) error {
	info, err := os.Stat(path)
	if ext := filepath.Ext(path); err == nil && !info.IsDir() || err != nil && slices.Contains([]string{".jsonl", ".json"}, ext) {
		return fmt.Errorf("-o %s: expected a folder; the predictions are in its file %s", path, attempts.PredictionsFile(1))
	}
	return nil
}

func (a *app) run(ctx context.Context, o runFlags) error {
	sel, err := a.selection(ctx, o.dataset)
	if err != nil {
		return err
	}
	agent, err := a.agent(ctx, o.agent)
	if err != nil {
		return err
	}
	o.agent.name = agent.Name()
	if err := o.check(); err != nil {
		return err
	}
	kinds, err := a.kindsFor(agent, o.kinds)
	if err != nil {
		return err
	}
	set, err := prompts.Load(o.prompts)
	if err != nil {
		return err
	}
	if agent, err = o.method.set(ctx, agent, set); err != nil {
		return err
	}
	list, err := engine.ListTasks(ctx, a.parts, sel, kinds)
	if err != nil {
		return err
	}
	defer list.Close()
	if list.Len() == 0 {
		among := ""
		if len(o.dataset.include)+len(o.dataset.exclude) > 0 {
			among = " that -i and -x leave"
		}
		return fmt.Errorf("there is nothing to solve: no instance%s has a task of the kinds %s", among, strings.Join(kindNames(kinds), ", "))
	}
	if o.dryRun {
		a.listOnly(list, o)
		return nil
	}
	return a.attempt(ctx, o, agent, list, set, kindNames(kinds))
}

// kindsFor are the kinds of these names, or all that the agent solves.
func (a *app) kindsFor(agent agents.Agent, names []string) ([]tasks.Kind, error) {
	if len(names) == 0 {
		var err error
		if names, err = engine.KindsSolved(agent, a.parts.Kinds); err != nil {
			return nil, err
		}
	}
	kinds, err := engine.KindsOf(a.parts.Kinds, names, false)
	if err != nil {
		return nil, err
	}
	for _, k := range kinds {
		if !agent.Solves(k) {
			return nil, fmt.Errorf("-t %s: %s solves no tasks of this kind", k.Name(), agent.Name())
		}
	}
	return kinds, nil
}

func kindNames(kinds []tasks.Kind) []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name()
	}
	return names
}

func (a *app) listOnly(list *engine.TaskList, o runFlags) {
	for i := range list.Len() {
		fmt.Fprintln(a.stdout, list.Name(i))
	}
	fmt.Fprintf(a.stdout, "%d tasks, %d attempts; nothing was run\n", list.Len(), list.Len()*o.attempts)
}

// attempt makes the attempts, and shows the results.
func (a *app) attempt(ctx context.Context, o runFlags, agent agents.Agent, list *engine.TaskList, set prompts.Set, kinds []string) error {
	model, err := a.agentModel(o, agent)
	if err != nil {
		return err
	}
	if agent, err = a.remembering(o.method, agent, model); err != nil {
		return err
	}
	who := attempts.Identity{Agent: agent.Name(), Model: o.model}
	folder, err := attempts.OpenFolder(o.output, who)
	if err != nil {
		return err
	}
	defer folder.Close()
	if note := folder.Repaired(); note != "" {
		fmt.Fprintln(a.stderr, "assay: "+note)
	}
	if err := o.writeConfig(kinds, set); err != nil {
		return err
	}
	limits := harness.Limits{Time: o.attemptTime()}
	o.executor.limits.time = 0 // of an attempt, and not of what else is run
	m, err := a.openMachine(ctx, o.executor)
	if err != nil {
		return err
	}
	defer m.Close()
	limits.Memory, limits.CPUs = m.Limits.Memory, m.Limits.CPUs
	show := a.newRunProgress(o.json, o.quiet)
	r := &attempts.Runner{
		Agent: agent, Model: o.model, Machine: m.Machine, Limits: limits, Folder: folder, Attempts: o.attempts, Jobs: o.jobs, Retries: o.retries,
		Budget: o.budget, TaskBudget: o.taskBudget, Seed: o.seed, Watch: show, Sleep: harness.Sleep, Visible: a.visible(agent),
		Prompt: a.promptOf(agent, set), Trajectory: trajectoryOf,
	}
	if model != nil {
		r.Open = model.opener(o.budget, folder.Spent())
	}
	for _, end := range o.again {
		r.Again = append(r.Again, agents.End(end))
	}
	counts, err := r.Run(ctx, tasksOf(list))
	show.finish(counts, folder.Spent())
	// What is finished is worth having also where the run was cut.
	files, written := writeOutcome(folder, who, kinds)
	if err := errors.Join(err, written); err != nil {
		return a.runError(err)
	}
	return a.finishRun(folder, who, kinds, files, counts, list.Partial)
}

// visible identifies what an agent sees of a task. One that needs no model may
// see everything, and costs nothing to run again.
func (a *app) visible(agent agents.Agent) func(tasks.Task, string) (string, error) {
	if _, ok := agent.(agents.Modeled); ok {
		return engine.VisibleDigest
	}
	return engine.WholeDigest
}

// runError gives the errors that end a run their exit codes.
func (a *app) runError(err error) error {
	var refused *attempts.RefusedError
	if errors.As(err, &refused) {
		return fmt.Errorf("%w (check the key and the model's name)", err)
	}
	return err
}

func tasksOf(list *engine.TaskList) []attempts.Task {
	out := make([]attempts.Task, list.Len())
	for i := range out {
		out[i] = attempts.Task{Name: list.Name(i), Instance: list.Instance(i), Load: func() (tasks.Task, error) { return list.Load(i) }}
	}
	return out
}

func writeOutcome(folder *attempts.Folder, who attempts.Identity, kinds []string) ([]string, error) {
	files, err := folder.WritePredictions(kinds)
	return files, errors.Join(err, folder.WriteSummary(folder.Summarise(who, kinds)))
}

// writeConfig notes how the run was called.
func (o runFlags) writeConfig(kinds []string, set prompts.Set) error {
	text, err := yaml.Marshal(map[string]any{
		"dataset": o.dataset.name, "include": o.dataset.include, "exclude": o.dataset.exclude, "agent": o.agent.name, "command": o.agent.command, "from": o.agent.from, "model": o.model, "tasks": kinds,
		"attempts-per-task": o.attempts, "jobs": o.jobs, "retries": o.retries, "budget": o.budget, "task-budget": o.taskBudget, "seed": o.seed, "timeout": o.attemptTime().String(),
		"set": o.method.settings, "tests": o.method.tests, "fixes": o.method.fixes, "test-files": o.method.shown, "record": o.method.record, "replay": o.method.replay, "executor": o.executor.name, "repos": o.executor.repos, "prompts": o.prompts, "prompts_digest": set.Digest(), "version": version(),
	})
	if err != nil {
		return err
	}
	return bench.WriteAtomic(filepath.Join(o.output, "config.yaml"), text)
}

// finishRun prints the figures and decides the exit code.
func (a *app) finishRun(folder *attempts.Folder, who attempts.Identity, kinds, files []string, c attempts.Counts, partial bool) error {
	summary := folder.Summarise(who, kinds)
	if err := summary.Text(a.stdout); err != nil {
		return err
	}
	if summary.SpentUSD > summary.Total.CostUSD {
		fmt.Fprintf(a.stdout, "spent by all tries, also those that were cut: $%.4f\n", summary.SpentUSD)
	}
	if n := silentOf(folder); n > 0 {
		fmt.Fprintf(a.stdout, "%d attempts made no call of the model: see output.log in their folders\n", n)
	}
	if _, stale := folder.Current(); stale > 0 {
		fmt.Fprintf(a.stdout, "%d attempts of an earlier agent, prompt or task are not among the predictions\n", stale)
	}
	fmt.Fprintf(a.stdout, "predictions: %s\n", strings.Join(files, " "))
	switch {
	case c.Left > 0:
		return &codedError{exitBudget, fmt.Errorf("the budget does not pay for more ($%.4f are spent): %d of %d attempts were left; the same command with a larger --budget makes them", summary.SpentUSD, c.Left, c.Total)}
	case c.Failed > 0:
		return &codedError{exitNotJudged, fmt.Errorf("%d of %d attempts could not be made (see attempt.json in %s); the same command tries them again", c.Failed, c.Total, filepath.Join(folder.Dir, "attempts"))}
	case partial:
		return &codedError{exitNotJudged, errors.New("broken records were left out")}
	}
	return nil
}

// silentOf counts the attempts with a model that never asked it.
func silentOf(folder *attempts.Folder) int {
	n := 0
	for _, r := range folder.Records() {
		if r.Model != "" && r.Calls == 0 && r.Steps == 0 {
			n++
		}
	}
	return n
}
