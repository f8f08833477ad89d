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

// Solution is the task's own answer, as a submission by "gold": the gold
// patch, the hidden tests, or, for a review, the patch that leads from the bad
// patch to gold. Style tasks have none.
func Solution(ctx context.Context, m languages.Machine, t Task) (bench.Prediction, error) {
	p := bench.Prediction{InstanceID: t.Name(), Model: "gold", Task: t.Kind}
	switch t.Kind {
	case TestGen{}.Name():
		p.Patch = t.Instance.TestPatch
	case Review{}.Name():
		var err error
		if p.Patch, err = toGold(ctx, m, t); err != nil {
			return p, fmt.Errorf("%s: making the patch to gold: %w", t.ID(), err)
		}
	case Style{}.Name():
		return p, errors.New("style tasks have no solution of their own")
	default:
		p.Patch = t.Instance.Patch
	}
	return p, nil
}

// Nothing is the empty submission.
func Nothing(t Task) bench.Prediction {
	return bench.Prediction{InstanceID: t.Name(), Model: "empty", Task: t.Kind}
}

// toGold is the patch from the task's start to the tree with gold on it.
func toGold(ctx context.Context, m languages.Machine, t Task) (string, error) {
	bed, err := m.Open(ctx, t.Instance)
	if err != nil {
		return "", err
	}
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
	var out strings.Builder
	for _, p := range slices.Compact(paths) {
		old, err := Text(before, p)
		if err != nil {
			return "", err
		}
		text, err := Text(after, p)
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
