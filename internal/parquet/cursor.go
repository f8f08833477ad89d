package parquet

import (
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
)

// cursor reads the values of one column of a row group.
type cursor struct {
	field  string
	values parquet.ColumnChunkValueReader
	buf    [64]parquet.Value
	next   int
	filled int
}

var errEndsEarly = errors.New("the column ends early")

// peek returns the next value without reading it, or io.EOF. The value is
// valid until the next call.
func (c *cursor) peek() (parquet.Value, error) {
	if c.next < c.filled {
		return c.buf[c.next], nil
	}
	n, err := c.values.ReadValues(c.buf[:])
	if n == 0 {
		if err == nil {
			err = io.ErrNoProgress
		}
		return parquet.Value{}, err
	}
	c.next, c.filled = 0, n
	return c.buf[0], nil
}

// take reads the next value.
func (c *cursor) take() (parquet.Value, error) {
	v, err := c.peek()
	if errors.Is(err, io.EOF) {
		err = errEndsEarly
	}
	if err == nil {
		c.next++
	}
	return v, err
}
