package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"assay/bench"
	"assay/engine"
)

// now is the clock of every command.
func now() time.Time { return time.Now() }

// defaultJobs leaves every job a core of its own.
func defaultJobs() int { return max(1, runtime.NumCPU()) }

// datasetFlags are the flags of every command that reads a dataset.
type datasetFlags struct {
	name             string
	include, exclude []string
	skipInvalid      bool
}

func (o *datasetFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.name, "dataset", "d", "", "the dataset: a file (JSON Lines, JSON, Parquet) or a folder of such files (FOLDER:CONFIG@SPLIT names a part), or hf:OWNER/NAME:CONFIG@SPLIT#REVISION of the Hugging Face hub")
	secret(f, "dataset")
	f.StringSliceVarP(&o.include, "include", "i", nil, "only instances whose id matches one of these patterns (* and ?)")
	f.StringSliceVarP(&o.exclude, "exclude", "x", nil, "not the instances whose id matches one of these patterns")
	f.BoolVar(&o.skipInvalid, "skip-invalid", false, "leave broken records out and end with code 3, instead of starting nothing")
}

// selection checks which instances are meant. A dataset of the hub is fetched.
func (a *app) selection(ctx context.Context, o datasetFlags) (engine.Selection, error) {
	s := engine.Selection{Name: o.name, Path: o.name, Include: o.include, Exclude: o.exclude, SkipInvalid: o.skipInvalid, Notes: a.stderr}
	if o.name == "" {
		return s, errors.New("no dataset: give one with -d")
	}
	if err := s.Check(); err != nil {
		return s, err
	}
	if name, ok := hubName(o.name); ok {
		return s, a.fetchDataset(ctx, name, &s)
	}
	return s, nil
}

// checkOutput checks the name of a dataset to write.
func checkOutput(s engine.Selection, out string) error {
	if out == "" {
		return errors.New("no output: give a file with -o")
	}
	there, err := os.Stat(out)
	for _, path := range bench.DatasetPaths(s.Path) {
		in, inErr := os.Stat(path)
		if inErr != nil {
			continue // reported when it is opened
		}
		if err == nil && os.SameFile(in, there) {
			return fmt.Errorf("-o %s: expected another file than the dataset", out)
		}
	}
	return nil
}
