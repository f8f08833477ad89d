package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Predictions is a file of predictions: JSON Lines, a JSON list, or a JSON
// object of patches or predictions keyed by instance id. Like Dataset it
// holds an open file only.
type Predictions struct {
	src *source
}

// PredictionEntry is what an index holds of one prediction. InstanceID is as
// published, made safe for file names; compare ids by NormaliseID.
type PredictionEntry struct {
	InstanceID string
	Model      string
	Task       string
	Line       int   // of the file, from 1
	Offset     int64 // of the record in the file, in bytes
	Length     int   // of the record, in bytes
	Empty      bool  // the patch is empty or white space
}

// OpenPredictions opens a file of predictions and finds out its form.
func OpenPredictions(path string) (*Predictions, error) {
	src, err := openSource(path)
	if err != nil {
		return nil, err
	}
	return &Predictions{src: src}, nil
}

// ReadPredictions reads all predictions of a file. Where some records are wrong
// it returns the others, along with *Problems.
func ReadPredictions(ctx context.Context, path string) ([]Prediction, error) {
	p, err := OpenPredictions(path)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	entries, err := p.Index(ctx)
	var some *Problems
	if err != nil && !errors.As(err, &some) {
		return nil, err
	}
	out := make([]Prediction, 0, len(entries))
	for _, e := range entries {
		one, broken := p.Read(e)
		if broken != nil {
			return nil, broken
		}
		out = append(out, one)
	}
	return out, err
}

// Path is the path that the predictions were opened by.
func (p *Predictions) Path() string { return p.src.path }

// Close closes the file; Read fails afterwards.
func (p *Predictions) Close() error { return p.src.close() }

// Index reads the file once and returns an entry for every valid record, in
// the order of the file. Records that are wrong (broken JSON, bytes that are
// not UTF-8, no id, no patch, a second one of the same instance, model and
// task) are left out and make Index return *Problems along with the entries.
func (p *Predictions) Index(ctx context.Context) ([]PredictionEntry, error) {
	scan := &predictionScan{file: p, lines: map[predictionKey]int{}, shared: map[string]string{}}
	if err := p.src.each(ctx, scan.record); err != nil {
		return scan.entries, err
	}
	return scan.entries, scan.problems.err()
}

// Read reads the prediction of an entry. It may be called from many
// goroutines at once.
func (p *Predictions) Read(e PredictionEntry) (Prediction, error) {
	raw, err := p.src.at(e.Offset, e.Length)
	if err != nil {
		return Prediction{}, fmt.Errorf("reading prediction for %s: %w", e.InstanceID, err)
	}
	got, errs := p.decode(raw, rawRecord{key: e.InstanceID, start: place{line: e.Line}})
	if len(errs) > 0 {
		return Prediction{}, fmt.Errorf("reading prediction for %s again: %w", e.InstanceID, errs[0].at(p.src.path, e.Line))
	}
	return got, nil
}

// decode decodes a record; one that names no model has the file's name.
func (p *Predictions) decode(raw []byte, rec rawRecord) (Prediction, []*FieldError) {
	got, errs := decodePrediction(raw, rec)
	if got.Model == "" {
		base := filepath.Base(p.src.path)
		got.Model = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return got, errs
}

type predictionKey struct{ id, model, task string }

// predictionScan is the state of one pass.
type predictionScan struct {
	file     *Predictions
	lines    map[predictionKey]int
	shared   map[string]string
	problems Problems
	entries  []PredictionEntry
}

func (s *predictionScan) record(rec rawRecord) error {
	got, errs := s.check(rec)
	if len(errs) > 0 {
		for _, e := range errs {
			e.at(s.file.src.path, rec.start.line)
		}
		s.problems.add(errs...)
		return nil
	}
	s.entries = append(s.entries, PredictionEntry{
		InstanceID: got.InstanceID,
		Model:      share(s.shared, got.Model),
		Task:       share(s.shared, got.Task),
		Line:       rec.start.line,
		Offset:     rec.offset,
		Length:     len(rec.raw),
		Empty:      strings.TrimSpace(got.Patch) == "",
	})
	return nil
}

// check decodes a record and returns all that is wrong with it.
func (s *predictionScan) check(rec rawRecord) (Prediction, []*FieldError) {
	if rec.err != nil {
		return Prediction{}, []*FieldError{rec.err}
	}
	got, errs := s.file.decode(rec.raw, rec)
	if len(errs) > 0 {
		return got, errs
	}
	if !isID(got.InstanceID) {
		return got, []*FieldError{{Field: "instance_id", Expected: expectedID, Got: quoteShort(got.InstanceID)}}
	}
	key := predictionKey{NormaliseID(got.InstanceID), share(s.shared, got.Model), share(s.shared, got.Task)}
	if first, ok := s.lines[key]; ok {
		return got, []*FieldError{{
			Field:    "instance_id",
			Expected: "one prediction for each instance, model and task",
			Got:      fmt.Sprintf("%q by %q, which line %d has too", got.InstanceID, got.Model, first),
		}}
	}
	s.lines[key] = rec.start.line
	return got, nil
}
