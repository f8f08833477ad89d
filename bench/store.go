package bench

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
)

// Store is a run's results.jsonl, open for appending: one Result a line. It
// may be used from many goroutines at once; another process can't open the
// same file as long as it is open.
type Store struct {
	mu     sync.Mutex
	file   *os.File
	size   int64
	lines  int
	note   string
	broken error // an append failed and could not be undone
	done   map[string][]Done
	shared map[string]string
}

// Done is what a store remembers of one result.
type Done struct {
	Task       string
	InstanceID string
	Model      string
	Verdict    Verdict
	Times      int // that it came out so, one after the other
	Line       int
	Offset     int64
	Length     int
}

// OpenStore opens a results file, or makes it. A last line that was cut,
// because its writer was killed, is removed (see Note); any other line that
// can't be read is an error.
func OpenStore(path string) (*Store, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	s := &Store{file: f, done: map[string][]Done{}, shared: map[string]string{}}
	err = Lock(f)
	if err == nil {
		err = s.load()
	}
	if err != nil {
		return nil, fmt.Errorf("opening results %s: %w", path, errors.Join(err, f.Close()))
	}
	return s, nil
}

// load reads what is there and mends the end.
func (s *Store) load() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	s.size = info.Size()
	split := &lineSplitter{r: bufio.NewReaderSize(io.NewSectionReader(s.file, 0, s.size), 256<<10)}
	for {
		rec, err := split.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if rec.cut && (rec.err != nil || !json.Valid(rec.raw)) {
			return s.drop(rec)
		}
		if rec.err != nil {
			return rec.err.at(s.file.Name(), rec.start.line)
		}
		var key resultKey
		if err := json.Unmarshal(rec.raw, &key); err != nil {
			return fmt.Errorf("line %d: %w", rec.start.line, err)
		}
		s.remember(key, rec.start.line, rec.offset, len(rec.raw))
		if rec.cut {
			return s.write([]byte("\n"))
		}
	}
}

// drop cuts the file before a line that was never finished.
func (s *Store) drop(rec rawRecord) error {
	if err := s.file.Truncate(rec.offset); err != nil {
		return err
	}
	s.note = fmt.Sprintf("%s: dropped the last line (%d bytes), which was cut while it was written", s.file.Name(), s.size-rec.offset)
	s.size = rec.offset
	return nil
}

// Note says what was mended when the store was opened; empty if nothing was.
func (s *Store) Note() string { return s.note }

// resultKey is the part of a result by which it is found.
type resultKey struct {
	Task       string  `json:"task"`
	InstanceID string  `json:"instance_id"`
	Model      string  `json:"model_name_or_path"`
	Verdict    Verdict `json:"verdict"`
	TaskDigest string  `json:"task_digest"`
}

// remember notes a result; it takes the place of an earlier one of the same
// digest, task, instance and model.
func (s *Store) remember(key resultKey, line int, offset int64, length int) {
	s.lines = line
	d := Done{
		Task: share(s.shared, key.Task), InstanceID: key.InstanceID, Model: share(s.shared, key.Model),
		Verdict: Verdict(share(s.shared, string(key.Verdict))), Times: 1, Line: line, Offset: offset, Length: length,
	}
	list := s.done[key.TaskDigest]
	i := slices.IndexFunc(list, func(o Done) bool {
		return o.Task == d.Task && o.InstanceID == d.InstanceID && o.Model == d.Model
	})
	if i >= 0 {
		if list[i].Verdict == d.Verdict {
			d.Times = list[i].Times + 1
		}
		list[i] = d
		return
	}
	s.done[key.TaskDigest] = append(list, d)
}

// Append adds a result as one line by one write. After a write that failed
// half-way (a full disk) the file is cut back to whole lines. Append does not
// sync: what it wrote outlives the process, but not the machine.
func (s *Store) Append(r Result) error {
	line, err := marshal(r)
	if err != nil {
		return fmt.Errorf("writing result of %s: %w", r.InstanceID, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	offset := s.size
	if err := s.write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing result of %s: %w", r.InstanceID, err)
	}
	s.remember(resultKey{r.Task, r.InstanceID, r.Model, r.Verdict, r.TaskDigest}, s.lines+1, offset, len(line))
	return nil
}

// write puts b behind the last whole line, in one call.
func (s *Store) write(b []byte) error {
	if s.broken != nil {
		return s.broken
	}
	n, err := s.file.WriteAt(b, s.size)
	if err == nil {
		s.size += int64(n)
		return nil
	}
	if n > 0 {
		if undo := s.file.Truncate(s.size); undo != nil {
			s.broken = fmt.Errorf("an earlier write was cut: %w", errors.Join(err, undo))
		}
	}
	return err
}

// Done returns what the store holds, by task digest. Several models may
// have submitted the same; each then has a result of its own there.
func (s *Store) Done() map[string][]Done {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := maps.Clone(s.done)
	for digest, list := range out {
		out[digest] = slices.Clone(list)
	}
	return out
}

// Lookup returns the results of one task digest.
func (s *Store) Lookup(digest string) []Done {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.done[digest])
}

// Read reads a result that the store holds.
func (s *Store) Read(d Done) (Result, error) {
	raw := make([]byte, d.Length)
	if _, err := s.file.ReadAt(raw, d.Offset); err != nil {
		return Result{}, fmt.Errorf("reading result of %s: %w", d.InstanceID, err)
	}
	var r Result
	if err := json.Unmarshal(raw, &r); err != nil {
		return Result{}, fmt.Errorf("reading result of %s: %w", d.InstanceID, err)
	}
	return r, nil
}

// Sync makes all results so far outlive the machine.
func (s *Store) Sync() error { return s.file.Sync() }

// Close syncs and closes the file.
func (s *Store) Close() error { return errors.Join(s.file.Sync(), s.file.Close()) }
