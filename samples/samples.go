package samples

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"assay/bench"
)

// Paths reports where Write put things.
type Paths struct {
	Dataset     string // instances, JSON Lines
	Repos       string // bare repositories, <owner>__<name>.git
	Flawed      string // wrong bug fixes, JSON Lines
	FlawedTests string // weak tests, JSON Lines
}

// Write puts the benchmark into dir: dataset.jsonl, the repositories below
// repos, and the flawed submissions below predictions. What is there already
// is kept where it is the same and replaced where not, so that Write may be
// repeated. The same assay writes the same bytes and the same commit ids
// everywhere. It needs the git command (2.28 or later).
func Write(ctx context.Context, dir string) (Paths, error) {
	p := Paths{
		Dataset:     filepath.Join(dir, "dataset.jsonl"),
		Repos:       filepath.Join(dir, "repos"),
		Flawed:      filepath.Join(dir, "predictions", "flawed.jsonl"),
		FlawedTests: filepath.Join(dir, "predictions", "flawed-testgen.jsonl"),
	}
	repos, err := filepath.Abs(p.Repos)
	if err != nil {
		return p, fmt.Errorf("writing the samples: %w", err)
	}
	for _, d := range []string{repos, filepath.Dir(p.Flawed)} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return p, fmt.Errorf("writing the samples: %w", err)
		}
	}
	var dataset, fixes, tests bytes.Buffer
	for _, folder := range folders() {
		if err := add(ctx, folder, repos, &dataset, &fixes, &tests); err != nil {
			return p, err
		}
	}
	return p, errors.Join(
		bench.WriteAtomic(p.Dataset, dataset.Bytes()),
		bench.WriteAtomic(p.Flawed, fixes.Bytes()),
		bench.WriteAtomic(p.FlawedTests, tests.Bytes()))
}

// add makes one sample's repository, and appends its lines.
func add(ctx context.Context, folder, repos string, dataset, fixes, tests io.Writer) error {
	d, err := load(folder)
	if err != nil {
		return err
	}
	base, err := writeRepository(ctx, repos, d)
	if err != nil {
		return err
	}
	in, err := d.instance(base)
	if err != nil {
		return err
	}
	wrong, err := d.flawed("bugfix")
	if err != nil {
		return err
	}
	weak, err := d.flawed("testgen")
	if err != nil {
		return err
	}
	return errors.Join(bench.WriteInstance(dataset, in), bench.WritePrediction(fixes, wrong), bench.WritePrediction(tests, weak))
}

// flawed returns the flawed submission for a kind of task.
func (d definition) flawed(task string) (bench.Prediction, error) {
	text, err := d.patch("flawed/" + task)
	return bench.Prediction{InstanceID: d.ID, Model: "flawed", Patch: text, Task: task}, err
}
