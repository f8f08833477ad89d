//go:build linux

package local

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// Kinds of frames between driver and supervisor.
const (
	frameSpec    = 'S' // spec
	frameFile    = 'F' // fileHeader; its content follows as data frames
	frameArchive = 'A' // destination; a tar stream follows as data frames
	frameData    = 'D'
	frameEnd     = 'E' // of a row of data frames
	frameGo      = 'G' // all is put in: start
	frameStop    = 'K' // kill the job for this reason (harness.End), then collect
	frameStarted = 'R'
	frameExit    = 'X' // exit
	frameRelays  = 'N' // comes with the listening sockets of the relays
	frameTree    = 'T' // treePart
	frameTreeCut = 'C' // there are more entries than the bounds allow
	frameTooMuch = 'L' // not everything could be collected within the limit
	frameDone    = 'Z'
	frameFailed  = '!' // failure; nothing follows
)

const (
	maxFrame  = 64 << 20
	chunkSize = 256 << 10
)

// wire sends and receives frames: one byte of kind, four of length, payload.
// Sending and receiving may continue at once, each from one goroutine.
type wire struct {
	r io.Reader
	w io.Writer
}

func (w wire) send(kind byte, payload []byte) error {
	if len(payload) > maxFrame {
		return fmt.Errorf("frame of %d bytes is too large", len(payload))
	}
	frame := make([]byte, 5, 5+len(payload))
	frame[0] = kind
	binary.BigEndian.PutUint32(frame[1:], uint32(len(payload)))
	_, err := w.w.Write(append(frame, payload...))
	return err
}

// sendValue sends v as gob, which, unlike JSON, keeps strings that are not
// UTF-8.
func (w wire) sendValue(kind byte, v any) error {
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(v); err != nil {
		return err
	}
	return w.send(kind, data.Bytes())
}

func decode(payload []byte, v any) error {
	return gob.NewDecoder(bytes.NewReader(payload)).Decode(v)
}

// sendStream sends all of r as data frames and the end.
func (w wire) sendStream(r io.Reader) error {
	buf := make([]byte, chunkSize)
	for {
		n, err := io.ReadFull(r, buf)
		if n > 0 {
			if err := w.send(frameData, buf[:n]); err != nil {
				return err
			}
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return w.send(frameEnd, nil)
		default:
			return err
		}
	}
}

// receive returns the next frame, or io.EOF between two frames.
func (w wire) receive() (kind byte, data []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(w.r, head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if size > maxFrame {
		return 0, nil, fmt.Errorf("frame %q of %d bytes is too large", head[0], size)
	}
	var payload bytes.Buffer // grows with what comes, not with what was announced
	if _, err := io.CopyN(&payload, w.r, int64(size)); err != nil {
		return 0, nil, fmt.Errorf("reading frame %q: %w", head[0], noEOF(err))
	}
	return head[0], payload.Bytes(), nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// stream reads a row of data frames. It must be read to its end before the
// next frame is received.
type stream struct {
	wire wire
	rest []byte
	end  bool
}

func (s *stream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 && !s.end {
		kind, payload, err := s.wire.receive()
		if err != nil {
			return 0, noEOF(err)
		}
		switch kind {
		case frameData:
			s.rest = payload
		case frameEnd:
			s.end = true
		default:
			return 0, fmt.Errorf("frame %q within a stream", kind)
		}
	}
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
