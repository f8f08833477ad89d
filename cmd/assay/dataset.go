package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"assay/bench"
)

// now is the clock of every command.
func now() time.Time { return time.Now() }

// defaultJobs leaves every job a core of its own.
func defaultJobs() int { return max(1, runtime.NumCPU()) }

func datasetFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringP("dataset", "d", "", "the dataset: a file (JSON Lines, JSON, Parquet) or a folder of such files (FOLDER:CONFIG@SPLIT names a part), or hf:OWNER/NAME:CONFIG@SPLIT#REVISION of the Hugging Face hub")
	f.StringSliceP("include", "i", nil, "only instances whose id matches one of these patterns (* and ?)")
	f.StringSliceP("exclude", "x", nil, "not the instances whose id matches one of these patterns")
	f.Bool("skip-invalid", false, "leave broken records out and end with code 3, instead of starting nothing")
}

// selection says which instances of a dataset are meant.
type selection struct {
	name             string // the dataset as it was named
	dataset          string // where it lies
	revision         string // hf:OWNER/NAME...#COMMIT, where it came from the hub
	include, exclude []string
	skipInvalid      bool
	notes            io.Writer // takes what is worth knowing of the dataset
}

func (a *app) selectionOf(cmd *cobra.Command) (selection, error) {
	f := cmd.Flags()
	s := selection{notes: a.stderr}
	s.dataset, _ = f.GetString("dataset")
	s.include, _ = f.GetStringSlice("include")
	s.exclude, _ = f.GetStringSlice("exclude")
	s.skipInvalid, _ = f.GetBool("skip-invalid")
	if s.dataset == "" {
		return s, errors.New("no dataset: give one with -d")
	}
	s.name = s.dataset
	for _, p := range append(append([]string{}, s.include...), s.exclude...) {
		if _, err := path.Match(p, ""); err != nil {
			return s, fmt.Errorf("pattern %q: %w", p, err)
		}
	}
	if name, ok := hubName(s.dataset); ok {
		return s, a.fetchDataset(cmd, name, &s)
	}
	return s, nil
}

// takes reports whether an instance is meant.
func (s selection) takes(id string) bool {
	return (len(s.include) == 0 || matches(s.include, id)) && !matches(s.exclude, id)
}

func matches(patterns []string, id string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, id); ok {
			return true
		}
	}
	return false
}

// data is an opened dataset.
type data struct {
	*bench.Dataset
	predictions []*bench.Predictions
	partial     bool // broken records were left out
}

// Close closes all files.
func (d *data) Close() {
	d.Dataset.Close()
	for _, p := range d.predictions {
		p.Close()
	}
}

// scan opens the dataset and gives every instance that is meant to fn. All of
// it is checked before anything is started.
func (s selection) scan(ctx context.Context, fn func(bench.Entry, *bench.Instance) error) (*data, error) {
	set, err := bench.OpenDataset(s.dataset)
	if err != nil {
		return nil, err
	}
	err = set.Scan(ctx, func(e bench.Entry, inst *bench.Instance) error {
		if !s.takes(e.ID) {
			return nil
		}
		return fn(e, inst)
	})
	d := &data{Dataset: set}
	if d.partial, err = s.tolerate(err); err != nil {
		set.Close()
		return nil, err
	}
	return d, s.tellDuplicates(set.Duplicates())
}

// tellDuplicates notes the records that are not used because an earlier one
// has their id.
func (s selection) tellDuplicates(found []bench.Duplicate) error {
	const most = 20
	for i, d := range found {
		if i == most {
			_, err := fmt.Fprintf(s.notes, "assay: and %d more records whose id an earlier one has\n", len(found)-most)
			return err
		}
		if _, err := fmt.Fprintf(s.notes, "assay: %s\n", d); err != nil {
			return err
		}
	}
	return nil
}

// list opens the dataset and lists the instances that are meant.
func (s selection) list(ctx context.Context) (*data, []bench.Entry, error) {
	var entries []bench.Entry
	set, err := s.scan(ctx, func(e bench.Entry, _ *bench.Instance) error {
		entries = append(entries, e)
		return nil
	})
	if err == nil && len(entries) == 0 && !set.partial {
		set.Close()
		return nil, nil, fmt.Errorf("%s: no instance is meant by --include and --exclude", s.dataset)
	}
	return set, entries, err
}

// checkOutput checks the name of a dataset to write.
func checkOutput(s selection, out string) error {
	if out == "" {
		return errors.New("no output: give a file with -o")
	}
	there, err := os.Stat(out)
	for _, path := range bench.DatasetPaths(s.dataset) {
		in, inErr := os.Stat(path)
		if inErr != nil {
			continue // told when it is opened
		}
		if err == nil && os.SameFile(in, there) {
			return fmt.Errorf("-o %s: expected another file than the dataset", out)
		}
	}
	return nil
}

// tolerate turns broken records into a note, where that was asked for.
func (s selection) tolerate(err error) (partial bool, _ error) {
	var problems *bench.Problems
	if errors.As(err, &problems) && s.skipInvalid {
		return true, nil
	}
	return false, err
}
