package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/bench"
	"assay/tasks"
)

// Replay is the agent that submits again what was submitted before.
type Replay struct {
	from   string
	before map[string][]bench.Prediction // by instance and part, in the order of attempts
}

var _ Identified = Replay{}

// OpenReplay reads what to submit: a file of predictions, the folder of a run of
// assay (predictions.jsonl, predictions-2.jsonl and so on), or a folder of
// SWE-agent's or mini-swe-agent's trajectories (*.traj, *.traj.json). Of several
// submissions to one task the first is attempt 1.
func OpenReplay(ctx context.Context, path string) (Replay, error) {
	r := Replay{from: path, before: map[string][]bench.Prediction{}}
	files, err := replayFiles(path)
	if err != nil {
		return r, fmt.Errorf("reading what to replay: %w", err)
	}
	for _, f := range files {
		if err := r.read(ctx, f); err != nil {
			return r, fmt.Errorf("reading what to replay: %w", err)
		}
	}
	if len(r.before) == 0 {
		return r, fmt.Errorf("%s: no predictions and no trajectories", path)
	}
	for _, list := range r.before {
		slices.SortStableFunc(list, func(a, b bench.Prediction) int { return cmp.Compare(a.Attempt, b.Attempt) })
	}
	return r, nil
}

// replayFiles are a file, or the files of a folder that hold submissions, sorted.
func replayFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	found, err := filepath.Glob(filepath.Join(path, "predictions*.jsonl"))
	if err != nil || len(found) > 0 {
		slices.SortFunc(found, func(a, b string) int { return cmp.Or(len(a)-len(b), cmp.Compare(a, b)) })
		return found, err
	}
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && isTrajectory(p) {
			found = append(found, p)
		}
		return err
	})
	return found, err
}

func isTrajectory(p string) bool {
	return strings.HasSuffix(p, ".traj") || strings.HasSuffix(p, ".traj.json")
}

func (r Replay) read(ctx context.Context, file string) error {
	if isTrajectory(file) {
		return r.readTrajectory(file)
	}
	found, err := bench.ReadPredictions(ctx, file)
	if err != nil {
		return err
	}
	for _, p := range found {
		r.before[p.InstanceID] = append(r.before[p.InstanceID], p)
	}
	return nil
}

// readTrajectory takes the submission out of a trajectory.
func (r Replay) readTrajectory(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var t struct {
		InstanceID string `json:"instance_id"`
		Info       *struct {
			Submission *string `json:"submission"`
		} `json:"info"`
	}
	if err := json.Unmarshal(data, &t); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if t.Info == nil {
		return fmt.Errorf("%s: expected an object with info, as SWE-agent writes it", file)
	}
	p := bench.Prediction{InstanceID: t.InstanceID}
	if p.InstanceID == "" {
		p.InstanceID = strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".json"), ".traj")
	}
	if t.Info.Submission != nil {
		p.Patch = *t.Info.Submission
	}
	r.before[p.InstanceID] = append(r.before[p.InstanceID], p)
	return nil
}

// Name implements Agent.
func (Replay) Name() string { return "replay" }

// Solves implements Agent.
func (Replay) Solves(tasks.Kind) bool { return true }

// Digest implements Identified.
func (r Replay) Digest() string {
	data, err := json.Marshal(r.before)
	if err != nil {
		return err.Error()
	}
	return digestOf(data)
}

// Solve implements Agent. A task to which nothing was submitted, or not so often,
// is given up.
func (r Replay) Solve(_ context.Context, w Work) (Outcome, error) {
	if w.Attempt < 1 {
		return Outcome{}, errors.New("agent replay: attempts count from 1")
	}
	n := 0
	for _, p := range r.before[w.Task.Name()] {
		if p.Task != "" && p.Task != w.Task.Kind {
			continue
		}
		if n++; n == w.Attempt {
			return Outcome{Patch: p.Patch, End: Done, Steps: p.Steps}, nil
		}
	}
	return Outcome{End: GaveUp, Detail: fmt.Sprintf("%s has no attempt %d at it", r.from, w.Attempt)}, nil
}
