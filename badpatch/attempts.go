package badpatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Attempts is the source of what agents submitted. Whoever's verdict came with
// a submission is not trusted: all are run again. Submissions with the same
// code are one candidate.
type Attempts struct {
	Predictions []bench.Prediction
	PerModel    int // most candidates of one model; 0 means 2
}

// ReadAttempts reads a file of predictions in any form that bench knows.
func ReadAttempts(ctx context.Context, file string) ([]bench.Prediction, error) {
	p, err := bench.OpenPredictions(file)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	entries, err := p.Index(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]bench.Prediction, 0, len(entries))
	for _, e := range entries {
		one, err := p.Read(e)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// SuitesOf are an instance's submissions to test generation.
func SuitesOf(inst *bench.Instance, predictions []bench.Prediction) []Suite {
	var out []Suite
	for _, p := range predictions {
		if bench.NormaliseID(p.InstanceID) != bench.NormaliseID(inst.ID) || p.Task != "" && p.Task != "testgen" {
			continue
		}
		text, err := patch.Parse([]byte(p.Patch))
		if err != nil {
			continue // no suite at all
		}
		tests, _ := text.Split(func(path string) bool { return languages.IsTest(language(inst), path) })
		if !tests.Empty() {
			out = append(out, Suite{p.Model, string(tests.Bytes())})
		}
	}
	slices.SortStableFunc(out, func(a, b Suite) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Name is attempt.
func (Attempts) Name() string { return "attempt" }

// Candidates gives one attempt of each model in turn.
func (a Attempts) Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		clusters, err := a.clusters(s)
		if err != nil {
			yield(Candidate{}, err)
			return
		}
		for _, c := range clusters {
			if ctx.Err() != nil || !yield(s.attempt(c), nil) {
				return
			}
		}
	}
}

// cluster is the submissions with the same code.
type cluster struct {
	patch  string // the smallest
	models []string
}

// clusters are drawn by the seed, capped by the model that the first
// submission of each is of.
func (a Attempts) clusters(s *Subject) ([]cluster, error) {
	filter, err := NewFilter(s)
	if err != nil {
		return nil, err
	}
	defer filter.Close()
	byForm := map[[32]byte]*cluster{}
	var all []*cluster
	for _, p := range a.Predictions {
		if p.Task != "" && p.Task != "bugfix" || bench.NormaliseID(p.InstanceID) != bench.NormaliseID(s.instance.ID) {
			continue
		}
		code, form, err := filter.attempt(p.Patch)
		if err != nil {
			return nil, err
		}
		if code == "" {
			continue
		}
		c := byForm[form]
		if c == nil {
			c = &cluster{patch: code}
			byForm[form], all = c, append(all, c)
		}
		c.models = append(c.models, p.Model)
		if len(code) < len(c.patch) || len(code) == len(c.patch) && code < c.patch {
			c.patch = code
		}
	}
	return a.capped(all, s.Seed), nil
}

func (a Attempts) capped(all []*cluster, seed uint64) []cluster {
	for _, c := range all {
		slices.Sort(c.models)
		c.models = slices.Compact(c.models)
	}
	slices.SortFunc(all, func(x, y *cluster) int { return cmp.Compare(x.patch, y.patch) })
	r := rand.New(rand.NewPCG(seed, 4))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	most := cmp.Or(a.PerModel, 2)
	count := map[string]int{}
	var out []cluster
	for _, c := range all {
		model := c.models[0]
		if count[model] < most {
			count[model]++
			out = append(out, *c)
		}
	}
	return out
}

// attempt is the part of a submission that is source, and its form; nothing
// where there is none, or it does not apply.
func (f *Filter) attempt(text string) (code string, form [32]byte, err error) {
	p, err := patch.Parse([]byte(text))
	if err != nil {
		return "", form, nil
	}
	gold := f.subject.gold.Paths()
	source, _ := p.Split(func(path string) bool { return slices.Contains(gold, path) || f.isSource(path) })
	if source.Empty() {
		return "", form, nil
	}
	changes, err := patch.Apply(f.subject.base, source)
	var no *patch.ApplyError
	var unsafe *patch.UnsafeError
	switch {
	case errors.As(err, &no) || errors.As(err, &unsafe):
		return "", form, nil
	case err != nil:
		return "", form, fmt.Errorf("applying an attempt: %w", err)
	}
	form, err = f.form(changes)
	return string(source.Bytes()), form, err
}

func (s *Subject) attempt(c cluster) Candidate {
	what := "submitted by " + strings.Join(c.models, ", ")
	out := Candidate{Patch: c.patch, Source: "attempt", Operator: c.models[0], Seed: s.Seed, Detail: Detail{What: what}}
	out.Category, out.Kind = CategoryOf(s, c.patch)
	return out
}
