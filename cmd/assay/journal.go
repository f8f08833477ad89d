package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"assay/bench"
)

// journal keeps what was made, as it comes, so that a command that is stopped
// goes on where it was.
type journal[T any] struct {
	mu   sync.Mutex
	file *os.File
	at   map[string]span // key of the input -> its line
	end  int64
}

type span struct {
	offset int64
	size   int
}

// journalLine is what was made of one input.
type journalLine[T any] struct {
	Key  string `json:"key"`
	Made T      `json:"made"`
}

// openJournal reads what is there; a last line that was cut is dropped.
func openJournal[T any](path string) (*journal[T], error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := bench.Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	j := &journal[T]{file: f, at: map[string]span{}}
	r := bufio.NewReaderSize(f, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return j, f.Truncate(j.end)
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		var head struct{ Key string }
		if json.Unmarshal(line, &head) == nil && head.Key != "" {
			j.at[head.Key] = span{j.end, len(line)}
		}
		j.end += int64(len(line))
	}
}

// get returns what was made of an input.
func (j *journal[T]) get(key string) (T, bool, error) {
	var line journalLine[T]
	j.mu.Lock()
	s, ok := j.at[key]
	j.mu.Unlock()
	if !ok {
		return line.Made, false, nil
	}
	data := make([]byte, s.size)
	if _, err := j.file.ReadAt(data, s.offset); err != nil {
		return line.Made, false, err
	}
	if err := json.Unmarshal(data, &line); err != nil {
		return line.Made, false, err
	}
	return line.Made, line.Key == key, nil
}

// put adds what was made of an input.
func (j *journal[T]) put(key string, made T) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(journalLine[T]{key, made}); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.WriteAt(buf.Bytes(), j.end); err != nil {
		return err
	}
	j.at[key] = span{j.end, buf.Len()}
	j.end += int64(buf.Len())
	return j.file.Sync()
}

// Close closes the file.
func (j *journal[T]) Close() error { return j.file.Close() }
