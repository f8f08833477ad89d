package badpatch

import (
	"errors"
	"slices"
	"strings"

	"assay/internal/patch"
	"assay/languages"
)

// attempt is what counts of a submission.
type attempt struct {
	code     string // as a diff; empty where there is none
	form     string // the same for the same code
	less     string // the kinds of files that were split off
	hopeless bool   // it does not parse or apply, or is as base or gold
}

// attemptReader reads the submissions for one subject.
type attemptReader struct {
	filter      *Filter
	gold, tests map[string]bool // the paths of gold and of the hidden tests
	like        []string        // forms that no bad patch can have
}

func newAttemptReader(s *Subject) (*attemptReader, error) {
	filter, err := NewFilter(s)
	if err != nil {
		return nil, err
	}
	none, err := filter.form(&patch.Changes{})
	if err != nil {
		return nil, err
	}
	r := &attemptReader{filter: filter, gold: map[string]bool{}, tests: map[string]bool{}, like: []string{string(filter.gold[:]), string(none[:])}}
	for _, p := range s.gold.Paths() {
		r.gold[p] = true
	}
	if hidden, err := patch.Parse([]byte(s.testPatch)); err == nil {
		for _, p := range hidden.Paths() {
			r.tests[p] = true
		}
	}
	return r, nil
}

// read parts the source of a submission from tests, build and runner files, as
// the static filter wants it, and lays it on base.
func (r *attemptReader) read(text string) (attempt, error) {
	if strings.TrimSpace(text) == "" {
		return attempt{}, nil
	}
	p, err := patch.Parse([]byte(text))
	if err != nil {
		return attempt{code: text, form: "\x00" + text, hopeless: true}, nil
	}
	source, rest := p.Split(func(path string) bool {
		return r.filter.isSource(path) && (r.gold[path] || !r.tests[path])
	})
	if source.Empty() {
		return attempt{}, nil
	}
	out := attempt{code: string(source.Bytes()), less: r.kinds(rest)}
	changes, err := patch.Apply(r.filter.subject.base, source)
	var no *patch.ApplyError
	var unsafe *patch.UnsafeError
	if errors.As(err, &no) || errors.As(err, &unsafe) {
		out.form, out.hopeless = "\x00"+out.code, true
		return out, nil
	}
	if err != nil {
		return attempt{}, err
	}
	form, err := r.filter.form(changes)
	out.form = string(form[:])
	out.hopeless = slices.Contains(r.like, out.form)
	return out, err
}

// kinds names the files of a part that is split off, by what they are for.
func (r *attemptReader) kinds(rest *patch.Patch) string {
	var out []string
	for _, f := range rest.Files {
		kind := languages.Classify(r.filter.subject.Language, f.Path())
		if r.tests[f.Path()] {
			kind = languages.TestPath
		}
		out = append(out, kind.String())
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}
