package harness

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// History remembers how long tasks took, by a key of the caller's, so that
// the longest can be started first and the remaining time be estimated. It is
// a hint: lines that cannot be read are skipped, and a line that another
// process writes while the file is being rewritten may be lost. It may be
// used by many goroutines, and by many processes at once.
type History struct {
	path string

	mu    sync.Mutex
	known map[string]time.Duration
}

// record is one line of the file. Of lines with one key the last counts.
type record struct {
	Key     string  `json:"key"`
	Seconds float64 `json:"seconds"`
}

// maxRecord bounds a line, in bytes; longer ones are damage.
const maxRecord = 64 << 10

// OpenHistory reads the history in a file, which need not exist. A file in
// which most lines are out of date or broken, or which breaks off in the middle
// of a line, is rewritten where that is allowed.
func OpenHistory(path string) (*History, error) {
	h := &History{path: path, known: map[string]time.Duration{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	defer func() { _ = f.Close() }()
	lines, torn, err := h.read(f)
	if err != nil {
		return nil, fmt.Errorf("reading the history %s: %w", path, err)
	}
	if torn || lines > 2*len(h.known)+100 {
		// A directory that cannot be written to still gives its history.
		_ = writeAtomic(path, h.encode())
	}
	return h, nil
}

// read takes in all lines that make sense, and counts all. It reports whether
// the last one broke off: the next line would be added to it.
func (h *History) read(r io.Reader) (lines int, torn bool, err error) {
	in := bufio.NewReaderSize(r, maxRecord)
	for {
		line, err := in.ReadSlice('\n')
		for errors.Is(err, bufio.ErrBufferFull) { // too long: to its end, unread
			line, err = in.ReadSlice('\n')
			line = line[:0]
		}
		var rec record
		if json.Unmarshal(line, &rec) == nil && rec.Key != "" && rec.Seconds >= 0 && rec.Seconds < 1e9 {
			h.known[rec.Key] = time.Duration(rec.Seconds * float64(time.Second))
		}
		if errors.Is(err, io.EOF) {
			return lines, len(line) > 0, nil
		}
		if err != nil {
			return lines, false, err
		}
		lines++
	}
}

func (h *History) encode() []byte {
	var buf bytes.Buffer
	for _, key := range slices.Sorted(maps.Keys(h.known)) {
		buf.Write(encodeRecord(key, h.known[key]))
	}
	return buf.Bytes()
}

func encodeRecord(key string, d time.Duration) []byte {
	line, err := json.Marshal(record{key, d.Round(time.Millisecond).Seconds()})
	if err != nil {
		return nil // no string and no finite number fails
	}
	return append(line, '\n')
}

// Known returns how long a task took when it was last recorded.
func (h *History) Known(key string) (time.Duration, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	d, ok := h.known[key]
	return d, ok
}

// Record notes how long a task took, in memory and in one line at the end of
// the file.
func (h *History) Record(key string, d time.Duration) error {
	line := encodeRecord(key, d)
	if key == "" || d < 0 || len(line) > maxRecord {
		return fmt.Errorf("recording %v for a key of %d bytes: out of range", d, len(key))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known[key] = d
	if err := os.MkdirAll(filepath.Dir(h.path), 0o777); err != nil {
		return fmt.Errorf("recording a duration: %w", err)
	}
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return fmt.Errorf("recording a duration: %w", err)
	}
	_, err = f.Write(line) // in one call, so that lines of processes do not mix
	return errors.Join(err, f.Close())
}
