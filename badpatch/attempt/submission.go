package attempt

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/internal/patch"
	"assay/languages"
)

// submission is what counts of a submission.
type submission struct {
	code     string // as a diff; empty where there is none
	form     string // the same for the same code
	less     string // the kinds of files that were split off
	hopeless bool   // it does not parse or apply, or is as base or gold
}

// reader reads the submissions for one subject.
type reader struct {
	subject     *badpatch.Subject
	filter      *badpatch.Filter
	gold, tests map[string]bool // the paths of gold and of the hidden tests
	like        []string        // forms that no bad patch can have
}

func newReader(s *badpatch.Subject) (*reader, error) {
	filter, err := badpatch.NewFilter(s)
	if err != nil {
		return nil, err
	}
	none, err := filter.Form(&patch.Changes{})
	if err != nil {
		return nil, err
	}
	changes, err := patch.Apply(s.Base, s.Gold)
	if err != nil {
		return nil, fmt.Errorf("applying gold: %w", err)
	}
	gold, err := filter.Form(changes)
	if err != nil {
		return nil, err
	}
	r := &reader{subject: s, filter: filter, gold: map[string]bool{}, tests: map[string]bool{}, like: []string{string(gold[:]), string(none[:])}}
	for _, p := range s.Gold.Paths() {
		r.gold[p] = true
	}
	if hidden, err := patch.Parse([]byte(s.TestPatch)); err == nil {
		for _, p := range hidden.Paths() {
			r.tests[p] = true
		}
	}
	return r, nil
}

// read parts the source of a submission from tests, build and runner files,
// as the static filter wants it, and applies it to base.
func (r *reader) read(text string) (submission, error) {
	if strings.TrimSpace(text) == "" {
		return submission{}, nil
	}
	p, err := patch.Parse([]byte(text))
	if err != nil {
		return submission{code: text, form: "\x00" + text, hopeless: true}, nil
	}
	source, rest := p.Split(func(path string) bool {
		return r.filter.IsSource(path) && (r.gold[path] || !r.tests[path])
	})
	if source.Empty() {
		return submission{}, nil
	}
	out := submission{code: string(source.Bytes()), less: r.kinds(rest)}
	changes, err := patch.Apply(r.subject.Base, source)
	var no *patch.ApplyError
	var unsafe *patch.UnsafeError
	if errors.As(err, &no) || errors.As(err, &unsafe) {
		out.form, out.hopeless = "\x00"+out.code, true
		return out, nil
	}
	if err != nil {
		return submission{}, err
	}
	form, err := r.filter.Form(changes)
	out.form = string(form[:])
	out.hopeless = slices.Contains(r.like, out.form)
	return out, err
}

// kinds names the files of a part that is split off, by what they are for.
func (r *reader) kinds(rest *patch.Patch) string {
	var out []string
	for _, f := range rest.Files {
		kind := r.subject.Classify(f.Path())
		if r.tests[f.Path()] {
			kind = languages.TestPath
		}
		out = append(out, kind.String())
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}
