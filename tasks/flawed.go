package tasks

import (
	"context"
	"strings"

	"assay/languages"
)

// Flawed is a wrong answer to a review: it takes the bad patch back.
func (Review) Flawed(ctx context.Context, bed *languages.Testbed, t Task) (string, error) {
	start, paths, err := Start(ctx, bed, t)
	if err != nil {
		return "", err
	}
	base, _, err := bed.Tree(ctx, languages.Variant{Name: "base"})
	if err != nil {
		return "", err
	}
	return between(start, base, paths)
}

// silencer is a linter that a comment at the end of a line silences there.
type silencer interface {
	// Silence is that comment, with the space before it.
	Silence() string
}

// Flawed is a wrong answer to a style task: it silences the linter on every
// listed line. There is none where no comment silences the linter.
func (k Style) Flawed(ctx context.Context, bed *languages.Testbed, t Task) (string, error) {
	s, ok := k.linter(t.Style.Linter).(silencer)
	if !ok {
		return "", nil
	}
	base, _, err := bed.Tree(ctx, languages.Variant{Name: "base"})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, p := range t.Style.Files {
		old, err := Text(base, p)
		if err != nil {
			return "", err
		}
		out.WriteString(Diff(p, old, []byte(silenced(t, p, string(old), s.Silence()))))
	}
	return out.String(), nil
}

// silenced puts the comment on every line of a file that has a listed finding.
func silenced(t Task, p, text, comment string) string {
	lines := strings.Split(text, "\n")
	done := map[int]bool{}
	for _, f := range t.Style.Findings {
		if i := f.Range.Line - 1; f.Path == p && i >= 0 && i < len(lines) && !done[i] {
			lines[i] += comment
			done[i] = true
		}
	}
	return strings.Join(lines, "\n")
}
