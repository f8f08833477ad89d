package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Dataset is a file of instances: JSON Lines, a JSON list, a JSON object
// keyed by id, or one instance; a Parquet file; or a folder (see
// OpenDataset). It holds an open file and no instances, so that its memory
// does not grow with the dataset.
type Dataset struct {
	src        *source
	languages  Languages
	duplicates []Duplicate
}

// Entry is what an index holds of one instance, some hundred bytes. Language
// and Repo are shared between entries.
type Entry struct {
	ID         string
	Language   string
	Repo       string
	Line       int   // of what the dataset reads from, from 1: the file, or all rows in their order
	Offset     int64 // of the record, in bytes
	Length     int   // of the record, in bytes
	BadPatches int
	Variants   int
	HasImage   bool
}

// Path is the path that the dataset was opened by.
func (d *Dataset) Path() string { return d.src.path }

// Digest is the SHA-256, in hex, of the file, or else of all records as JSON
// Lines, in their order.
func (d *Dataset) Digest(ctx context.Context) (string, error) {
	if err := d.src.fill(ctx); err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(d.src.file, 0, d.src.size)); err != nil {
		return "", fmt.Errorf("reading %s: %w", d.src.path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Close closes the file; Read fails afterwards.
func (d *Dataset) Close() error { return d.src.close() }

// Scan reads the file once from start to end, checks every record (see
// Instance.Check), and gives the valid ones to fn in the order of the file.
// The instance is fn's to keep. Of several valid records with one id, as
// NormaliseID spells it, the first is given; Duplicates lists the others.
//
// Records that are wrong are left out; if there are any, Scan ends with
// *Problems. Where fn returns a *FieldError, the record is counted among
// these (file and line are filled in) and the scan continues; any other error
// ends it.
func (d *Dataset) Scan(ctx context.Context, fn func(Entry, *Instance) error) error {
	scan := &instanceScan{
		place: d.src.place, read: d.Read, languages: d.languages,
		first: map[string]firstRecord{}, shared: map[string]string{}, fn: fn,
	}
	if err := d.src.each(ctx, scan.record); err != nil {
		return err
	}
	d.duplicates = scan.duplicates
	return scan.problems.err()
}

// Duplicates are the records that the last Scan left out because an earlier
// one has their id, in the order of the file.
func (d *Dataset) Duplicates() []Duplicate { return d.duplicates }

// Index scans the file and returns the entries of its valid records, in the
// order of the file. Where the error is *Problems the entries are usable:
// they leave out what is wrong.
func (d *Dataset) Index(ctx context.Context) ([]Entry, error) {
	var entries []Entry
	err := d.Scan(ctx, func(e Entry, _ *Instance) error {
		entries = append(entries, e)
		return nil
	})
	return entries, err
}

// Read reads the instance of an entry. It may be called from many goroutines
// at once. That another instance is there now is an error: the file was
// changed since.
func (d *Dataset) Read(e Entry) (Instance, error) {
	raw, err := d.src.at(e.Offset, e.Length)
	if err != nil {
		return Instance{}, fmt.Errorf("reading instance %s: %w", e.ID, err)
	}
	in, errs := decodeInstance(raw, rawRecord{key: e.ID, start: place{line: e.Line}}, d.languages)
	if len(errs) > 0 {
		return Instance{}, fmt.Errorf("reading instance %s again: %w", e.ID, errs[0].at(d.src.place(e.Line)))
	}
	if in.ID != e.ID {
		file, line := d.src.place(e.Line)
		return Instance{}, fmt.Errorf("reading instance %s: %s holds %s now: the file was changed", e.ID, where(file, line, 0), in.ID)
	}
	return in, nil
}

// instanceScan is the state of one pass.
type instanceScan struct {
	place      func(line int) (string, int)
	read       func(Entry) (Instance, error)
	languages  Languages
	first      map[string]firstRecord // by normalised id
	shared     map[string]string
	problems   Problems
	duplicates []Duplicate
	fn         func(Entry, *Instance) error
}

// record checks one record and hands it on.
func (s *instanceScan) record(rec rawRecord) error {
	in, errs := s.check(rec)
	if len(errs) == 0 {
		id := NormaliseID(in.ID)
		if first, ok := s.first[id]; ok {
			return s.duplicate(rec, in, first)
		}
		s.first[id] = firstRecord{in.ID, rec.start.line, rec.offset, len(rec.raw)}
		err := s.fn(s.entry(rec, in), in)
		var wrong *FieldError
		if !errors.As(err, &wrong) {
			return err
		}
		errs = append(errs, wrong)
	}
	file, line := s.place(rec.start.line)
	for _, e := range errs {
		e.at(file, line)
	}
	s.problems.add(errs...)
	return nil
}

// check decodes a record and returns all that is wrong with it.
func (s *instanceScan) check(rec rawRecord) (*Instance, []*FieldError) {
	if rec.err != nil {
		return nil, []*FieldError{rec.err}
	}
	in, errs := decodeInstance(rec.raw, rec, s.languages)
	if len(errs) > 0 && errs[0].Field == "" {
		return nil, errs
	}
	wrong := make(map[string]bool, len(errs))
	for _, e := range errs {
		wrong[e.Field] = true
	}
	for _, e := range in.Check(s.languages...) {
		if !wrong[e.Field] {
			errs = append(errs, e)
		}
	}
	return &in, errs
}

func (s *instanceScan) entry(rec rawRecord, in *Instance) Entry {
	return Entry{
		ID:         in.ID,
		Language:   share(s.shared, in.Language),
		Repo:       share(s.shared, in.Repo),
		Line:       rec.start.line,
		Offset:     rec.offset,
		Length:     len(rec.raw),
		BadPatches: len(in.BadPatches),
		Variants:   len(in.GoodVariants),
		HasImage:   in.Image != "",
	}
}

// share returns one copy of equal strings.
func share(shared map[string]string, s string) string {
	if one, ok := shared[s]; ok {
		return one
	}
	shared[s] = s
	return s
}
