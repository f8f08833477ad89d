package proxy

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxEvent is the longest event of a stream in bytes.
const maxEvent = 32 << 20

// event is one server-sent event. An event without data (a comment that keeps
// the connection alive) has raw only.
type event struct {
	name string
	data []byte
	raw  []byte // as it came, with the empty line that ends it
}

// events reads server-sent events.
type events struct{ r *bufio.Reader }

func newEvents(r io.Reader) *events { return &events{bufio.NewReaderSize(r, 64<<10)} }

// next returns an event, also one that the end of the stream cut before its
// empty line. The error is io.EOF at the end.
func (e *events) next() (event, error) {
	var ev event
	var data [][]byte
	for {
		line, err := e.line(len(ev.raw))
		ev.raw = append(ev.raw, line...)
		text := bytes.TrimRight(line, "\r\n")
		name, value := field(text)
		switch {
		case name == "data":
			data = append(data, value)
		case name == "event":
			ev.name = string(value)
		}
		ended := err == nil && len(text) == 0 && len(bytes.TrimSpace(ev.raw)) > 0
		if ended || err != nil && len(bytes.TrimSpace(ev.raw)) > 0 && errors.Is(err, io.EOF) {
			ev.data = bytes.Join(data, []byte("\n"))
			return ev, nil
		}
		if err != nil {
			return event{}, err
		}
	}
}

// line returns a line with its end; at the end of the stream what is left,
// and io.EOF.
func (e *events) line(before int) ([]byte, error) {
	var out []byte
	for {
		part, err := e.r.ReadSlice('\n')
		out = append(out, part...)
		if before+len(out) > maxEvent {
			return nil, fmt.Errorf("an event of the stream is longer than %d bytes", maxEvent)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return out, err
		}
	}
}

// field splits a line into name and value.
func field(line []byte) (name string, value []byte) {
	before, after, found := bytes.Cut(line, []byte(":"))
	if !found {
		return string(line), nil
	}
	return string(before), bytes.Clone(bytes.TrimPrefix(after, []byte(" ")))
}
