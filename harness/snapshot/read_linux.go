package snapshot

import (
	"context"
	"io"
	"os"

	"assay/harness"
)

// Read returns the whole tree, as harness.Result has it; root and errors are
// as Walk's, or ctx's.
func Read(ctx context.Context, root *os.File, q harness.TreeQuery) (entries []harness.Entry, cut bool, err error) {
	cut, err = Walk(root, q, func(e harness.Entry, content io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if content != nil {
			e.Data = make([]byte, e.Size)
			if _, err := io.ReadFull(content, e.Data); err != nil {
				return err
			}
		}
		entries = append(entries, e)
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	Sort(entries)
	return entries, cut, nil
}
