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
	"assay/build"
)

// journal keeps every instance that was built, as it comes, so that a build
// that is stopped goes on where it was.
type journal struct {
	mu   sync.Mutex
	file *os.File
	at   map[string]span // key of the input -> its line
	end  int64
}

type span struct {
	offset int64
	size   int
}

// journalLine is one built instance.
type journalLine struct {
	Key      string         `json:"key"`
	Instance bench.Instance `json:"instance"`
	Record   build.Record   `json:"record"`
}

// openJournal reads what is there; a last line that was cut is dropped.
func openJournal(path string) (*journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f, at: map[string]span{}}
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

// get returns what was built of an input.
func (j *journal) get(key string) (journalLine, bool, error) {
	j.mu.Lock()
	s, ok := j.at[key]
	j.mu.Unlock()
	if !ok {
		return journalLine{}, false, nil
	}
	data := make([]byte, s.size)
	if _, err := j.file.ReadAt(data, s.offset); err != nil {
		return journalLine{}, false, err
	}
	var line journalLine
	err := json.Unmarshal(data, &line)
	return line, err == nil, err
}

// put adds one built instance.
func (j *journal) put(line journalLine) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.WriteAt(buf.Bytes(), j.end); err != nil {
		return err
	}
	j.at[line.Key] = span{j.end, buf.Len()}
	j.end += int64(buf.Len())
	return j.file.Sync()
}

// Close closes the file.
func (j *journal) Close() error { return j.file.Close() }
