package tasks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Solver is a kind whose instances hold the answer to its tasks.
type Solver interface {
	Kind
	// Solution is the answer as a submission gives it: a patch.
	Solution(t Task) string
}

// TreeSolver is a kind whose answer is made from the files of the repository.
type TreeSolver interface {
	Kind
	// SolutionIn is the answer, made in the task's testbed.
	SolutionIn(ctx context.Context, bed *languages.Testbed, t Task) (string, error)
}

// HasSolution reports whether a kind has answers of its own.
func HasSolution(k Kind) bool {
	_, plain := k.(Solver)
	return plain || SolvesInTree(k)
}

// SolvesInTree reports whether the kind's own answers need the repository.
func SolvesInTree(k Kind) bool {
	_, inTree := k.(TreeSolver)
	return inTree
}

// Solution is the task's own answer, as a submission by "gold". A kind
// without one is an error.
func Solution(ctx context.Context, m languages.Machine, k Kind, t Task) (bench.Prediction, error) {
	p := bench.Prediction{InstanceID: t.Name(), Model: "gold", Task: t.Kind}
	switch k := k.(type) {
	case Solver:
		p.Patch = k.Solution(t)
	case TreeSolver:
		bed, err := m.Open(ctx, t.Instance)
		if err == nil {
			p.Patch, err = k.SolutionIn(ctx, bed, t)
		}
		if err != nil {
			return p, fmt.Errorf("%s: making the patch to gold: %w", t.ID(), err)
		}
	default:
		return p, fmt.Errorf("%s tasks have no solution of their own", k.Name())
	}
	return p, nil
}

// Solution implements Solver: the gold patch.
func (BugFix) Solution(t Task) string { return t.Instance.Patch }

// Solution implements Solver: the hidden tests.
func (TestGen) Solution(t Task) string { return t.Instance.TestPatch }

// SolutionIn implements TreeSolver: the patch from the bad patch to gold.
func (Review) SolutionIn(ctx context.Context, bed *languages.Testbed, t Task) (string, error) {
	before, paths, err := Start(ctx, bed, t)
	if err != nil {
		return "", err
	}
	paths = append(paths, patch.PathsIn(t.Instance.Patch)...)
	slices.Sort(paths)
	after, _, err := bed.Tree(ctx, languages.Variant{Name: "gold", Code: t.Instance.Patch}, paths...)
	if err != nil {
		return "", err
	}
	return between(before, after, slices.Compact(paths))
}

// Nothing is the empty submission.
func Nothing(t Task) bench.Prediction {
	return bench.Prediction{InstanceID: t.Name(), Model: "empty", Task: t.Kind}
}

// between is the patch from one tree to another, in the paths given.
func between(from, to patch.Tree, paths []string) (string, error) {
	var out strings.Builder
	for _, p := range paths {
		old, err := Text(from, p)
		if err != nil {
			return "", err
		}
		text, err := Text(to, p)
		if err != nil {
			return "", err
		}
		out.Write(patch.Between(p, old, text))
	}
	return out.String(), nil
}

// Start is the tree that a task's submissions are patches on: base, or for a
// review base with the bad patch; and the paths in which it differs from base.
func Start(ctx context.Context, bed *languages.Testbed, t Task) (patch.Tree, []string, error) {
	v := languages.Variant{Name: "start", Code: t.StartPatch()}
	tree, _, err := bed.Tree(ctx, v, patch.PathsIn(t.Instance.Patch)...)
	return tree, patch.PathsIn(v.Code), err
}

// Text is a file's text in a tree; nil where the tree has no such file.
func Text(tree patch.Tree, p string) ([]byte, error) {
	e, err := tree.Read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && e.Data == nil {
		return []byte{}, nil // there, and empty
	}
	return e.Data, err
}

// Diff is the patch that turns a file's old text into the new one; nil stands
// for a file that is not there.
func Diff(p string, old, text []byte) string { return string(patch.Between(p, old, text)) }
