package bench

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"assay/internal/jsonl"
)

// Store is a run's results.jsonl, open for appending: one Result a line. It
// may be used from many goroutines at once; another process can't open the
// same file as long as it is open.
type Store struct {
	mu     sync.Mutex
	file   *jsonl.File
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
	s := &Store{done: map[string][]Done{}, shared: map[string]string{}}
	var err error
	s.file, err = jsonl.Open(path, func(at jsonl.Line, text []byte) error {
		var key resultKey
		if err := json.Unmarshal(text, &key); err != nil {
			return err
		}
		s.remember(key, at)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("opening results %s: %w", path, err)
	}
	return s, nil
}

// Note describes what was repaired when the store was opened; empty if
// nothing was.
func (s *Store) Note() string { return s.file.Note() }

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
func (s *Store) remember(key resultKey, at jsonl.Line) {
	d := Done{
		Task: share(s.shared, key.Task), InstanceID: key.InstanceID, Model: share(s.shared, key.Model),
		Verdict: Verdict(share(s.shared, string(key.Verdict))), Times: 1, Line: at.Number, Offset: at.Offset, Length: at.Length,
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

// Append adds a result as one line by one write. It does not sync: what it
// wrote outlives the process, but not the machine.
func (s *Store) Append(r Result) error {
	line, err := marshal(r)
	if err != nil {
		return fmt.Errorf("writing result of %s: %w", r.InstanceID, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at, err := s.file.Append(line)
	if err != nil {
		return fmt.Errorf("writing result of %s: %w", r.InstanceID, err)
	}
	s.remember(resultKey{r.Task, r.InstanceID, r.Model, r.Verdict, r.TaskDigest}, at)
	return nil
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
	raw, err := s.file.Read(jsonl.Line{Number: d.Line, Offset: d.Offset, Length: d.Length})
	if err != nil {
		return Result{}, fmt.Errorf("reading result of %s: %w", d.InstanceID, err)
	}
	var r Result
	if err := json.Unmarshal(raw, &r); err != nil {
		return Result{}, fmt.Errorf("reading result of %s: %w", d.InstanceID, err)
	}
	return r, nil
}

// Close syncs and closes the file.
func (s *Store) Close() error { return s.file.Close() }
