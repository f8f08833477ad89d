package badpatch

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/internal/patch"
	"assay/languages"
	"assay/languages/syntax"
)

// Cause is why a candidate is dropped; empty for one that is kept.
type Cause string

// The causes of the static filter, in the order in which they are looked for.
const (
	Unparsed    Cause = "is no patch"
	Unapplied   Cause = "does not apply"
	OffLimits   Cause = "touches tests, build or configuration"
	LikeBase    Cause = "same code as base"
	LikeGold    Cause = "same code as gold"
	LikeAnother Cause = "same code as another candidate"
	Dangling    Cause = "uses a name that only the missing part of gold declares"
	NoSyntax    Cause = "does not parse"
)

// Filter drops what is not worth a run. It keeps the forms of what it let pass,
// so that of candidates with the same code only the first passes. It must be
// closed, and is not safe for concurrent use.
type Filter struct {
	subject *Subject
	seen    map[[32]byte]bool
	gold    [32]byte
	forms   map[string]string // of files at base, by path
	parsers map[string]*syntax.Reparser
	brought []novelty // names that gold declares
}

// NewFilter makes a filter for candidates of a subject.
func NewFilter(s *Subject) (*Filter, error) {
	f := &Filter{
		subject: s, seen: map[[32]byte]bool{}, forms: map[string]string{},
		parsers: map[string]*syntax.Reparser{}, brought: s.brought(),
	}
	changes, err := patch.Apply(s.Base, s.Gold)
	if err != nil {
		return nil, fmt.Errorf("applying gold: %w", err)
	}
	if f.gold, err = f.Form(changes); err != nil {
		return nil, err
	}
	return f, nil
}

// Close frees the parsers.
func (f *Filter) Close() {
	for _, p := range f.parsers {
		p.Close()
	}
	f.parsers = map[string]*syntax.Reparser{}
}

// Check returns the cause for dropping a candidate. An error is of the tree or
// the parser, and says nothing of the candidate.
func (f *Filter) Check(c Candidate) (Cause, error) {
	p, err := patch.Parse([]byte(c.Patch))
	if err != nil {
		return Unparsed, nil
	}
	changes, err := patch.Apply(f.subject.Base, p)
	if err != nil {
		var no *patch.ApplyError
		var unsafe *patch.UnsafeError
		if errors.As(err, &no) || errors.As(err, &unsafe) {
			return Unapplied, nil
		}
		return "", fmt.Errorf("applying a candidate: %w", err)
	}
	if f.offLimits(p) {
		return OffLimits, nil
	}
	form, err := f.Form(changes)
	if err != nil {
		return "", err
	}
	switch {
	case form == sha256.Sum256(nil):
		return LikeBase, nil
	case form == f.gold:
		return LikeGold, nil
	case f.seen[form]:
		return LikeAnother, nil
	}
	if f.dangles(changes) {
		return Dangling, nil
	}
	if ok, err := f.parses(changes); err != nil || !ok {
		return NoSyntax, err
	}
	f.seen[form] = true
	return "", nil
}

// dangles reports whether a candidate uses a name of gold's without declaring
// it: no build would take it, or it would crash where it is used.
func (f *Filter) dangles(changes *patch.Changes) bool {
	var forms []string
	for _, p := range slices.Sorted(maps.Keys(changes.Write)) {
		if code.IsSource(f.subject.Language, p) {
			forms = append(forms, f.normalise(p, changes.Write[p].Data))
		}
	}
	return slices.ContainsFunc(f.brought, func(n novelty) bool { return n.dangles(forms) })
}

// offLimits reports whether a patch changes what is not source, other than as
// gold does: gold's own changes of build files are part of every candidate.
func (f *Filter) offLimits(p *patch.Patch) bool {
	_, mine := f.subject.Gold.Split(f.IsSource)
	own := map[string]bool{}
	for _, file := range mine.Files {
		own[string((&patch.Patch{Files: []*patch.File{file}}).Bytes())] = true
	}
	for _, file := range p.Files {
		for _, path := range []string{file.OldPath, file.NewPath} {
			if path != "" && !f.IsSource(path) && !own[string((&patch.Patch{Files: []*patch.File{file}}).Bytes())] {
				return true
			}
		}
	}
	return false
}

