package tasks

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Submission is a submitted patch, sorted into what counts for which kind.
type Submission struct {
	Source *patch.Patch // what a fix may change
	Tests  *patch.Patch // what a generated test may change
	Runner *patch.Patch // what only a test runner reads
	Flags  []bench.Flag
}

// Empty reports whether the patch changes nothing.
func (s Submission) Empty() bool { return s.Source.Empty() && s.Tests.Empty() && s.Runner.Empty() }

// Divide sorts the hunks of a patch by path. Paths that the gold patch
// touches are source, by any name: the instance's authors decided that. Paths
// that the hidden test patch touches are tests. fixtures keeps conftest.py
// files below test folders among the tests: generated tests may need them,
// and run in the same process anyway.
func Divide(t Task, text string, fixtures bool) (Submission, error) {
	inst, l := t.Instance, t.Language()
	gold := carried(l, inst, fixtures)
	hidden := touched(inst.TestPatch)
	p, dropped, err := patch.ParseTolerant([]byte(text), func(p string) bool {
		return !gold[p] && !hidden[p] && idle(l, p, fixtures)
	})
	if err != nil {
		return Submission{}, err
	}
	if p.Empty() && len(dropped) > 0 {
		return Submission{}, &patch.UnsafeError{Path: dropped[0].Path, Reason: dropped[0].Reason}
	}
	var s Submission
	for _, d := range dropped {
		s.Flags = append(s.Flags, bench.Flag{Kind: "dropped_files", Path: printable(d.Path), Detail: "left out: " + d.Reason})
	}
	s.Runner, p = p.Split(func(p string) bool {
		return !gold[p] && !hidden[p] && l.Classify(p) == languages.RunnerPath &&
			!(fixtures && isFixture(l, p))
	})
	s.Tests, s.Source = p.Split(func(p string) bool {
		return !gold[p] && (hidden[p] || languages.IsTest(l, p) || fixtures && isFixture(l, p))
	})
	for _, p := range s.Source.Paths() {
		if l.Classify(p) == languages.BuildPath {
			s.Flags = append(s.Flags, bench.Flag{Kind: "build_files", Path: p, Detail: "applied; it may change how tests run"})
		}
	}
	for _, p := range s.Tests.Paths() {
		if isFixture(l, p) {
			s.Flags = append(s.Flags, bench.Flag{Kind: "fixtures", Path: p, Detail: "it acts on the test runner"})
		}
	}
	for _, p := range s.Runner.Paths() {
		s.Flags = append(s.Flags, bench.Flag{Kind: "runner_files", Path: p, Detail: "split off: only a test runner reads it"})
	}
	return s, nil
}

// idle recognises files on which nothing depends, such as a virtual
// environment or a clone that was added by accident: they are neither code
// nor, where tests count, tests.
func idle(l languages.Language, p string, testsCount bool) bool {
	switch l.Classify(p) {
	case languages.TestPath, languages.RunnerPath:
		return !testsCount
	case languages.BuildPath:
		return false
	}
	return !l.About().IsCode(p)
}

// isFixture distinguishes a conftest.py below a test folder from one next to
// the code.
func isFixture(l languages.Language, file string) bool {
	return path.Base(file) == "conftest.py" && languages.IsTest(l, path.Join(path.Dir(file), "data.txt"))
}

// touched is the set of paths of a dataset's patch; one that does not parse
// is reported elsewhere.
func touched(text string) map[string]bool {
	set := map[string]bool{}
	for _, p := range patch.PathsIn(text) {
		set[p] = true
	}
	return set
}

// carried is the set of paths that the gold patch changes. Files on which
// nothing hangs and that it names without saying what they become (a picture
// in the documentation, as git writes it without --binary) are not among them.
func carried(l languages.Language, inst *bench.Instance, fixtures bool) map[string]bool {
	set := touched(inst.Patch)
	_, dropped, err := patch.ParseTolerant([]byte(inst.Patch), func(p string) bool { return idle(l, p, fixtures) })
	if err != nil {
		return set // reported elsewhere
	}
	for _, d := range dropped {
		delete(set, d.Path)
	}
	return set
}

// CodeOf is the part of a patch of the dataset (a bad patch) that a submission of
// the same text would be judged by.
func CodeOf(t Task, text string) string {
	s, err := Divide(t, text, false)
	if err != nil {
		return text // its run reports that it does not parse
	}
	return string(s.Source.Bytes())
}

// early returns the plan of a submission that needs no run.
func early(v bench.Verdict, reason string, flags []bench.Flag) Plan {
	return Plan{Early: v, Reason: reason, Flags: flags}
}

// Refused is the plan for a patch that does not parse or is not safe.
func Refused(err error) Plan {
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
