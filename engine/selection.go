package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"assay/bench"
	"assay/languages"
)

// Selection is a part of a dataset.
type Selection struct {
	Name string // the dataset as it was named; for the run's records
	Path string // see bench.OpenDataset
	// Revision is that of a dataset of the hub: hf:OWNER/NAME...#COMMIT.
	Revision string
	// Include and Exclude are patterns of ids (see path.Match). Without any to
	// include all are meant.
	Include, Exclude []string
	// Languages are those that instances can have; nil means those that come
	// with assay.
	Languages *languages.Registry
	// SkipInvalid leaves broken records out.
	SkipInvalid bool
	// Notes takes what is worth knowing of the dataset, for people.
	Notes io.Writer
}

// Check reports patterns that cannot be read.
func (s Selection) Check() error {
	for _, p := range append(append([]string{}, s.Include...), s.Exclude...) {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("pattern %q: %w", p, err)
		}
	}
	return nil
}

// takes reports whether an instance is meant.
func (s Selection) takes(id string) bool {
	return (len(s.Include) == 0 || matches(s.Include, id)) && !matches(s.Exclude, id)
}

func matches(patterns []string, id string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, id); ok {
			return true
		}
	}
	return false
}

// Data is an opened dataset.
type Data struct {
	*bench.Dataset
	Partial     bool // broken records were left out
	predictions []*bench.Predictions
}

// Close closes all files.
func (d *Data) Close() error {
	errs := []error{d.Dataset.Close()}
	for _, p := range d.predictions {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

// Scan opens the dataset and gives every instance that is meant to fn. All of
// it is checked before Scan returns.
func (s Selection) Scan(ctx context.Context, fn func(bench.Entry, *bench.Instance) error) (*Data, error) {
	set, err := bench.OpenDataset(s.Path, s.Languages.Descriptors()...)
	if err != nil {
		return nil, err
	}
	err = set.Scan(ctx, func(e bench.Entry, inst *bench.Instance) error {
		if !s.takes(e.ID) {
			return nil
		}
		return fn(e, inst)
	})
	d := &Data{Dataset: set}
	if d.Partial, err = s.tolerate(err); err != nil {
		set.Close()
		return nil, err
	}
	if err := s.tellDuplicates(set.Duplicates()); err != nil {
		set.Close()
		return nil, err
	}
	return d, nil
}

// tellDuplicates notes the records that are not used because an earlier one
// has their id.
func (s Selection) tellDuplicates(found []bench.Duplicate) error {
	const most = 20
	if s.Notes == nil {
		return nil
	}
	for i, d := range found {
		if i == most {
			_, err := fmt.Fprintf(s.Notes, "assay: and %d more records whose id an earlier one has\n", len(found)-most)
			return err
		}
		if _, err := fmt.Fprintf(s.Notes, "assay: %s\n", d); err != nil {
			return err
		}
	}
	return nil
}

// List opens the dataset and lists the selected instances. It is an error if
// there are none.
func (s Selection) List(ctx context.Context) (*Data, []bench.Entry, error) {
	var entries []bench.Entry
	set, err := s.Scan(ctx, func(e bench.Entry, _ *bench.Instance) error {
		entries = append(entries, e)
		return nil
	})
	if err == nil && len(entries) == 0 && !set.Partial {
		set.Close()
		return nil, nil, fmt.Errorf("%s: --include and --exclude select no instance", s.Path)
	}
	return set, entries, err
}

// tolerate turns broken records into a note, where that was asked for.
func (s Selection) tolerate(err error) (partial bool, _ error) {
	var problems *bench.Problems
	if errors.As(err, &problems) && s.SkipInvalid {
		return true, nil
	}
	return false, err
}
