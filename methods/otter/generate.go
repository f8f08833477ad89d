package otter

import (
	"context"
	"strings"

	"assay/llm/prompts"
	"assay/methods/imports"
	"assay/methods/outline"
)

// order is what the test generator is asked for.
type order struct {
	target    target
	functions []prompts.Function
	shown     bool // the model sees the test file's structure
}

// generate asks for a whole test function and puts it into its file. It returns
// the patch; "" where the answer holds no code.
func (s *solver) generate(ctx context.Context, step string, o order) (string, error) {
	f, err := s.repo.open(o.target.File)
	if err != nil {
		return "", err
	}
	task := s.d.Task()
	data := prompts.OtterTestData{
		Repo: task.Repo, Problem: task.Problem, Language: s.repo.about.Title, Framework: task.Framework, Functions: o.functions,
	}
	if f != nil && o.shown {
		data.Path, data.Structure = o.target.File, strings.TrimSpace(f.Structure())
		data.Name, data.Modify = o.target.Function, o.target.Modify
	}
	answer, err := s.ask(ctx, step, prompts.OtterTest, data)
	if err != nil {
		return "", err
	}
	return s.apply(ctx, step, o.target, f, generated(answer))
}

// apply puts code into a test file, repairs its imports and makes the patch. f
// is the file; nil where there is none yet.
func (s *solver) apply(ctx context.Context, step string, t target, f *outline.File, w written) (string, error) {
	if strings.TrimSpace(w.Code) == "" {
		s.d.Note("insert-"+step, w, "the answer holds no code")
		return "", nil
	}
	var err error
	if f == nil {
		if t.File, err = s.repo.newTestFile(); err != nil {
			return "", err
		}
		if f, err = outline.Read(s.repo.about.Name, t.File, nil); err != nil {
			s.d.Note("insert-"+step, w, err.Error())
			return "", nil
		}
	}
	statements, code := imports.Split(s.repo.about.Name, w.Code)
	src := f.Insert(code, w.Prior, t.After)
	if fn, ok := f.Find(t.Function); ok && t.Modify {
		src = f.Replace(fn, code)
	}
	s.d.Note("insert-"+step, w, map[string]any{"test": t, "imports": statements})
	if src, err = s.repair(ctx, step, f, src, statements); err != nil {
		return "", err
	}
	return s.d.Patch(map[string][]byte{t.File: src})
}
