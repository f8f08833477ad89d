package collect

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

var (
	nameWord    = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]{3,}`)
	commentLine = regexp.MustCompile(`^\s*(?://|/?\*|#(?:\s|$)|""")`)
)

// Unmentioned are the names that hidden tests use and only gold introduces:
// words of code that both add, that no file at base holds, and that the
// statement does not mention. Sorted.
func (s Source) Unmentioned(ctx context.Context, inst *bench.Instance) ([]string, error) {
	l := s.Languages.Named(inst.Language)
	gold, err := codeWords(inst.Patch, l, languages.SourcePath)
	if err != nil {
		return nil, err
	}
	tests, err := codeWords(inst.TestPatch, l, languages.TestPath)
	if err != nil {
		return nil, err
	}
	var both []string
	for _, w := range sortedKeys(gold) {
		if tests[w] && !strings.Contains(inst.ProblemStatement, w) {
			both = append(both, w)
		}
	}
	known, err := s.Repo.Holds(ctx, inst.BaseCommit, both)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(both, func(w string) bool { return known[w] }), nil
}

// codeWords are the words in the lines that a patch adds to code of a kind,
// comments left out.
func codeWords(diff string, l languages.Language, kind languages.PathKind) (map[string]bool, error) {
	p, err := patch.Parse([]byte(diff))
	if err != nil {
		return nil, err
	}
	words := map[string]bool{}
	for _, f := range p.Files {
		if l.Classify(f.Path()) != kind || !l.About().IsRelated(f.Path()) {
			continue
		}
		for line := range strings.Lines(strings.Join(f.AddedText(), "\n")) {
			if commentLine.MatchString(line) {
				continue
			}
			for _, w := range nameWord.FindAllString(line, -1) {
				words[w] = true
			}
		}
	}
	return words, nil
}
