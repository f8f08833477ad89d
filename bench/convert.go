package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"assay/internal/parquet"
)

// fromFiles converts the records of some files, one file after the other.
func fromFiles(paths []string) conversion {
	return func(ctx context.Context, emit func(converted) error) error {
		for _, path := range paths {
			convert := fromJSON
			if isParquet(path) {
				convert = fromParquet
			}
			if err := convert(ctx, path, emit); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		return nil
	}
}

// fromParquet returns the rows of a file; a row's number stands for its line.
func fromParquet(ctx context.Context, path string, emit func(converted) error) error {
	return parquet.Rows(ctx, path, func(row parquet.Row) error {
		c := converted{file: path, line: row.Number, json: row.JSON}
		if len(row.Wrong) > 0 {
			w := row.Wrong[0]
			c.wrong = &FieldError{Field: w.Field, Expected: w.Expected, Got: w.Got}
		}
		return emit(c)
	})
}

// fromJSON returns the records of a file of JSON.
func fromJSON(ctx context.Context, path string, emit func(converted) error) (err error) {
	src, err := openSource(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.close()) }()
	var line bytes.Buffer
	return src.each(ctx, func(rec rawRecord) error {
		c := converted{file: path, line: rec.start.line, key: rec.key, json: []byte("{}"), wrong: rec.err}
		raw, broken := wellFormed(rec.raw, rec.start)
		switch {
		case rec.err != nil:
		case broken != nil:
			c.wrong = broken
		default:
			line.Reset()
			if err := json.Compact(&line, raw); err != nil {
				return err
			}
			c.json = line.Bytes()
		}
		return emit(c)
	})
}