// IsSource lets documentation pass: it does no harm.
func (f *Filter) IsSource(path string) bool {
	kind := f.subject.Classify(path)
	return kind == languages.SourcePath || kind == languages.DocPath
}

// Form is the hash of what the changed files are in normal form, as far as that
// differs from base.
func (f *Filter) Form(changes *patch.Changes) ([32]byte, error) {
	h := sha256.New()
	paths := append(slices.Collect(maps.Keys(changes.Write)), changes.Remove...)
	slices.Sort(paths)
	for _, p := range paths {
		if !f.counts(p) {
			continue
		}
		base, err := f.baseForm(p)
		if err != nil {
			return [32]byte{}, err
		}
		entry, there := changes.Write[p]
		form := "\x00gone"
		if there {
			form = f.normalise(p, entry.Data)
		}
		if form != base {
			fmt.Fprintf(h, "%s\x00%d\x00%s", p, len(form), form)
		}
	}
	return [32]byte(h.Sum(nil)), nil
}

// counts reports whether what a file says can matter: code, and data that
// programs read.
func (f *Filter) counts(p string) bool {
	if code.IsSource(f.subject.Language, p) {
		return true
	}
	if f.subject.Classify(p) != languages.SourcePath {
		return false
	}
	return slices.Contains([]string{".json", ".xml", ".yaml", ".yml", ".properties", ".html", ".js", ".css", ".sql", ".csv", ".tmpl",
		".j2", ".jinja", ".proto", ".toml", ".ini", ".cfg", ".py", ".java", ".kt", ".g4", ".y", ".l", ".in"}, strings.ToLower(path.Ext(p)))
}

func (f *Filter) normalise(p string, data []byte) string {
	if code.IsSource(f.subject.Language, p) {
		return code.Normalise(f.subject.Language, data)
	}
	return code.Normalise("", data)
}

func (f *Filter) baseForm(p string) (string, error) {
	if form, ok := f.forms[p]; ok {
		return form, nil
	}
	form := "\x00gone"
	entry, err := f.subject.Base.Read(p)
	switch {
	case err == nil:
		form = f.normalise(p, entry.Data)
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("reading %s at base: %w", p, err)
	}
	f.forms[p] = form
	return form, nil
}

// parses reports whether no file of code has more errors than in gold, or at
// base where gold does not have it. Macros of C++ are errors in both.
func (f *Filter) parses(changes *patch.Changes) (bool, error) {
	for _, p := range slices.Sorted(maps.Keys(changes.Write)) {
		if !code.IsSource(f.subject.Language, p) {
			continue
		}
		ok, err := f.parsesFile(p, changes.Write[p].Data)
		if err != nil || !ok {
			return ok, err
		}
	}
	return true, nil
}

func (f *Filter) parsesFile(p string, text []byte) (bool, error) {
	known, allowed, err := f.reference(p)
	if err != nil {
		return false, err
	}
	parser := f.parsers[p]
	if parser == nil {
		if parser, err = syntax.NewReparser(f.subject.Language, known); err != nil {
			return false, err
		}
		f.parsers[p] = parser
	}
	errs, err := parser.Errors(text)
	if err != nil || errs <= allowed {
		return err == nil, err
	}
	_, errs, err = syntax.Nodes(f.subject.Language, text) // counts may differ a little when parsed in parts
	return err == nil && errs <= allowed, err
}

// reference is the text that a file is compared with, and its errors.
func (f *Filter) reference(p string) (text []byte, errs int, err error) {
	for _, c := range f.subject.Files {
		switch {
		case c.Path != p:
		case c.Gold != nil && c.Base != nil:
			return c.After, max(c.Gold.Errors, c.Base.Errors), nil
		case c.Gold != nil:
			return c.After, c.Gold.Errors, nil
		case c.Base != nil:
			return c.Before, c.Base.Errors, nil
		}
	}
	entry, err := f.subject.Base.Read(p)
	if err != nil {
		return nil, 0, nil // a new file must be clean
	}
	_, errs, err = syntax.Nodes(f.subject.Language, entry.Data)
	return entry.Data, errs, err
}
