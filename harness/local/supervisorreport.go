//go:build linux

package local

import (
	"errors"
	"fmt"
	"time"

	"assay/harness/relay"
	"assay/harness/snapshot"
)

// follower puts together what the supervisor reports.
type follower struct {
	outcome
	files receiver
	serve func() (*relay.Server, error)
}

// take handles one message; done says that it was the last.
func (f *follower) take(m message) (done bool, err error) {
	if m.err != nil {
		return false, m.err
	}
	switch m.kind {
	case frameStarted:
		f.began = time.Now()
	case frameExit:
		f.ended = time.Now()
		return false, decode(m.data, &f.exit)
	case frameRelays:
		f.relays, err = f.serve()
		return false, err
	case frameTree:
		return false, f.takeTree(m.data)
	case frameTreeCut:
		f.treeCut = true
	case frameTooMuch:
		f.tooMuch = true
	case frameDone:
		f.outcome.files = f.files.files
		snapshot.Sort(f.tree)
		return true, nil
	case frameFailed:
		var fail failure
		if err := decode(m.data, &fail); err != nil {
			return false, err
		}
		return false, &stepError{fail.Step, errors.New(fail.Text)}
	default:
		return false, f.files.take(m)
	}
	return false, nil
}

// receiver puts collected files together from their frames.
type receiver struct {
	files map[string][]byte
	name  string
	data  []byte
	open  bool
}

func (r *receiver) take(m message) error {
	switch {
	case m.kind == frameFile && !r.open:
		var h fileHeader
		if err := decode(m.data, &h); err != nil {
			return err
		}
		r.name, r.data, r.open = h.Path, make([]byte, 0, min(max(h.Size, 0), 4<<20)), true
	case m.kind == frameData && r.open:
		r.data = append(r.data, m.data...)
	case m.kind == frameEnd && r.open:
		r.files[r.name], r.data, r.open = r.data, nil, false
	default:
		return fmt.Errorf("unexpected frame %q from the supervisor", m.kind)
	}
	return nil
}
