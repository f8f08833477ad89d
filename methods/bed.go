package methods

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/tasks"
)

// bed is a task's environment, as a desk uses it.
type bed struct {
	*languages.Testbed
	start    string // the task's start, as a patch on base
	language languages.Language
}

// openBed opens the environment and reads the start.
func openBed(ctx context.Context, m languages.Machine, t tasks.Task) (bed, Tree, error) {
	b := bed{start: t.StartPatch(), language: t.Language()}
	var err error
	if b.Testbed, err = m.Open(ctx, t.Instance); err != nil {
		return b, nil, err
	}
	v := languages.Variant{Name: "start", Code: b.start}
	tree, paths, err := b.Tree(ctx, v)
	if err == nil && t.Instance.Image != "" { // nothing of it is read yet
		tree, paths, err = b.Tree(ctx, v, paths...)
	}
	if err != nil {
		return b, nil, fmt.Errorf("reading the start: %w", err)
	}
	return b, startTree{tree: tree, paths: paths}, nil
}

// startTree is the repository at the start.
type startTree struct {
	tree  patch.Tree
	paths []string
}

func (t startTree) Paths() []string { return t.paths }

func (t startTree) Read(p string) ([]byte, error) {
	e, err := t.tree.Read(p)
	return e.Data, err
}

// RunTests implements TestRunner. What was derived from gold or hidden tests is
// withheld from the run.
func (b bed) RunTests(ctx context.Context, t Trial) (Run, error) {
	tests := b.testsOf(t.Tests)
	if tests == "" && t.Tests != "" {
		return Run{State: bench.RunDone, Detail: "the patch changes no test"}, nil
	}
	v := languages.Variant{Name: "trial", Start: b.start, Code: t.Code, Tests: tests, Contributed: true, Public: true}
	if tests == "" {
		v.Contributed, v.Existing, v.Tests = false, true, naming(t.Files)
	}
	out, err := b.Testbed.RunTests(ctx, v)
	if err != nil {
		return Run{}, err
	}
	return runOf(out), nil
}

// testsOf is the part of a patch that changes tests: judging drops the rest. A file
// counts by its name alone, since gold's files are secret. A text that is not a
// patch is returned unchanged.
func (b bed) testsOf(text string) string {
	p, err := patch.Parse([]byte(text))
	if err != nil {
		return text
	}
	tests, rest := p.Split(func(name string) bool {
		kind := b.language.Classify(name)
		return kind == languages.TestPath || kind == languages.RunnerPath
	})
	if rest.Empty() {
		return text
	}
	return string(tests.Bytes())
}

// naming is a patch that names files: it is never applied.
func naming(files []string) string {
	var out strings.Builder
	for _, f := range files {
		out.Write(patch.Between(f, []byte("a\n"), []byte("b\n")))
	}
	return out.String()
}

// mostSaid and mostLog bound what is kept of a run's texts, in bytes.
const (
	mostSaid = 4000
	mostLog  = 8000
)

// runOf takes from an outcome what a method may see.
func runOf(out languages.Outcome) Run {
	r := Run{State: out.State, Detail: out.Detail}
	for _, t := range out.Tests {
		one := TestRun{ID: t.ID, Status: t.Status}
		if !t.Status.OK() {
			one.FailsBy, one.Said = out.Failure(t.ID, t.Status), head(out.Said[t.ID], mostSaid)
		}
		r.Tests = append(r.Tests, one)
	}
	slices.SortStableFunc(r.Tests, func(a, b TestRun) int { return strings.Compare(a.ID, b.ID) })
	if !r.Passing() {
		r.Log = tail(string(out.Log), mostLog)
	}
	return r
}

func head(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "?")
}

func tail(text string, most int) string {
	if len(text) > most {
		text = text[len(text)-most:]
	}
	return strings.ToValidUTF8(text, "?")
}
