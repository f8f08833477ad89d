//go:build linux

package local

import (
	"io"
	"os"

	"assay/harness"
	"assay/harness/snapshot"
)

// treePart is one frame of a tree. A first entry with the path of the last
// one before continues its data.
type treePart struct{ Entries []harness.Entry }

// Bounds of one part.
const (
	partEntries = 1000
	partBytes   = 4 << 20
)

// treeSender puts entries together to parts.
type treeSender struct {
	wire  wire
	part  treePart
	bytes int
}

// sendTree sends the tree that the job asked for.
func (c *child) sendTree() error {
	if c.spec.Tree == nil {
		return nil
	}
	root, err := os.Open("/")
	if err != nil {
		return err
	}
	defer root.Close()
	s := &treeSender{wire: c.wire}
	cut, err := snapshot.Walk(root, *c.spec.Tree, s.add)
	if err == nil {
		err = s.flush()
	}
	if err == nil && cut {
		err = c.wire.send(frameTreeCut, nil)
	}
	return err
}

// add puts an entry into the present part, and its content into this and
// further ones.
func (s *treeSender) add(e harness.Entry, content io.Reader) error {
	s.part.Entries = append(s.part.Entries, e)
	s.bytes += len(e.Path) + len(e.Link)
	for content != nil {
		data := make([]byte, min(e.Size, partBytes))
		n, err := io.ReadFull(content, data)
		last := &s.part.Entries[len(s.part.Entries)-1]
		last.Data = data[:n]
		s.bytes += n
		if e.Size -= int64(n); e.Size == 0 {
			break
		}
		if err != nil {
			return err
		}
		if err := s.flush(); err != nil {
			return err
		}
		s.part.Entries = append(s.part.Entries, harness.Entry{Path: e.Path})
	}
	if len(s.part.Entries) >= partEntries || s.bytes >= partBytes {
		return s.flush()
	}
	return nil
}

func (s *treeSender) flush() error {
	if len(s.part.Entries) == 0 {
		return nil
	}
	err := s.wire.sendValue(frameTree, s.part)
	s.part.Entries, s.bytes = nil, 0
	return err
}

// takeTree adds a part.
func (f *follower) takeTree(data []byte) error {
	var part treePart
	if err := decode(data, &part); err != nil {
		return err
	}
	if last := len(f.tree) - 1; last >= 0 && len(part.Entries) > 0 && part.Entries[0].Path == f.tree[last].Path {
		f.tree[last].Data = append(f.tree[last].Data, part.Entries[0].Data...)
		part.Entries = part.Entries[1:]
	}
	f.tree = append(f.tree, part.Entries...)
	return nil
}
