package parquet

import (
	"context"
	"fmt"
	"os"

	"github.com/parquet-go/parquet-go"
)

// Row is one row of a file.
type Row struct {
	Number int     // from 1
	JSON   []byte  // an object with all columns, on one line; valid until the next row
	Wrong  []Wrong // values that JSON cannot hold; null is in their place
}

// Wrong is a value that is not what its column promises.
type Wrong struct {
	Field    string // the column's path, as in "base.sha"
	Expected string
	Got      string
}

// Rows passes the rows of a file to fn, in the order of the file. Its memory
// grows with the size of a page and of a row, not with the file. A file that
// is broken is an error that names row and column as far as they are known.
// An error of fn ends the pass.
func Rows(ctx context.Context, path string, fn func(Row) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &rows{fn: fn}
	// The library panics on some files that are broken.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: %w", r.at(), &brokenError{fmt.Errorf("%v", p)})
		}
	}()
	return r.read(ctx, f)
}

// brokenError is the error of a file that does not hold what its header says.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return "the Parquet file is broken: " + e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// rows is the state of one pass.
type rows struct {
	fn    func(Row) error
	n     int    // rows that were given
	field string // the column that is being read
}

// at reports where the pass is.
func (r *rows) at() string {
	if r.field == "" {
		return fmt.Sprintf("row %d", r.n+1)
	}
	return fmt.Sprintf("row %d, column %q", r.n+1, r.field)
}

func (r *rows) read(ctx context.Context, f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := checkFooter(f, info.Size()); err != nil {
		return &brokenError{err}
	}
	file, err := parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return &brokenError{err}
	}
	if err := checkCodecs(file.Metadata()); err != nil {
		return err
	}
	top, leaves, err := planOf(file.Root())
	if err != nil {
		return err
	}
	for _, group := range file.RowGroups() {
		if err := r.group(ctx, top, leaves, group); err != nil {
			return err
		}
	}
	return nil
}

// group returns the rows of one row group.
func (r *rows) group(ctx context.Context, top *node, leaves []*node, group parquet.RowGroup) (err error) {
	columns := group.ColumnChunks()
	if len(columns) != len(leaves) {
		return fmt.Errorf("%s: %w", r.at(), &brokenError{fmt.Errorf("%d columns of %d", len(columns), len(leaves))})
	}
	a := &assembler{rows: r}
	for i, chunk := range columns {
		c := &cursor{field: leaves[i].field, values: parquet.NewColumnChunkValueReader(chunk)}
		defer c.values.Close()
		a.cursors = append(a.cursors, c)
	}
	for range group.NumRows() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.row(top); err != nil {
			return fmt.Errorf("%s: %w", r.at(), &brokenError{err})
		}
		r.field = ""
		if err := r.fn(Row{Number: r.n + 1, JSON: a.out.Bytes(), Wrong: a.wrong}); err != nil {
			return err
		}
		r.n++
	}
	return a.end()
}
