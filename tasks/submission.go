package tasks

import (
	"errors"
	"fmt"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// submission is a submitted patch, sorted into what counts for which kind.
type submission struct {
	source *patch.Patch // what a fix may change
	tests  *patch.Patch // what a generated test may change
	runner *patch.Patch // what only a test runner reads
	flags  []bench.Flag
}

// divide sorts the hunks of a patch by path. Paths that the gold patch
// touches are source, whatever they are called: the instance's authors say so.
// Paths that the hidden test patch touches are tests.
func divide(inst *bench.Instance, text string) (submission, error) {
	p, err := patch.Parse([]byte(text))
	if err != nil {
		return submission{}, err
	}
	gold := touched(inst.Patch)
	hidden := touched(inst.TestPatch)
	var s submission
	s.runner, p = p.Split(func(path string) bool {
		return !gold[path] && languages.Classify(inst.Language, path) == languages.RunnerPath
	})
	s.tests, s.source = p.Split(func(path string) bool {
		return !gold[path] && (hidden[path] || languages.IsTest(inst.Language, path))
	})
	for _, path := range s.source.Paths() {
		if languages.Classify(inst.Language, path) == languages.BuildPath {
			s.flags = append(s.flags, bench.Flag{Kind: "build_files", Path: path, Detail: "applied; it may change how tests run"})
		}
	}
	for _, path := range s.runner.Paths() {
		s.flags = append(s.flags, bench.Flag{Kind: "runner_files", Path: path, Detail: "split off: only a test runner reads it"})
	}
	return s, nil
}

// touched is the set of paths of a dataset's patch; one that does not parse is
// told elsewhere.
func touched(text string) map[string]bool {
	set := map[string]bool{}
	if p, err := patch.Parse([]byte(text)); err == nil {
		for _, path := range p.Paths() {
			set[path] = true
		}
	}
	return set
}

// codeOf is the part of a dataset's patch (a bad patch) that a submission of
// the same text would be judged by.
func codeOf(inst *bench.Instance, text string) string {
	s, err := divide(inst, text)
	if err != nil {
		return text // its run tells that it does not parse
	}
	return string(s.source.Bytes())
}

// early returns the plan of a submission that needs no run.
func early(v bench.Verdict, reason string, flags []bench.Flag) Plan {
	return Plan{Early: v, Reason: reason, Flags: flags}
}

// refused is the plan for a patch that does not parse or is not safe.
func refused(err error) Plan {
	var unsafe *patch.UnsafeError
	if errors.As(err, &unsafe) {
		flag := bench.Flag{Kind: "unsafe_path", Path: printable(unsafe.Path), Detail: unsafe.Reason}
		return early(bench.InvalidPatch, err.Error(), []bench.Flag{flag})
	}
	return early(bench.InvalidPatch, err.Error(), nil)
}

// printable keeps a hostile path from breaking JSON or a terminal.
func printable(s string) string {
	q := fmt.Sprintf("%q", s)
	return strings.TrimSuffix(strings.TrimPrefix(q, `"`), `"`)
}
