package main

import (
	"errors"
	"fmt"
	"sort"

	"github.com/spf13/cobra"

	"assay/agents"
	"assay/tasks"
)

// evalOptions are eval's flags, checked.
type evalOptions struct {
	selection
	predictions     []string
	gold, empty     bool
	agent           string
	minScore        *float64
	maxRemaining    *int
	kinds           []tasks.Kind
	kindsGiven      bool
	jobs            int
	output          string
	full, dryRun    bool
	noGoldCheck     bool
	minResolved     float64
	json, quiet     bool
	executor, repos string
}

func (a *app) evalOptionsOf(cmd *cobra.Command) (evalOptions, error) {
	f := cmd.Flags()
	var o evalOptions
	var err error
	if o.selection, err = a.selectionOf(cmd); err != nil {
		return o, err
	}
	o.predictions, _ = f.GetStringSlice("predictions")
	o.gold, _ = f.GetBool("gold")
	o.empty, _ = f.GetBool("empty")
	o.agent, _ = f.GetString("agent")
	o.jobs, _ = f.GetInt("jobs")
	o.output, _ = f.GetString("output")
	o.full, _ = f.GetBool("full")
	o.dryRun, _ = f.GetBool("dry-run")
	o.noGoldCheck, _ = f.GetBool("no-gold-check")
	o.minResolved, _ = f.GetFloat64("min-resolved")
	o.json, _ = f.GetBool("json")
	o.quiet, _ = f.GetBool("quiet")
	o.executor, _ = f.GetString("executor")
	o.repos, _ = f.GetString("repos")
	names, _ := f.GetStringSlice("tasks")
	given := 0
	for _, b := range []bool{len(o.predictions) > 0, o.gold, o.empty, o.agent != ""} {
		if b {
			given++
		}
	}
	switch {
	case given != 1:
		return o, errors.New("give exactly one of -p PREDICTIONS, --gold, --empty and --agent")
	case o.agent != "" && o.agent != agents.Autofix:
		return o, fmt.Errorf("--agent %q is not known (autofix)", o.agent)
	case o.jobs < 1:
		return o, fmt.Errorf("--jobs %d: expected at least 1", o.jobs)
	case o.minResolved > 1:
		return o, fmt.Errorf("--min-resolved %g: expected a share from 0 to 1", o.minResolved)
	}
	if f.Changed("min-score") {
		v, _ := f.GetFloat64("min-score")
		o.minScore = &v
	}
	if f.Changed("max-remaining") {
		v, _ := f.GetInt("max-remaining")
		o.maxRemaining = &v
	}
	o.kindsGiven = len(names) > 0
	if o.agent != "" && len(names) == 0 {
		names = []string{tasks.Style{}.Name()}
	}
	o.kinds, err = kindsOf(names, o.gold || o.empty)
	return o, err
}

func kindsOf(names []string, all bool) ([]tasks.Kind, error) {
	registry := tasks.Default()
	if len(names) == 0 && all {
		names = registry.Names()
	}
	if len(names) == 0 {
		names = []string{tasks.BugFix{}.Name()}
	}
	var kinds []tasks.Kind
	for _, n := range names {
		k, err := registry.Lookup(n)
		if err != nil {
			return nil, err
		}
		if containsKind(kinds, k) {
			continue
		}
		kinds = append(kinds, k)
	}
	return kinds, nil
}

// longestFirst orders items by what they are known to take, so that a batch
// does not end with one long task; what is not known comes first.
func longestFirst(items []item) {
	sort.SliceStable(items, func(i, j int) bool {
		a, b := items[i].seconds, items[j].seconds
		if (a == 0) != (b == 0) {
			return a == 0
		}
		return a > b
	})
}

// estimate adds up what the items took before; 0 where that is not known of
// all of them, since a part says little of the rest.
func estimate(items []item) float64 {
	total := 0.0
	for _, it := range items {
		if it.seconds == 0 {
			return 0
		}
		total += it.seconds
	}
	return total
}
