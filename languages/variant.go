package languages

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"sort"
	"time"

	"assay/harness"
	"assay/internal/patch"
)

// Variant is one state of the instance's code with tests on it.
type Variant struct {
	// Name labels the run: base, gold, submission, bad/0.
	Name string
	// Start is a patch that is applied to base first: the state that Code is
	// a patch on. Empty where that is base itself.
	Start string
	// Code is the patch on base and Start; it may be empty. It is applied
	// whole: hunks that do not belong (tests, runner files) must be split off
	// before.
	Code string
	// Tests is the patch that contains the tests. Every path that it names is
	// first set back to base.
	Tests string
	// Existing runs the files that Tests names as they are at base: Tests is
	// not applied.
	Existing bool
	// Contributed runs only the tests that Tests adds or changes; otherwise
	// the files that it touches run as a whole.
	Contributed bool
	// Only narrows a run of hidden tests to these, by canonical id, as far as
	// the runner can; what else runs is reported too.
	Only []string
	// Cover, where it is not nil, are lines by path of the variant's tree: the run
	// notes which of them it executes, in an environment with the tool for it on
	// top.
	Cover map[string][]int
	// Bare leaves out nonce tests that need a build or a start of their own: for
	// runs that judge nothing.
	Bare bool
	// Public is set for runs whose outcome an agent sees: what was derived from
	// gold or hidden tests is withheld from them, and no published test runs
	// that is not in the files that Tests names.
	Public bool
	// Time bounds the run more tightly than the environment does; 0 does not.
	Time time.Duration
	// Attempt distinguishes repetitions; equal attempts may be answered from
	// a cache.
	Attempt int
}

// UnappliedError reports which of a variant's patches does not apply: the
// code, unless Start or Tests is set.
type UnappliedError struct {
	Start bool // the patch that the code starts from
	Tests bool // the test patch
	Err   error
}

func (e *UnappliedError) Error() string {
	if e.Start {
		return fmt.Sprintf("the patch that it starts from: %v", e.Err)
	}
	if e.Tests {
		return fmt.Sprintf("test patch: %v", e.Err)
	}
	return fmt.Sprintf("patch: %v", e.Err)
}

func (e *UnappliedError) Unwrap() error { return e.Err }

// composed is a variant's tree: what differs from base, and the test patch.
type composed struct {
	changes *patch.Changes
	tests   *patch.Patch
	method  patch.Method
}

// compose applies a variant's patches to base, in the order of judging: the
// state it starts from; the code; then every path that the test patch names
// is deleted; exactly those that exist at base are restored; then the tests
// are written.
func compose(base patch.Tree, v Variant) (composed, error) {
	code, err := patch.Parse([]byte(v.Code))
	if err != nil {
		return composed{}, &UnappliedError{Err: err}
	}
	tests, err := patch.Parse([]byte(v.Tests))
	if err != nil {
		return composed{}, &UnappliedError{Tests: true, Err: err}
	}
	start, err := patch.Parse([]byte(v.Start))
	if err != nil {
		return composed{}, &UnappliedError{Start: true, Err: err}
	}
	onStart, err := patch.Apply(base, start)
	if err != nil {
		return composed{}, &UnappliedError{Start: true, Err: err}
	}
	onCode, err := patch.Apply(onStart.Over(base), code)
	if err != nil {
		return composed{}, &UnappliedError{Err: err}
	}
	if err := overFolder(base, onStart); err != nil {
		return composed{}, &UnappliedError{Start: true, Err: err}
	}
	if err := overFolder(base, patch.Merge(onStart, onCode)); err != nil {
		return composed{}, &UnappliedError{Err: err}
	}
	if err := inTheWay(v, onStart, onCode, tests.Paths()); err != nil {
		return composed{}, err
	}
	restored, err := restore(base, tests.Paths())
	if err != nil {
		return composed{}, err
	}
	clean := patch.Merge(patch.Merge(onStart, onCode), restored)
	if v.Existing {
		return composed{changes: clean, tests: tests, method: max(onStart.Method, onCode.Method)}, nil
	}
	onTests, err := patch.Apply(clean.Over(base), tests)
	if err != nil {
		return composed{}, &UnappliedError{Tests: true, Err: err}
	}
	all := patch.Merge(clean, onTests)
	return composed{changes: all, tests: tests, method: max(onStart.Method, onCode.Method, onTests.Method)}, nil
}

// restore sets paths to what they are at base.
func restore(base patch.Tree, paths []string) (*patch.Changes, error) {
	c := &patch.Changes{Write: map[string]patch.Entry{}}
	for _, p := range paths {
		e, err := base.Read(p)
		switch {
		case err == nil:
			c.Write[p] = e
		case errors.Is(err, fs.ErrNotExist):
			c.Remove = append(c.Remove, p)
		default:
			return nil, fmt.Errorf("restoring %s: %w", p, err)
		}
	}
	return c, nil
}

// files turns changes into what a job is given, sorted.
func files(root string, c *patch.Changes) (put []harness.File, remove []string) {
	for _, p := range c.Remove {
		remove = append(remove, path.Join(root, p))
	}
	for p, e := range c.Write {
		f := harness.File{Path: path.Join(root, p), Data: e.Data, Mode: os.FileMode(e.Mode & 0o777)}
		if e.Mode&0o170000 == 0o120000 {
			f.Link, f.Data, f.Mode = string(e.Data), nil, 0
		}
		put = append(put, f)
	}
	sort.Slice(put, func(i, j int) bool { return put[i].Path < put[j].Path })
	sort.Strings(remove)
	return put, remove
}
