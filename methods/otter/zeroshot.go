package otter

import (
	"context"
	"strings"

	"assay/llm/prompts"
	"assay/methods"
	"assay/methods/outline"
)

// ZeroShot is the paper's baseline (section 4.3): the repository's name and the
// issue, and a whole test file as the answer.
type ZeroShot struct{}

var _ methods.Method = ZeroShot{}

// About implements methods.Method.
func (ZeroShot) About() methods.About {
	return methods.About{
		Name: "tdd-zeroshot", Title: "TDD-Bench-Verified's zero-shot baseline (4.3): one call, a whole test file",
		Kinds: []string{kindTestgen}, Prompts: []string{prompts.TDDZeroShot},
	}
}

// Solve implements methods.Method.
func (ZeroShot) Solve(ctx context.Context, d *methods.Desk) (string, error) {
	s := &solver{d: d, repo: newRepo(d)}
	p, err := s.repo.newTestFile()
	if err != nil {
		return "", err
	}
	task := d.Task()
	answer, err := s.ask(ctx, "test-file", prompts.TDDZeroShot, prompts.TDDZeroShotData{
		Repo: task.Repo, Problem: task.Problem, Language: s.repo.about.Title, Framework: task.Framework, Path: p,
	})
	if err != nil {
		return "", err
	}
	code := generated(answer).Code
	if strings.TrimSpace(code) == "" {
		d.Note("test-file-read", nil, "the answer holds no code")
		return "", nil
	}
	shape := testFileOf(s.repo.about.Name)
	if files, err := s.repo.testFiles(); shape.joins && (err != nil || len(files) > 0) {
		return s.join(ctx, shape, files, code, err)
	}
	p, code = shape.fitting(p, code, func(path string) bool { return s.repo.paths[path] })
	return d.Patch(map[string][]byte{p: outline.NewFile(s.repo.about.Name, p, code)})
}

// join puts the code of a file to the end of the file with the most tests, where
// the build would not know a new one.
func (s *solver) join(ctx context.Context, shape testFile, files []string, code string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	var into *outline.File
	for _, p := range files {
		f, err := s.repo.open(p)
		if err != nil {
			return "", err
		}
		if into == nil || len(f.Names(true)) > len(into.Names(true)) {
			into = f
		}
	}
	if shape.alone != nil {
		code = shape.alone.ReplaceAllString(code, "")
	}
	return s.apply(ctx, "test-file", target{File: into.Path}, into, written{Code: code})
}
