package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"assay/internal/jsonl"
)

// Journal keeps results as they come, so that a command that was stopped can
// continue. It may be used from many goroutines at once.
type Journal[T any] struct {
	mu   sync.Mutex
	file *jsonl.File
	at   map[string]jsonl.Line // key of the input -> its line
}

// journalLine is the result of one input.
type journalLine[T any] struct {
	Key  string `json:"key"`
	Made T      `json:"made"`
}

// OpenJournal opens a journal, or creates it with its folder. Lines of another
// form are ignored.
func OpenJournal[T any](path string) (*Journal[T], error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	j := &Journal[T]{at: map[string]jsonl.Line{}}
	var err error
	j.file, err = jsonl.Open(path, func(at jsonl.Line, text []byte) error {
		var head struct{ Key string }
		if json.Unmarshal(text, &head) == nil && head.Key != "" {
			j.at[head.Key] = at
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return j, nil
}

// Get returns the result of an input.
func (j *Journal[T]) Get(key string) (T, bool, error) {
	var line journalLine[T]
	j.mu.Lock()
	at, ok := j.at[key]
	j.mu.Unlock()
	if !ok {
		return line.Made, false, nil
	}
	text, err := j.file.Read(at)
	if err == nil {
		err = json.Unmarshal(text, &line)
	}
	if err != nil {
		return line.Made, false, fmt.Errorf("reading the journal: %w", err)
	}
	return line.Made, line.Key == key, nil
}

// Put adds the result of an input, and syncs the file.
func (j *Journal[T]) Put(key string, made T) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(journalLine[T]{key, made}); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	at, err := j.file.Append(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
	if err != nil {
		return err
	}
	j.at[key] = at
	return j.file.Sync()
}

// Close closes the file.
func (j *Journal[T]) Close() error { return j.file.Close() }
