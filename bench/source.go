package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// shape is how a file holds its records.
type shape int

const (
	shapeLines  shape = iota // JSON Lines
	shapeList                // a JSON list
	shapeKeyed               // a JSON object keyed by id
	shapeSingle              // one record over several lines
)

// source is a file of records, open for reading.
type source struct {
	file  *os.File
	path  string // as it was opened
	size  int64
	bom   int64
	shape shape
	spool *spool // fills the file first, where the dataset is in another form
	named bool   // the file is to be removed in the end
}

// openSource opens a file and finds its shape.
func openSource(path string) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("opening %s: not a regular file (records are read again by their offset, so pipes do not do)", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s := &source{file: f, path: path, size: info.Size()}
	if err := s.detect(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// detect finds byte order mark and shape.
func (s *source) detect() error {
	head := make([]byte, 4)
	n, err := s.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading %s: %w", s.path, err)
	}
	head = head[:n]
	ext := strings.ToLower(filepath.Ext(s.path))
	if string(head) == "PAR1" || ext == ".parquet" {
		return fmt.Errorf("opening %s: only datasets can be Parquet files: give the same data as JSON Lines or as a JSON list", s.path)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		s.bom = 3
	}
	probe := s.values(false)
	first, err := probe.peek()
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return fmt.Errorf("reading %s: %w", s.path, err)
	case err == nil && first == '[':
		s.shape = shapeList
	case err == nil && first == '{' && ext != ".jsonl" && ext != ".ndjson":
		s.shape = s.detectObject()
	}
	return nil
}

// detectObject distinguishes the forms that start with a brace. A record has
// a name that no id has; pretty-printed, its first name is on a line of its
// own.
func (s *source) detectObject() shape {
	probe := s.values(true)
	firstLine := 0
	for range 64 {
		rec, err := probe.next()
		if err != nil {
			break
		}
		if firstLine == 0 {
			firstLine = rec.start.line
		}
		if isRecordField(rec.key) {
			if firstLine > s.openingLine() {
				return shapeSingle
			}
			return shapeLines
		}
	}
	if firstLine == 0 {
		return shapeLines // broken, or {}: the error of the line reports it
	}
	return shapeKeyed
}

// openingLine is the line of the first byte that is not white space.
func (s *source) openingLine() int {
	probe := s.values(true)
	if _, err := probe.peek(); err != nil {
		return 0
	}
	return probe.at.line
}

// isRecordField reports whether a name belongs to an instance or a
// prediction of some benchmark, and so can't be an instance's id.
func isRecordField(name string) bool {
	switch name {
	case "instance_id", "repo", "org", "base_commit", "patch", "test_patch", "fix_patch",
		"problem_statement", "model_name_or_path", "model_patch":
		return true
	}
	return false
}

// place reports where a record is, for people.
func (s *source) place(line int) (string, int) {
	if s.spool != nil {
		return s.spool.place(line)
	}
	return s.path, line
}

// fill makes sure that the file holds all records.
func (s *source) fill(ctx context.Context) error {
	if s.spool == nil {
		return nil
	}
	return s.spool.fill(ctx, s)
}

// close closes the file.
func (s *source) close() error {
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

func (s *source) reader() *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(s.file, s.bom, s.size-s.bom), 256<<10)
}

func (s *source) values(object bool) *valueSplitter {
	return &valueSplitter{r: s.reader(), object: object, offset: s.bom, at: place{1, 1}}
}

// splitter gives records one after the other, then io.EOF.
type splitter interface {
	next() (rawRecord, error)
}

func (s *source) splitter() splitter {
	switch s.shape {
	case shapeList, shapeKeyed:
		return s.values(s.shape == shapeKeyed)
	case shapeSingle:
		return &wholeSplitter{values: s.values(false)}
	}
	return &lineSplitter{r: s.reader(), offset: s.bom}
}

// wholeSplitter gives the one value that a file holds.
type wholeSplitter struct {
	values *valueSplitter
	done   bool
}

func (s *wholeSplitter) next() (rawRecord, error) {
	v := s.values
	if _, err := v.peek(); err != nil {
		return rawRecord{}, err
	}
	if s.done {
		return rawRecord{}, v.unexpected("the end of the file")
	}
	s.done = true
	rec := rawRecord{start: v.at, offset: v.offset}
	err := v.value()
	rec.raw = v.buf
	return rec, err
}

// each passes all records to fn, in the order of the file. What breaks the
// file's structure is given as a record with an error, the last one. An
// error of fn ends the pass.
func (s *source) each(ctx context.Context, fn func(rawRecord) error) error {
	if err := s.fill(ctx); err != nil {
		return err
	}
	split := s.splitter()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		rec, err := split.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var broken *FieldError
		last := errors.As(err, &broken)
		if last {
			rec = rawRecord{err: broken}
		} else if err != nil {
			return fmt.Errorf("reading %s: %w", s.path, err)
		}
		if s.spool != nil {
			s.spool.restore(&rec)
		}
		if err := fn(rec); err != nil || last {
			return err
		}
	}
}

// at reads the bytes of one record again. It may be called from many
// goroutines at once.
func (s *source) at(offset int64, length int) ([]byte, error) {
	if err := s.fill(context.Background()); err != nil {
		return nil, err
	}
	raw := make([]byte, length)
	if _, err := s.file.ReadAt(raw, offset); err != nil {
		return nil, fmt.Errorf("reading %s at byte %d: %w", s.path, offset, err)
	}
	return raw, nil
}
