package review

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"assay/bench"
	"assay/internal/patch"
)

// Input is what a review is about.
type Input struct {
	Instance *bench.Instance
	Bad      bench.BadPatch
	// Base gives a file of the repository at base by its slash-separated
	// path. Where there is none, the error wraps fs.ErrNotExist.
	Base func(path string) ([]byte, error)
	// FailToPass and PassToPass are the tests of these lists that do not
	// pass on the bad patch, with the messages of its run.
	FailToPass, PassToPass []bench.Test
	// QuoteTests lets a review name hidden tests and quote what they expect.
	// Otherwise they are as secret as gold, since an agent that knows the
	// expected values can write them into the code.
	QuoteTests bool
}

// Subject is an Input that was read. It is read-only and safe for concurrent
// use.
type Subject struct {
	in       Input
	language string
	files    []file // that gold or the bad patch touch, sorted by path
	// unapplied explains why the bad patch does not apply to base; nil where
	// it does. Its files are then those of base.
	unapplied error
	secret    secrets // what only gold has
	strict    secrets // the same where the hidden tests' text counts as unknown
	known     streams
	lines     goldLines
	places    []Place
	declared  []string // functions and classes of the touched files with the bad patch
}

// file is a touched file of code in its three states, nil where it is absent.
type file struct {
	path            string
	dialect         dialect
	base, gold, bad *version
	touchedByBad    bool
}

// version is one state of a file.
type version struct {
	text   []byte
	tokens []token
}

// Study reads what a review is about. It fails where base cannot be read or
// the gold patch does not apply. A bad patch that does not apply is not an
// error: such a Subject has no places.
func Study(in Input) (*Subject, error) {
	s := &Subject{in: in, language: in.Instance.Language}
	if s.language == "" {
		s.language = bench.DefaultLanguage()
	}
	tree := baseTree(in.Base)
	gold, goldTree, err := applied(tree, in.Instance.Patch)
	if err != nil {
		return nil, fmt.Errorf("studying %s: the gold patch: %w", in.Instance.ID, err)
	}
	bad, badTree, err := applied(tree, in.Bad.Patch)
	if err != nil {
		var unreadable *unreadableError
		if errors.As(err, &unreadable) {
			return nil, fmt.Errorf("studying %s: bad patch %d: %w", in.Instance.ID, in.Bad.Index, err)
		}
		s.unapplied, bad, badTree = err, new(patch.Patch), tree
	}
	if err := s.readFiles(gold, bad, tree, goldTree, badTree); err != nil {
		return nil, fmt.Errorf("studying %s: %w", in.Instance.ID, err)
	}
	s.learn()
	s.lines = s.readGoldLines()
	if err := s.diverge(); err != nil {
		return nil, fmt.Errorf("studying %s: %w", in.Instance.ID, err)
	}
	return s, nil
}

// baseTree makes a tree of a reader of files.
type baseTree func(path string) ([]byte, error)

// unreadableError distinguishes a failure to read base from a fault of a
// patch.
type unreadableError struct{ err error }

func (e *unreadableError) Error() string { return e.err.Error() }
func (e *unreadableError) Unwrap() error { return e.err }

func (t baseTree) Read(path string) (patch.Entry, error) {
	data, err := t(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = &unreadableError{fmt.Errorf("reading %s at base: %w", path, err)}
	}
	return patch.Entry{Data: data, Mode: patch.ModeFile}, err
}

func applied(base patch.Tree, diff string) (*patch.Patch, patch.Tree, error) {
	p, err := patch.Parse([]byte(diff))
	if err != nil {
		return nil, nil, err
	}
	changes, err := patch.Apply(base, p)
	if err != nil {
		return nil, nil, err
	}
	return p, changes.Over(base), nil
}

// readFiles reads all states of the code that either patch touches.
func (s *Subject) readFiles(gold, bad *patch.Patch, trees ...patch.Tree) error {
	touched := bad.Paths()
	paths := append(gold.Paths(), touched...)
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		d, code := dialectOf(s.language, p)
		if !code {
			continue
		}
		f := file{path: p, dialect: d, touchedByBad: slices.Contains(touched, p)}
		for i, v := range []**version{&f.base, &f.gold, &f.bad} {
			entry, err := trees[i].Read(p)
			switch {
			case err == nil:
				*v = &version{text: entry.Data, tokens: lex(entry.Data, d)}
			case !errors.Is(err, fs.ErrNotExist):
				return err
			}
		}
		s.files = append(s.files, f)
	}
	return nil
}
