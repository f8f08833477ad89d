package bench

import (
	"context"
	"encoding/json"
	"fmt"
)

// ReadResults passes the results in a file to fn, line by line. A task that
// was run again has several lines, of which the last one counts. A last line
// that is being written, or was cut, is skipped.
func ReadResults(ctx context.Context, path string, fn func(Result) error) error {
	src, err := openSource(path)
	if err != nil {
		return err
	}
	defer src.file.Close()
	return src.each(ctx, func(rec rawRecord) error {
		var r Result
		if rec.err != nil {
			return rec.err.at(path, rec.start.line)
		}
		raw, broken := wellFormed(rec.raw, rec.start)
		switch {
		case rec.cut && broken != nil:
			return nil
		case broken != nil:
			return broken.at(path, rec.start.line)
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return fmt.Errorf("%s:%d: %w", path, rec.start.line, err)
		}
		return fn(r)
	})
}
