package otter

import (
	"context"
	"fmt"
	"slices"

	"assay/languages"
	"assay/llm/prompts"
	"assay/methods/nearest"
)

// target is the test function that is written or modified.
type target struct {
	File     string `json:"file"` // "" where the repository has no tests
	Function string `json:"function"`
	Modify   bool   `json:"modify"`
	// After is the function that a new one goes after where the model names none.
	After string `json:"after,omitempty"`
}

// plan is what the planner decided.
type plan struct {
	reads  []place
	target target
}

// refusal is an action that cannot be done, and why.
type refusal struct {
	Action
	Why string `json:"why"`
}

// plan makes a first plan, which only reads, then has the model reflect on it
// until it is satisfied, a number of rounds at most.
func (s *solver) plan(ctx context.Context, found located) (plan, error) {
	task := s.d.Task()
	texts, err := s.repo.texts(slices.Concat(found.focal, found.tests))
	if err != nil {
		return plan{}, err
	}
	answer, err := s.ask(ctx, "plan", prompts.OtterPlan, prompts.OtterPlanData{
		Repo: task.Repo, Problem: task.Problem, Language: s.repo.about.Title,
		Tests: listings(found.tests), Focal: listings(found.focal), Functions: texts,
	})
	if err != nil {
		return plan{}, err
	}
	acts := actions(answer)
	for round := 1; round <= s.d.Count("rounds"); round++ {
		answer, err := s.reflect(ctx, round, acts, found)
		if err != nil {
			return plan{}, err
		}
		if better := actions(answer); len(better) > 0 {
			acts = better
		}
		if satisfied(answer) {
			break
		}
	}
	return s.settle(acts, found)
}

// reflect validates a plan and asks for a better one.
func (s *solver) reflect(ctx context.Context, round int, acts []Action, found located) (string, error) {
	valid, invalid, err := s.validate(acts)
	if err != nil {
		return "", err
	}
	s.d.Note(fmt.Sprintf("validate-%d", round), acts, map[string]any{"valid": valid, "invalid": invalid})
	texts, err := s.repo.texts(readBy(valid))
	if err != nil {
		return "", err
	}
	task := s.d.Task()
	data := prompts.OtterReflectData{
		Repo: task.Repo, Problem: task.Problem, Language: s.repo.about.Title,
		Tests: listings(found.tests), Focal: listings(found.focal), Functions: texts,
	}
	for _, a := range valid {
		data.Valid = append(data.Valid, prompts.PlanAction{Verb: string(a.Verb), Path: a.File, Function: a.Function})
	}
	for _, r := range invalid {
		data.Invalid = append(data.Invalid, prompts.PlanAction{Verb: string(r.Verb), Path: r.File, Function: r.Function, Why: r.Why})
	}
	return s.ask(ctx, fmt.Sprintf("reflect-%d", round), prompts.OtterReflect, data)
}

// validate divides actions into those that can be done and the others. Repeated
// ones count once.
func (s *solver) validate(acts []Action) (valid []Action, invalid []refusal, err error) {
	testing := false
	var seen []Action
	for _, a := range acts {
		if slices.Contains(seen, a) {
			continue
		}
		seen = append(seen, a)
		why, err := s.wrong(a)
		if err != nil {
			return nil, nil, err
		}
		if why == "" && a.Verb != Read && testing {
			why = "only one write or modify is possible"
		}
		if why != "" {
			invalid = append(invalid, refusal{a, why})
			continue
		}
		testing = testing || a.Verb != Read
		valid = append(valid, a)
	}
	return valid, invalid, nil
}

// wrong is why an action cannot be done; "" where it can.
func (s *solver) wrong(a Action) (string, error) {
	if a.Verb != Read && a.Verb != Write && a.Verb != Modify {
		return "there is no such action", nil
	}
	f, err := s.repo.open(a.File)
	if err != nil {
		return "", err
	}
	switch {
	case f == nil:
		return "there is no such file", nil
	case a.Function == "":
		return "it names no function", nil
	case a.Verb != Read && !languages.IsTest(s.repo.language, a.File):
		return "it is not a test file", nil
	}
	_, exists := f.Find(a.Function)
	switch {
	case a.Verb == Write && exists:
		return "the file has a function of that name already", nil
	case a.Verb != Write && !exists:
		return "the file has no such function", nil
	}
	return "", nil
}

// readBy are the functions that a plan reads: those that it modifies, too.
func readBy(acts []Action) []place {
	var out []place
	for _, a := range acts {
		if a.Verb != Write {
			out = append(out, place{a.File, []string{a.Function}})
		}
	}
	return out
}

// settle makes the last plan one that can be carried out: names that do not
// exist are replaced by the nearest, and a plan without a test writes one into
// the first file that the localizer chose.
func (s *solver) settle(acts []Action, found located) (plan, error) {
	valid, invalid, err := s.validate(acts)
	if err != nil {
		return plan{}, err
	}
	p := plan{reads: readBy(valid)}
	if len(p.reads) == 0 {
		p.reads = slices.Concat(found.focal, found.tests)
	}
	p.target, err = s.aim(valid, invalid, found)
	if err != nil {
		return plan{}, err
	}
	s.d.Note("settle-plan", acts, map[string]any{"reads": p.reads, "test": p.target})
	return p, nil
}

// aim is the test that a plan is for.
func (s *solver) aim(valid []Action, invalid []refusal, found located) (target, error) {
	for _, a := range valid {
		if a.Verb != Read {
			return target{File: a.File, Function: a.Function, Modify: a.Verb == Modify, After: lastIn(found.tests, a.File)}, nil
		}
	}
	files, err := s.repo.testFiles()
	if err != nil || len(files) == 0 {
		return target{}, err
	}
	t := target{File: files[0]}
	if len(found.tests) > 0 {
		t.File = found.tests[0].File
	}
	for _, r := range invalid {
		if r.Verb == Write || r.Verb == Modify {
			if t, err = s.repaired(r.Action, files, t.File); err != nil {
				return t, err
			}
			break
		}
	}
	t.After = lastIn(found.tests, t.File)
	return t, nil
}

// lastIn is the last function of a file among places; "" for none.
func lastIn(places []place, file string) string {
	for _, p := range places {
		if p.File == file && len(p.Functions) > 0 {
			return p.Functions[len(p.Functions)-1]
		}
	}
	return ""
}

// repaired is an action with names that exist. fallback is the file of one that
// names none.
func (s *solver) repaired(a Action, files []string, fallback string) (target, error) {
	t := target{File: fallback, Function: a.Function}
	if a.File != "" {
		t.File, _ = nearest.To(a.File, files)
	}
	f, err := s.repo.open(t.File)
	if err != nil || f == nil {
		return target{}, err
	}
	if a.Verb == Modify {
		if fn, ok := f.FindClose(a.Function); ok {
			return target{File: t.File, Function: fn.Name, Modify: true}, nil
		}
	}
	return t, nil
}
