package badpatch

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Input is what a Subject is made of.
type Input struct {
	Instance *bench.Instance
	Base     patch.Tree // the repository at base
	Seed     uint64
	// Failures are what the F2P tests say on base, where that is known.
	Failures []Failure
}

// Failure is how a test fails on base.
type Failure struct {
	Exception string // the exception's type, with or without its package
	Path      string // the innermost frame in the repository's own source
	Line      int    // its line in base's version of that file
}

// Subject is an instance made ready for sources and filters. It is read-only.
type Subject struct {
	Language string
	Seed     uint64
	Failures []Failure

	Instance  *bench.Instance
	Base      patch.Tree
	Gold      *patch.Patch
	goldTree  patch.Tree     // the repository with gold
	Files     []*ChangedFile // code that gold changes, by path
	lang      languages.Language
	rest      []byte // gold's changes of other files, as a diff
	TestPatch string
}

// ChangedFile is one file of code that gold changes. A nil before or after stands
// for no file.
type ChangedFile struct {
	Path          string
	Before, After []byte
	From          string     // the path before a rename, else empty
	Base, Gold    *code.File // parsed; nil where there is no file
	Hunks         []code.Hunk
}

// NewSubject reads the files that gold changes. It fails where the language is
// not known or gold does not apply to base.
func NewSubject(in Input) (*Subject, error) {
	language := LanguageOf(in.Instance)
	l, err := languages.Default().Lookup(language)
	if err != nil {
		return nil, err
	}
	gold, err := patch.Parse([]byte(in.Instance.Patch))
	if err != nil {
		return nil, unsound("gold is no patch: %v", err)
	}
	changes, err := patch.Apply(in.Base, gold)
	if err != nil {
		return nil, unsound("gold does not apply: %v", err)
	}
	s := &Subject{
		Language: language, lang: l, Seed: in.Seed, Failures: in.Failures,
		Instance: in.Instance,
		Base:     in.Base, Gold: gold, goldTree: changes.Over(in.Base), TestPatch: in.Instance.TestPatch,
	}
	mine, rest := splitCode(language, gold)
	s.rest = rest.Bytes()
	for _, f := range mine.Files {
		if err := s.add(f, changes); err != nil {
			return nil, fmt.Errorf("reading %s of %s: %w", f.Path(), in.Instance.ID, err)
		}
	}
	slices.SortFunc(s.Files, func(a, b *ChangedFile) int { return strings.Compare(a.Path, b.Path) })
	return s, nil
}

// splitCode parts text changes of source code from all others.
func splitCode(language string, p *patch.Patch) (mine, rest *patch.Patch) {
	mine, rest = new(patch.Patch), new(patch.Patch)
	for _, f := range p.Files {
		part := rest
		if !f.Binary && code.IsSource(language, f.Path()) && !f.Copied && (f.Hunks() > 0 || f.Renamed) {
			part = mine
		}
		part.Files = append(part.Files, f)
	}
	return mine, rest
}

// add reads one file of gold.
func (s *Subject) add(f *patch.File, changes *patch.Changes) error {
	c := &ChangedFile{Path: f.Path()}
	if !f.New {
		entry, err := s.Base.Read(f.OldPath)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		c.Before = code.Present(entry.Data)
	}
	if f.Renamed {
		c.From = f.OldPath
	}
	if !f.Deleted {
		entry, err := changes.Over(s.Base).Read(f.Path())
		if err != nil {
			return err
		}
		c.After = code.Present(entry.Data)
	}
	var err error
	if c.Base, err = code.Parse(s.Language, c.Path, c.Before); err != nil {
		return err
	}
	if c.Gold, err = code.Parse(s.Language, c.Path, c.After); err != nil {
		return err
	}
	c.Hunks = code.HunksBetween(c.Before, c.After)
	s.Files = append(s.Files, c)
	return nil
}

// Diff is the patch that gives files the texts, and all other files those
// that gold gives them; whole reports whether that goes for files that are
// not code.
func (s *Subject) Diff(texts map[string][]byte, whole bool) (string, error) {
	var out strings.Builder
	known := map[string]bool{}
	for _, c := range s.Files {
		text, ok := texts[c.Path]
		if !ok {
			text = c.After
		}
		known[c.Path] = true
		out.Write(c.diff(text))
	}
	for _, p := range slices.Sorted(maps.Keys(texts)) {
		if known[p] {
			continue
		}
		entry, err := s.Base.Read(p)
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", p, err)
		}
		out.Write(patch.Between(p, code.Present(entry.Data), texts[p]))
	}
	if whole {
		out.Write(s.rest)
	}
	return out.String(), nil
}

// diff turns the file at base into text.
func (c *ChangedFile) diff(text []byte) []byte {
	if c.From == "" {
		return patch.Between(c.Path, c.Before, text)
	}
	out := patch.Between(c.From, c.Before, nil)
	return append(out, patch.Between(c.Path, nil, text)...)
}

// Reverted are the texts of base, for diff. A renamed file stays renamed.
func (s *Subject) Reverted() map[string][]byte {
	texts := map[string][]byte{}
	for _, c := range s.Files {
		texts[c.Path] = c.Before
	}
	return texts
}

// Classify returns what a path of the subject's repository is for.
func (s *Subject) Classify(path string) languages.PathKind { return s.lang.Classify(path) }
