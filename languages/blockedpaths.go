package languages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/internal/patch"
)

// inTheWay reports code that keeps the tests from being written: a file or
// link where they need a folder, or a folder where they need a file. The
// submission is responsible, unless the state that it starts from has that
// code already; where the tests are the submission, they are.
func inTheWay(v Variant, onStart, onCode *patch.Changes, tests []string) error {
	for _, part := range []struct {
		changes *patch.Changes
		start   bool
	}{{onStart, true}, {onCode, false}} {
		for _, p := range slices.Sorted(maps.Keys(part.changes.Write)) {
			for _, t := range tests {
				if !strings.HasPrefix(t, p+"/") && !strings.HasPrefix(p, t+"/") {
					continue
				}
				err := fmt.Errorf("%s is in the way of the test file %s", p, t)
				if v.Contributed {
					return &UnappliedError{Tests: true, Err: err}
				}
				return &UnappliedError{Start: part.start, Err: err}
			}
		}
	}
	return nil
}

// overFolder reports a file or link that the changes put where base has a
// folder, some of whose files they leave there. As git does, such a patch is
// refused: there is no such tree.
func overFolder(base patch.Tree, changes *patch.Changes) error {
	listed, ok := base.(interface{ Paths() []string })
	if !ok {
		return nil
	}
	paths := listed.Paths()
	for _, p := range slices.Sorted(maps.Keys(changes.Write)) {
		first, _ := slices.BinarySearch(paths, p+"/")
		for _, below := range paths[first:] {
			if !strings.HasPrefix(below, p+"/") {
				break
			}
			if _, gone := slices.BinarySearch(changes.Remove, below); !gone {
				return fmt.Errorf("%s is a folder, which holds %s", p, below)
			}
		}
	}
	return nil
}
