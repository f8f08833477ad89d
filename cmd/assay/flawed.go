package main

import (
	"context"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/tasks"
)

// flawedSubmission is a wrong answer to a task that was built: to a review,
// taking the bad patch back; to a style task, silencing the linter on every
// listed line. Flawed fixes and tests come with the samples.
func flawedSubmission(ctx context.Context, m languages.Machine, t tasks.Task) (string, error) {
	if t.Style == nil && t.Review == nil {
		return "", nil
	}
	bed, err := m.Open(ctx, t.Instance)
	if err != nil {
		return "", err
	}
	base, _, err := bed.Tree(ctx, languages.Variant{Name: "base"})
	if err != nil {
		return "", err
	}
	if t.Style != nil {
		return silenced(base, t.Style)
	}
	start, paths, err := tasks.Start(ctx, bed, t)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, p := range paths {
		from, err := tasks.Text(start, p)
		if err != nil {
			return "", err
		}
		to, err := tasks.Text(base, p)
		if err != nil {
			return "", err
		}
		out.Write(patch.Between(p, from, to))
	}
	return out.String(), nil
}

// silenced puts the linter's own comment of silence on every listed line.
func silenced(base patch.Tree, t *bench.StyleTask) (string, error) {
	marker := map[string]string{
		"pylint": "  # pylint: disable=all", "pmd": " // NOPMD", "checkstyle": " // CHECKSTYLE:OFF", "clang-tidy": " // NOLINT",
	}[t.Linter]
	var out strings.Builder
	for _, p := range t.Files {
		old, err := tasks.Text(base, p)
		if err != nil {
			return "", err
		}
		lines := strings.Split(string(old), "\n")
		done := map[int]bool{}
		for _, f := range t.Findings {
			if i := f.Range.Line - 1; f.Path == p && i >= 0 && i < len(lines) && !done[i] {
				lines[i] += marker
				done[i] = true
			}
		}
		out.Write(patch.Between(p, old, []byte(strings.Join(lines, "\n"))))
	}
	return out.String(), nil
}
