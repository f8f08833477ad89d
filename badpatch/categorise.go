package badpatch

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"assay/internal/patch"
	"assay/llm"
	"assay/llm/prompts"
)

// CategoryOf says, from the text alone, what is wrong with a patch that nobody
// made on purpose. The rules, in this order: it changes no file of gold's (A);
// it changes much that gold does not (C); it is a part of gold (B); what
// differs from gold is a condition or a guard (E), only literals and
// comparisons (F), a signature or a result (D); it has some of gold's lines
// (B), or none (A).
func CategoryOf(s *Subject, text string) (Category, Kind) {
	d, ok := s.differs(text)
	switch {
	case !ok || !d.meets:
		return WrongLayer, KindIncorrect
	case d.foreign > 2*d.gold+20:
		return Undiscipline, KindUnnecessary
	case len(d.extra) == 0 && len(d.missing) > 0:
		return Partial, KindPartial
	case matchAny(d.both(), guardLine):
		return Guard, KindIncorrect
	case len(d.extra) > 0 && slices.Equal(shapes(d.extra), shapes(d.missing)):
		return EdgeCase, KindIncorrect
	case matchAny(d.both(), contractLine):
		return Contract, KindIncorrect
	case d.shared > 0:
		return Partial, KindPartial
	}
	return WrongLayer, KindIncorrect
}

var (
	guardLine    = regexp.MustCompile(`^\s*(?:\}?\s*(?:else\s+)?if\b|elif\b|while\b|assert\b|except\b|\}?\s*catch\b|try\b)`)
	contractLine = regexp.MustCompile(`^\s*(?:def\b|return\b|raise\b|throw\b|(?:public|private|protected|static|template)\b)`)
	literal      = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\b\d[\w.]*|[<>]=?|[=!]=`)
)

// difference is how a patch and gold differ, in lines of code.
type difference struct {
	meets   bool // it changes a file that gold changes
	gold    int  // lines that gold changes
	foreign int  // lines that it changes in files that gold leaves alone
	shared  int  // lines that both add
	extra   []string
	missing []string
}

func (d difference) both() []string { return slices.Concat(d.extra, d.missing) }

// differs compares the added lines of a patch with gold's. It fails for what
// does not apply.
func (s *Subject) differs(text string) (difference, bool) {
	p, err := patch.Parse([]byte(text))
	if err != nil {
		return difference{}, false
	}
	changes, err := patch.Apply(s.base, p)
	if err != nil {
		return difference{}, false
	}
	d := difference{}
	for _, c := range s.files {
		after := c.before
		if e, ok := changes.Write[c.path]; ok {
			after, d.meets = e.Data, true
		}
		mine, golds := addedTo(c.before, after), addedTo(c.before, c.after)
		d.gold += len(golds)
		for line, n := range mine {
			d.shared += min(n, golds[line])
		}
		d.extra = append(d.extra, beyond(mine, golds)...)
		d.missing = append(d.missing, beyond(golds, mine)...)
	}
	for _, f := range p.Files {
		if !slices.ContainsFunc(s.files, func(c *change) bool { return c.path == f.Path() }) {
			d.foreign += f.Added() + f.Removed()
		}
	}
	slices.Sort(d.extra)
	slices.Sort(d.missing)
	return d, true
}

// addedTo counts the lines that a version has beyond another one.
func addedTo(before, after []byte) map[string]int {
	out := map[string]int{}
	for _, l := range lines(after) {
		if text := strings.TrimSpace(string(l)); text != "" {
			out[text]++
		}
	}
	for _, l := range lines(before) {
		if text := strings.TrimSpace(string(l)); out[text] > 0 {
			out[text]--
		}
	}
	return out
}

func beyond(a, b map[string]int) []string {
	var out []string
	for _, line := range slices.Sorted(maps.Keys(a)) {
		for range a[line] - b[line] {
			out = append(out, line)
		}
	}
	return out
}

func matchAny(lines []string, re *regexp.Regexp) bool {
	return slices.ContainsFunc(lines, re.MatchString)
}

// shapes are lines without literals and comparisons.
func shapes(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = literal.ReplaceAllString(l, "_")
	}
	slices.Sort(out)
	return out
}

// Asker asks a model on behalf of an instance.
type Asker struct {
	Client  llm.Client
	Model   string
	Prompts prompts.Set
}

// Categorise has the model say what is wrong with a bad patch. It is asked a
// second time where its answer cannot be read, and then the rule's word stands.
func (a Asker) Categorise(ctx context.Context, s *Subject, c Candidate) (Category, Kind, error) {
	data := prompts.BadPatchCategoriseData{Problem: s.instance.ProblemStatement, Gold: s.instance.Patch, BadPatch: c.Patch}
	text, err := a.Prompts.Render(prompts.BadPatchCategorise, data)
	if err != nil {
		return "", "", fmt.Errorf("asking for a category: %w", err)
	}
	for sample := range 2 {
		answer, err := a.ask(ctx, "category/"+s.instance.ID, text, sample, nil)
		if stops(ctx, err) {
			return "", "", err
		}
		category, e1 := prompts.ReadCategory(answer.Text)
		kind, e2 := prompts.ReadKind(answer.Text)
		if err == nil && e1 == nil && e2 == nil {
			return Category(category), Kind(strings.ToLower(kind)), nil
		}
	}
	return c.Category, c.Kind, nil
}
