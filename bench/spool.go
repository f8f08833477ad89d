package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// conversion gives the records of a dataset that is not one file of JSON, each
// as a JSON object on one line. An error of emit ends it.
type conversion func(ctx context.Context, emit func(converted) error) error

// converted is one record of a conversion.
type converted struct {
	file  string // where the record is
	line  int    // in that file, or the number of its row; 0 where the file is the record
	key   string // the id of a record that says none
	json  []byte // kept nowhere
	wrong *FieldError
}

// spool is a temporary file of JSON Lines, made by a conversion when the
// records are first asked for. They are read from it like those of any other
// file, at random and by many goroutines, and no form has to offer that.
type spool struct {
	convert conversion
	mu      sync.Mutex
	filled  bool
	err     error
	files   []string
	lines   []spooled // by line of the spool, from 0
	keys    map[int]string
	wrong   map[int]*FieldError
}

// spooled is where one line of a spool comes from.
type spooled struct{ file, line int32 }

// newSpool returns a source that reads what a conversion makes. The file is
// in the folder for temporary files ($TMPDIR). It has no name where the
// system allows that: it holds hidden tests, and is gone when the process
// ends.
func newSpool(path string, convert conversion) (*source, error) {
	f, err := os.CreateTemp("", "assay-dataset-*.jsonl")
	if err != nil {
		return nil, fmt.Errorf("converting %s: %w", path, err)
	}
	s := &source{file: f, path: path, shape: shapeLines, spool: &spool{convert: convert, keys: map[int]string{}, wrong: map[int]*FieldError{}}}
	s.named = os.Remove(f.Name()) != nil
	return s, nil
}

// fill converts everything, once.
func (p *spool) fill(ctx context.Context, s *source) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.filled || p.err != nil {
		return p.err
	}
	w := bufio.NewWriterSize(s.file, 1<<20)
	files := map[string]int32{}
	err := p.convert(ctx, func(c converted) error {
		number, ok := files[c.file]
		if !ok {
			number = int32(len(p.files))
			files[c.file] = number
			p.files = append(p.files, c.file)
		}
		if c.key != "" {
			p.keys[len(p.lines)] = c.key
		}
		if c.wrong != nil {
			p.wrong[len(p.lines)] = c.wrong
		}
		p.lines = append(p.lines, spooled{number, int32(c.line)})
		s.size += int64(len(c.json)) + 1
		_, err := w.Write(c.json)
		return errors.Join(err, w.WriteByte('\n'))
	})
	if err = errors.Join(err, w.Flush()); err != nil {
		// Half a spool is of no use; a cancelled pass may be asked for again.
		p.files, p.lines, s.size = nil, nil, 0
		if ctx.Err() == nil {
			p.err = fmt.Errorf("reading %s: %w", s.path, err)
			return p.err
		}
		_, seek := s.file.Seek(0, io.SeekStart)
		return errors.Join(ctx.Err(), seek, s.file.Truncate(0))
	}
	p.filled = true
	return nil
}

// restore gives a record of the spool what its line does not say.
func (p *spool) restore(rec *rawRecord) {
	line := rec.start.line - 1
	if rec.err != nil {
		rec.err.Line = 0 // the spool's
	}
	rec.key = p.keys[line]
	if wrong := p.wrong[line]; wrong != nil {
		copied := *wrong
		rec.err, rec.raw = &copied, nil
	}
}

// place reports where the record on a line of the spool comes from.
func (p *spool) place(line int) (string, int) {
	if line < 1 || line > len(p.lines) {
		return "", 0
	}
	from := p.lines[line-1]
	return p.files[from.file], int(from.line)
}
