package otter

import (
	"context"
	"fmt"
	"slices"

	"assay/methods"
)

// variant is one of the five prompts: what of the localizer's work it shows.
type variant struct {
	name         string
	tests, focal bool
}

// variants are the prompts T2 to T5 of the paper, in the order in which they
// break a tie; Otter's own is before them.
func variants() []variant {
	return []variant{
		{"both", true, true},
		{"tests", true, false},
		{"focal", false, true},
		{"neither", false, false},
	}
}

// candidate is one test of the ensemble.
type candidate struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	patch string
	group Group
}

// ensemble makes five tests, runs each on the code as it is and returns the one
// that fails best. An error of the desk comes with the best so far.
func (s *solver) ensemble(ctx context.Context) (string, error) {
	found, err := s.locate(ctx)
	if err != nil {
		return "", err
	}
	var all []candidate
	patch, err := s.planned(ctx, found)
	all = s.keep(all, "otter", patch)
	for _, v := range variants() {
		if err != nil {
			break
		}
		patch, err = s.variant(ctx, v, found)
		all = s.keep(all, v.name, patch)
	}
	if err != nil && ctx.Err() != nil {
		return first(all), err
	}
	best, rerr := s.choose(ctx, all)
	if err == nil {
		err = rerr
	}
	return best, err
}

func (s *solver) keep(all []candidate, name, patch string) []candidate {
	if patch == "" {
		return all
	}
	return append(all, candidate{Name: name, patch: patch})
}

func first(all []candidate) string {
	if len(all) == 0 {
		return ""
	}
	return all[0].patch
}

// variant makes a test without a plan.
func (s *solver) variant(ctx context.Context, v variant, found located) (string, error) {
	var reads []place
	if v.focal {
		reads = append(reads, found.focal...)
	}
	if v.tests {
		reads = append(reads, found.tests...)
	}
	texts, err := s.repo.texts(reads)
	if err != nil {
		return "", err
	}
	t, err := s.aim(nil, nil, found)
	if err != nil {
		return "", err
	}
	return s.generate(ctx, "generate-"+v.name, order{target: t, functions: texts, shown: v.tests})
}

// choose runs the candidates, each once, and ranks them.
func (s *solver) choose(ctx context.Context, all []candidate) (string, error) {
	var groups []Group
	for i, c := range all {
		same := slices.IndexFunc(all[:i], func(o candidate) bool { return o.patch == c.patch })
		if same >= 0 {
			all[i].group = all[same].group
		} else {
			run, err := s.d.Run(ctx, "run-"+c.Name, methods.Trial{Tests: c.patch})
			if err != nil {
				return s.ranked(all[:i], groups), fmt.Errorf("running the test of %q: %w", c.Name, err)
			}
			all[i].group = GroupOf(run)
		}
		all[i].Group = all[i].group.String()
		groups = append(groups, all[i].group)
	}
	return s.ranked(all, groups), nil
}

func (s *solver) ranked(all []candidate, groups []Group) string {
	best, name, patch := Best(groups), "", ""
	if best >= 0 {
		name, patch = all[best].Name, all[best].patch
	}
	s.d.Note("rank", all, name)
	return patch
}
