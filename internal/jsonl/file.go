// Package jsonl keeps a file of JSON Lines that only grows. What was appended
// outlives a process that is killed; a last line that was cut is removed when
// the file is opened again.
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Line is the place of a line in a file.
type Line struct {
	Number int   // from 1
	Offset int64 // in bytes
	Length int   // in bytes, without the line end
}

// File is a file of JSON Lines, open for appending. It may be used from many
// goroutines at once; another process cannot open the same file meanwhile.
type File struct {
	mu     sync.Mutex
	file   *os.File
	size   int64
	lines  int
	note   string
	broken error // an append failed and could not be undone
}

// Open opens a file, or makes it, and gives every line to fn, without blank
// ones; the text is valid during the call only. An error of fn ends it. A last
// line that was cut, because its writer was killed, is removed (see Note).
func Open(path string, fn func(at Line, text []byte) error) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	s := &File{file: f}
	err = lock(f)
	if err == nil {
		err = s.load(fn)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

// load reads what is there and repairs the end.
func (s *File) load(fn func(Line, []byte) error) error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, info.Size()), 256<<10)
	for {
		text, err := r.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("reading line %d: %w", s.lines+1, err)
		}
		whole := err == nil
		if !whole && len(bytes.TrimSpace(text)) > 0 && !json.Valid(text) {
			return s.drop(len(text))
		}
		if err := s.take(text, fn); err != nil {
			return fmt.Errorf("line %d: %w", s.lines, err)
		}
		switch {
		case whole:
		case len(text) > 0:
			n, err := s.write([]byte("\n"))
			s.size += int64(n)
			return err
		default:
			return nil
		}
	}
}

// take counts a line of the file and gives it to fn, unless it is blank.
func (s *File) take(text []byte, fn func(Line, []byte) error) error {
	if len(text) == 0 {
		return nil
	}
	s.lines++
	at := Line{Number: s.lines, Offset: s.size, Length: len(bytes.TrimSuffix(text, []byte("\n")))}
	s.size += int64(len(text))
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return nil
	}
	return fn(at, text)
}

// drop cuts the file before a line that was never finished.
func (s *File) drop(length int) error {
	s.note = fmt.Sprintf("%s: dropped the last line (%d bytes), which was cut while it was written", s.file.Name(), length)
	return s.file.Truncate(s.size)
}

// Note describes what was repaired when the file was opened; empty if nothing was.
func (s *File) Note() string { return s.note }

// Append adds a line of JSON, without its line end, by one write. After a write
// that failed half-way (a full disk) the file is cut back to whole lines. Append
// does not sync: what it wrote outlives the process, but not the machine.
func (s *File) Append(text []byte) (Line, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := Line{Number: s.lines + 1, Offset: s.size, Length: len(text)}
	n, err := s.write(append(bytes.Clone(text), '\n'))
	if err == nil {
		s.size += int64(n)
		s.lines++
	}
	return at, err
}

// write adds b after the last whole line, in one call.
func (s *File) write(b []byte) (int, error) {
	if s.broken != nil {
		return 0, s.broken
	}
	n, err := s.file.WriteAt(b, s.size)
	if err != nil && n > 0 {
		if undo := s.file.Truncate(s.size); undo != nil {
			s.broken = fmt.Errorf("an earlier write was cut: %w", errors.Join(err, undo))
		}
	}
	return n, err
}

// Read reads a line.
func (s *File) Read(at Line) ([]byte, error) {
	text := make([]byte, at.Length)
	_, err := s.file.ReadAt(text, at.Offset)
	return text, err
}

// Sync makes all lines so far outlive the machine.
func (s *File) Sync() error { return s.file.Sync() }

// Close syncs and closes the file.
func (s *File) Close() error { return errors.Join(s.file.Sync(), s.file.Close()) }
