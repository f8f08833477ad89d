package badpatch

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/languages/syntax"
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

	instance  *bench.Instance
	base      patch.Tree
	gold      *patch.Patch
	files     []*change // code that gold changes, by path
	rest      []byte    // gold's changes of other files, as a diff
	testPatch string
}

// change is one file of code that gold changes. A nil before or after stands
// for no file.
type change struct {
	path          string
	before, after []byte
	from          string // the path before a rename, else empty
	base, gold    *code  // parsed; nil where there is no file
	hunks         []hunk
}

// NewSubject reads the files that gold changes. It fails where the language is
// not known or gold does not apply to base.
func NewSubject(in Input) (*Subject, error) {
	language := in.Instance.Language
	if language == "" {
		language = languages.Python
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
		Language: language, Seed: in.Seed, Failures: in.Failures,
		instance: in.Instance,
		base:     in.Base, gold: gold, testPatch: in.Instance.TestPatch,
	}
	mine, rest := splitCode(language, gold)
	s.rest = rest.Bytes()
	for _, f := range mine.Files {
		if err := s.add(f, changes); err != nil {
			return nil, fmt.Errorf("reading %s of %s: %w", f.Path(), in.Instance.ID, err)
		}
	}
	slices.SortFunc(s.files, func(a, b *change) int { return strings.Compare(a.path, b.path) })
	return s, nil
}

// splitCode parts text changes of source code from all others.
func splitCode(language string, p *patch.Patch) (mine, rest *patch.Patch) {
	mine, rest = new(patch.Patch), new(patch.Patch)
	for _, f := range p.Files {
		part := rest
		if !f.Binary && isCode(language, f.Path()) && !f.Copied && (f.Hunks() > 0 || f.Renamed) {
			part = mine
		}
		part.Files = append(part.Files, f)
	}
	return mine, rest
}

// isCode reports whether a path is source code in the language, and neither
// test nor build file.
func isCode(language, p string) bool {
	if languages.Classify(language, p) != languages.SourcePath {
		return false
	}
	ext := strings.ToLower(path.Ext(p))
	switch language {
	case languages.Python:
		return ext == ".py" || ext == ".pyx" || ext == ".pyi"
	case languages.Java:
		return ext == ".java"
	}
	return slices.Contains([]string{".cc", ".cpp", ".cxx", ".c++", ".c", ".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".tcc", ".cppm"}, ext)
}

// add reads one file of gold.
func (s *Subject) add(f *patch.File, changes *patch.Changes) error {
	c := &change{path: f.Path()}
	if !f.New {
		entry, err := s.base.Read(f.OldPath)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		c.before = present(entry.Data)
	}
	if f.Renamed {
		c.from = f.OldPath
	}
	if !f.Deleted {
		entry, err := changes.Over(s.base).Read(f.Path())
		if err != nil {
			return err
		}
		c.after = present(entry.Data)
	}
	var err error
	if c.base, err = parse(s.Language, c.path, c.before); err != nil {
		return err
	}
	if c.gold, err = parse(s.Language, c.path, c.after); err != nil {
		return err
	}
	c.hunks = hunksBetween(c.before, c.after)
	s.files = append(s.files, c)
	return nil
}

// present makes sure that an empty file is told from none.
func present(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// parse reads code; of no file it gives none.
func parse(language, path string, src []byte) (*code, error) {
	if src == nil {
		return nil, nil
	}
	root, errs, err := syntax.Nodes(language, src)
	if err != nil {
		return nil, err
	}
	return newCode(language, path, src, root, errs), nil
}

// diff is the patch that gives files the texts, and all other files those that
// gold gives them; whole says whether that goes for files that are no code.
func (s *Subject) diff(texts map[string][]byte, whole bool) (string, error) {
	var out strings.Builder
	known := map[string]bool{}
	for _, c := range s.files {
		text, ok := texts[c.path]
		if !ok {
			text = c.after
		}
		known[c.path] = true
		out.Write(c.diff(text))
	}
	for _, p := range slices.Sorted(maps.Keys(texts)) {
		if known[p] {
			continue
		}
		entry, err := s.base.Read(p)
		if err != nil {
			return "", fmt.Errorf("reading %s: %w", p, err)
		}
		out.Write(patch.Between(p, present(entry.Data), texts[p]))
	}
	if whole {
		out.Write(s.rest)
	}
	return out.String(), nil
}

// diff turns the file at base into text.
func (c *change) diff(text []byte) []byte {
	if c.from == "" {
		return patch.Between(c.path, c.before, text)
	}
	out := patch.Between(c.from, c.before, nil)
	return append(out, patch.Between(c.path, nil, text)...)
}

// reverted are the texts of base, for diff. A renamed file stays renamed.
func (s *Subject) reverted() map[string][]byte {
	texts := map[string][]byte{}
	for _, c := range s.files {
		texts[c.path] = c.before
	}
	return texts
}
