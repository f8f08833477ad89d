package harness

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// Validate reports the first of a job's attachments, of its relays and of its
// tree's fields that no driver can take.
func (j Job) Validate() error {
	for _, a := range j.Attach {
		if err := a.validate(); err != nil {
			return err
		}
	}
	if len(j.Relays) > 0 && j.Network {
		return errors.New("a job with relays has no other network")
	}
	seen := map[int]bool{}
	for _, r := range j.Relays {
		switch {
		case r.Port < 1 || r.Port > 65535:
			return fmt.Errorf("relay on port %d: expected a port from 1 to 65535", r.Port)
		case seen[r.Port]:
			return fmt.Errorf("relay on port %d: there are two", r.Port)
		case r.Serve == nil:
			return fmt.Errorf("relay on port %d: nothing serves it", r.Port)
		}
		seen[r.Port] = true
	}
	if j.Tree == nil {
		return nil
	}
	return j.Tree.validate()
}

func (q TreeQuery) validate() error {
	if !path.IsAbs(q.Dir) || strings.ContainsRune(q.Dir, 0) {
		return fmt.Errorf("tree of %q: not an absolute path", q.Dir)
	}
	if q.Limit < 0 {
		return fmt.Errorf("tree of %s: a limit of %d bytes", q.Dir, q.Limit)
	}
	for _, glob := range q.Skip {
		if _, err := path.Match(glob, ""); err != nil {
			return fmt.Errorf("tree of %s: skipping %q: %w", q.Dir, glob, err)
		}
	}
	return nil
}
