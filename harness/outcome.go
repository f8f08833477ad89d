package harness

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// maxOutcome bounds what is unpacked of one entry, in bytes, so that a broken
// file cannot fill memory.
const maxOutcome = 1 << 30

// outcome is the first line of an entry, as JSON. After it come the bytes of
// the head, the tail and the files, in this order and nothing else. Note: all
// of it as JSON took five times as long to read, for base64.
type outcome struct {
	Key        string // what the entry is for: guards against files that were moved
	End        End
	ExitCode   int
	Head, Tail int // bytes
	Omitted    int64
	Files      []storedFile // by path
	Timings    Timings
}

type storedFile struct {
	Path  []byte // need not be UTF-8, as strings in JSON must
	Bytes int
}

// errCorrupt marks files that hold no outcome of the key asked for.
var errCorrupt = errors.New("corrupt cache entry")

// encodeOutcome packs an outcome with zlib, whose checksum covers it.
func encodeOutcome(key string, res Result) ([]byte, error) {
	paths := slices.Sorted(maps.Keys(res.Files))
	o := outcome{
		Key: key, End: res.End, ExitCode: res.ExitCode, Timings: res.Timings,
		Head: len(res.Output.Head), Tail: len(res.Output.Tail), Omitted: res.Output.Omitted,
	}
	parts := [][]byte{nil, res.Output.Head, res.Output.Tail}
	for _, p := range paths {
		o.Files = append(o.Files, storedFile{[]byte(p), len(res.Files[p])})
		parts = append(parts, res.Files[p])
	}
	line, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	parts[0] = append(line, '\n')
	var buf bytes.Buffer
	w, err := zlib.NewWriterLevel(&buf, zlib.BestSpeed)
	for i := 0; err == nil && i < len(parts); i++ {
		_, err = w.Write(parts[i])
	}
	if err == nil {
		err = w.Close()
	}
	return buf.Bytes(), err
}

// decodeOutcome reads an entry. Every damage is an errCorrupt. Files is never
// nil; of the rest what was empty is nil.
func decodeOutcome(key string, data []byte) (Result, error) {
	plain, err := inflate(data)
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	line, rest, _ := bytes.Cut(plain, []byte("\n"))
	var o outcome
	if err := json.Unmarshal(line, &o); err != nil {
		return Result{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	if o.Key != key {
		return Result{}, fmt.Errorf("%w: it is for %q", errCorrupt, o.Key)
	}
	res, err := o.result(rest)
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", errCorrupt, err)
	}
	return res, nil
}

// inflate unpacks all of data, to the last byte.
func inflate(data []byte) ([]byte, error) {
	in := bytes.NewReader(data)
	r, err := zlib.NewReader(in)
	if err != nil {
		return nil, err
	}
	var plain bytes.Buffer
	plain.Grow(4 * len(data))
	n, err := plain.ReadFrom(io.LimitReader(r, maxOutcome+1))
	if err != nil {
		return nil, err
	}
	if n > maxOutcome || in.Len() > 0 {
		return nil, errors.New("too long")
	}
	return plain.Bytes(), nil
}

// result distributes the bytes after the first line.
func (o outcome) result(rest []byte) (Result, error) {
	res := Result{End: o.End, ExitCode: o.ExitCode, Timings: o.Timings, Files: make(map[string][]byte, len(o.Files))}
	if !storable(res) {
		return Result{}, fmt.Errorf("ended by %q", o.End)
	}
	var err error
	take := func(n int) []byte {
		if n < 0 || n > len(rest) {
			err = fmt.Errorf("%d bytes promised, %d left", n, len(rest))
			return nil
		}
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	res.Output = Output{Head: nonEmpty(take(o.Head)), Tail: nonEmpty(take(o.Tail)), Omitted: o.Omitted}
	for _, f := range o.Files {
		res.Files[string(f.Path)] = take(f.Bytes)
	}
	if err == nil && (len(rest) > 0 || len(res.Files) != len(o.Files)) {
		err = errors.New("parts that do not fit")
	}
	return res, err
}

func nonEmpty(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// storable reports which outcomes are facts about the job alone. A timeout,
// or memory or disk running out, may be the fault of a busy machine; so may
// an end by SIGKILL, the signal that a system short of memory sends.
func storable(res Result) bool {
	switch res.End {
	case Exited:
		return res.ExitCode != 128+9
	case OutputLimit, CollectLimit:
		return true
	}
	return false
}
