// Package attempt makes candidates of what agents submitted.
package attempt

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/category"
	"assay/bench"
)

// Source is the source of what agents submitted (OmniCode, section 3.2.2:
// failed attempts of weaker models). Verdicts that came with the submissions
// are not trusted: all are run again. Submissions with the same code are one
// candidate.
type Source struct {
	Predictions []bench.Prediction
	PerModel    int // most candidates of one model; 0 means 2
}

var _ badpatch.Source = Source{}

// Name is attempt.
func (Source) Name() string { return "attempt" }

// Candidates returns one attempt of each model in turn, drawn by the subject's
// seed. What the static filter will drop for certain comes last and counts for
// no model: it is given so that it is counted.
func (a Source) Candidates(ctx context.Context, s *badpatch.Subject) iter.Seq2[badpatch.Candidate, error] {
	return func(yield func(badpatch.Candidate, error) bool) {
		clusters, err := a.clusters(s)
		if err != nil {
			yield(badpatch.Candidate{}, err)
			return
		}
		for _, c := range clusters {
			err := ctx.Err()
			if !yield(candidateOf(s, c), err) || err != nil {
				return
			}
		}
	}
}

// cluster is the submissions with the same code.
type cluster struct {
	submission
	models []string // sorted, each once
	count  int
	model  string // for which it counts
	turn   int    // how many of that model come before it
}

// clusters lists what is given, in order.
func (a Source) clusters(s *badpatch.Subject) ([]cluster, error) {
	reader, err := newReader(s)
	if err != nil {
		return nil, err
	}
	defer reader.filter.Close()
	byForm := map[string]*cluster{}
	for _, p := range a.Predictions {
		if !isOf(p, s.Instance, "bugfix") {
			continue
		}
		one, err := reader.read(p.Patch)
		if err != nil {
			return nil, fmt.Errorf("reading the attempt of %s at %s: %w", p.Model, p.InstanceID, err)
		}
		if one.code == "" {
			continue // nothing but tests, or nothing at all
		}
		c := byForm[one.form]
		if c == nil {
			c = &cluster{submission: one}
			byForm[one.form] = c
		}
		if cmp.Or(cmp.Compare(len(one.code), len(c.code)), cmp.Compare(one.code, c.code), cmp.Compare(one.less, c.less)) < 0 {
			c.submission = one
		}
		c.models = append(c.models, p.Model)
		c.count++
	}
	return a.capped(byForm, s.Seed), nil
}

// capped draws clusters. A cluster counts for the one of its models that has
// fewest so far, since a model should not lose its place to one that happened to
// write the same.
func (a Source) capped(byForm map[string]*cluster, seed uint64) []cluster {
	var all []cluster
	for _, c := range byForm {
		slices.Sort(c.models)
		c.models = slices.Compact(c.models)
		all = append(all, *c)
	}
	slices.SortFunc(all, func(x, y cluster) int { return cmp.Compare(x.form, y.form) })
	rng := rand.New(rand.NewPCG(seed, badpatch.Hash("attempt")))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	given := map[string]int{}
	most := cmp.Or(a.PerModel, 2)
	var out, hopeless []cluster
	for _, c := range all {
		c.model = slices.MinFunc(c.models, func(x, y string) int { return cmp.Compare(given[x], given[y]) })
		c.turn = given[c.model]
		switch {
		case c.hopeless:
			hopeless = append(hopeless, c)
		case c.turn < most:
			given[c.model]++
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(x, y cluster) int { return cmp.Compare(x.turn, y.turn) })
	return append(out, hopeless...)
}

// candidateOf is the candidate of a cluster.
func candidateOf(s *badpatch.Subject, c cluster) badpatch.Candidate {
	what := "submitted by " + strings.Join(c.models, ", ")
	if c.count > 1 {
		what += fmt.Sprintf(" (%d submissions with the same code)", c.count)
	}
	if c.less != "" {
		what += "; without its changes of " + c.less
	}
	out := badpatch.Candidate{Patch: c.code, Source: "attempt", Operator: c.model, Seed: s.Seed, Detail: badpatch.Detail{What: what}}
	out.Category, out.Kind = category.Of(s, c.code)
	return out
}
