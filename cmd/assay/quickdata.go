package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"assay/bench"
	"assay/engine"
	"assay/languages"
	"assay/tasks"
)

// quick is what quickstart judges and where it is.
type quick struct {
	parts      engine.Parts
	dir, repos string
	dataset    string   // the chosen instances, JSON Lines
	flawed     []string // files of flawed fixes and tests
	all        bool
}

// styleTasks is how many style tasks an instance gets, as a flag has it.
func (q quick) styleTasks() string {
	if q.all {
		return "3"
	}
	return "1"
}

// chosen are the instances of a short run: one of each language, the one that
// has style tasks and the quicker tests, in the order in which their
// environments are ready.
func (q quick) chosen() []string {
	return []string{"assay-samples__tidemark-7", "assay-samples__cellgraph-23", "assay-samples__coinsplit-31"}
}

// pick writes the dataset of the instances to judge. Each names its linter, so
// that one environment does for its tests and for its style tasks.
func (q quick) pick(ctx context.Context, from string) ([]bench.Instance, error) {
	set, err := bench.OpenDataset(from)
	if err != nil {
		return nil, err
	}
	defer set.Close()
	var picked []bench.Instance
	err = set.Scan(ctx, func(_ bench.Entry, inst *bench.Instance) error {
		if q.all || slices.Contains(q.chosen(), inst.ID) {
			env := *inst.Env
			env.Linters = q.linters(inst.Language)
			inst.Env = &env
			picked = append(picked, *inst)
		}
		return nil
	})
	if !q.all {
		slices.SortFunc(picked, func(a, b bench.Instance) int {
			return slices.Index(q.chosen(), a.ID) - slices.Index(q.chosen(), b.ID)
		})
	}
	var buf bytes.Buffer
	for _, inst := range picked {
		err = errors.Join(err, bench.WriteInstance(&buf, inst))
	}
	return picked, errors.Join(err, bench.WriteAtomic(q.dataset, buf.Bytes()))
}

// linters names the linter of a language's style tasks.
func (q quick) linters(language string) []string {
	for _, l := range q.parts.Linters.All() {
		if l.About().Language == language {
			return []string{l.About().Name}
		}
	}
	return nil
}

// kinds are those of which the instances have tasks as they are, and those that
// must be built first.
func (q quick) kinds(instances []bench.Instance) (ready, rest []tasks.Kind) {
	for _, k := range q.parts.Kinds.All() {
		builds := slices.ContainsFunc(instances, func(inst bench.Instance) bool {
			_, err := k.Build(&inst)
			return err == nil
		})
		if builds {
			ready = append(ready, k)
		} else {
			rest = append(rest, k)
		}
	}
	return ready, rest
}

// flawedKind is a kind that can make a wrong answer to a task that was built.
type flawedKind interface {
	Flawed(ctx context.Context, bed *languages.Testbed, t tasks.Task) (string, error)
}

// submissions writes what is to be judged of some kinds: for every task the
// gold submission where there is one, a flawed one, and an empty one.
func (q quick) submissions(ctx context.Context, dataset string, kinds []tasks.Kind, path string) error {
	known, err := q.flawedByTask()
	if err != nil {
		return err
	}
	set, err := bench.OpenDataset(dataset)
	if err != nil {
		return err
	}
	defer set.Close()
	m := languages.Machine{Sources: engine.Sources(q.repos, "")}
	var buf bytes.Buffer
	err = set.Scan(ctx, func(_ bench.Entry, inst *bench.Instance) error {
		for _, k := range kinds {
			ts, err := k.Build(inst)
			if err != nil {
				continue
			}
			for _, t := range ts {
				if err := writeTaskSubmissions(ctx, &buf, m, k, t, known[t.ID()]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), bench.WriteAtomic(path, buf.Bytes()))
}

// flawedByTask reads the flawed submissions that come with the samples, by the
// task's id.
func (q quick) flawedByTask() (map[string]string, error) {
	out := map[string]string{}
	for _, file := range q.flawed {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range bytes.Lines(data) {
			var p bench.Prediction
			if err := json.Unmarshal(line, &p); err != nil {
				return nil, fmt.Errorf("reading %s: %w", file, err)
			}
			out[p.Task+"/"+p.InstanceID] = p.Patch
		}
	}
	return out, nil
}

func writeTaskSubmissions(ctx context.Context, w *bytes.Buffer, m languages.Machine, k tasks.Kind, t tasks.Task, flawed string) error {
	var made []bench.Prediction
	if tasks.HasSolution(k) {
		gold, err := tasks.Solution(ctx, m, k, t)
		if err != nil {
			return err
		}
		made = append(made, gold)
	}
	if maker, ok := k.(flawedKind); ok && flawed == "" {
		bed, err := m.Open(ctx, t.Instance)
		if err != nil {
			return err
		}
		if flawed, err = maker.Flawed(ctx, bed, t); err != nil {
			return err
		}
	}
	if flawed != "" {
		made = append(made, bench.Prediction{InstanceID: t.Name(), Model: "flawed", Task: t.Kind, Patch: flawed})
	}
	for _, p := range append(made, tasks.Nothing(t)) {
		if err := bench.WritePrediction(w, p); err != nil {
			return err
		}
	}
	return nil
}
