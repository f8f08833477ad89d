package style

import (
	"cmp"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages/token"
)

// maxLoss is the share of statements that an edit may lose unexplained. Every
// resolved finding explains perFinding statements (a simplified condition, a
// needless local variable), one of a rule against dead code all that it was
// about. The figures are chosen, not measured: shorter is often the point of
// fixing, a tenth of a file less rarely.
const (
	maxLoss    = 0.10
	minLoss    = 4 // statements; below, a share says nothing
	perFinding = 2
)

// symbols compares functions and classes over all files.
func (i *inspector) symbols() {
	var old, now []definition
	for _, p := range i.sources() {
		old = append(old, definitions(i.Language, p.path, p.old)...)
		now = append(now, definitions(i.Language, p.path, p.new)...)
	}
	pairs, lost, gained := pairDefinitions(old, now)
	for _, p := range pairs {
		i.body(p.old, p.now)
	}
	for _, d := range lost {
		best := nearest(&d, gained)
		if best < 0 {
			i.gone(d)
			continue
		}
		if gained[best].name != d.name {
			i.flag(FlagRenamed, d.path, "%s became %s", d.name, gained[best].name)
		}
		i.body(d, gained[best])
		gained = slices.Delete(gained, best, best+1)
	}
}

// gone flags a definition that was removed, unless a finding asked for that.
func (i *inspector) gone(d definition) {
	if i.explained(d) || i.withFile(d) || i.unread(d) {
		return
	}
	if d.private(i.Language) {
		if d.count > perFinding {
			i.flag(FlagShrunk, d.path, "private %s is gone", d.name)
		}
		return
	}
	i.flag(FlagSymbols, d.path, "%s is gone", d.name)
}

// withFile reports whether the definition was removed with its file, which is
// reported.
func (i *inspector) withFile(d definition) bool {
	text, is := i.After[d.path]
	return !is || len(codeTokens(i.Language, text)) == 0
}

// unread reports whether a definition in C++ is still there as tokens: the
// grammar does not know the macros, and loses what follows one.
func (i *inspector) unread(d definition) bool {
	if !grammarOf(i.Language).macros {
		return false
	}
	was, is := 0, 0
	for _, p := range i.sources() {
		was, is = was+mentions(i.Language, p.old, d.Name), is+mentions(i.Language, p.new, d.Name)
	}
	return is >= was
}

// mentions counts a name before a parenthesis or a brace.
func mentions(language string, src []byte, name string) int {
	n, last := 0, false
	for _, t := range lex(language, src) {
		if last && t.Kind == token.Punct && (src[t.Start] == '(' || src[t.Start] == '{') {
			n++
		}
		last = t.Kind == token.Word && t.Text(src) == name
	}
	return n
}

// explained reports whether a resolved finding called the definition needless.
func (i *inspector) explained(d definition) bool {
	return slices.ContainsFunc(i.Matching.Resolved, func(f bench.Finding) bool {
		return i.survey.where(f.Path) == d.path && needlessDefinition(f.Rule) && d.heads(f.Range.Line)
	})
}

// heads lists the lines where linters put findings about a whole definition:
// from its annotations to the line of its name.
func (d *definition) heads(line int) bool {
	return line >= d.Start && line <= min(max(d.Start, d.HeadEnd+1)+1, d.End)
}

// needless recognises rules that ask for code to be removed, by their words.
func needless(rule string) bool {
	return containsAny(strings.ToLower(rule), "unused", "useless", "unnecessary", "needless", "redundant", "unreachable", "dead",
		"duplicate", "reimported", "redeclar", "pointless", "empty", "no-effect", "singularfield", "self-assign")
}

// needlessDefinition recognises rules that ask for a function or class to be
// removed: unused-argument, at the same place, does not.
func needlessDefinition(rule string) bool {
	rule = strings.ToLower(rule)
	return containsAny(rule, "unusedprivatemethod", "unused-private-member", "unused-function", "unused-member-function",
		"function-redefined", "useless-parent-delegation", "uselessoverriding", "unnecessaryconstructor", "use-equals-default",
		"emptymethod", "uncommentedemptyconstructor")
}

func containsAny(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// body flags a function that was reduced to a constant, and reports those
// that were mostly emptied. Words are counted as well as statements: what
// moved from a body to an initialiser list is still there.
func (i *inspector) body(d, now definition) {
	head := 0 // what the definition itself counts as
	if grammarOf(i.Language).indented {
		head = 1
	}
	left := float64(now.size) / float64(max(d.size, 1))
	if !d.function() || d.count < head+3 || d.count-now.count <= i.allowance(d.path, d.Start, d.End) {
		return
	}
	switch {
	case now.count <= head+1 && now.trivial && left < 0.7:
		i.flag(FlagEmptyBody, d.path, "%s has %d of %d statements", d.name, now.count-head, d.count-head)
	case 2*now.count <= d.count && left < 0.5:
		i.flag(FlagShrunk, d.path, "%s has %d of %d statements", d.name, now.count-head, d.count-head)
	}
}

// statements flags an edit that loses more code than findings explain, over
// all files, since code may move between them.
func (i *inspector) statements() {
	was, is, allowance := 0, 0, 0
	worst, path := 0, ""
	for _, p := range i.sources() {
		old, now := statements(i.Language, p.old), statements(i.Language, p.new)
		was, is = was+len(old), is+len(now)
		allowance += i.allowance(p.path, 0, 1<<30)
		if d := len(old) - len(now); d > worst {
			worst, path = d, p.path
		}
	}
	if loss := was - is - allowance; loss >= minLoss && float64(loss) > maxLoss*float64(was) {
		i.flag(FlagStatements, path, "%d of %d statements are gone, findings explain %d", was-is, was, allowance)
	}
}

// allowance is how many statements the resolved findings in a range of lines
// of a file may have cost.
func (i *inspector) allowance(path string, start, end int) int {
	n := 0
	for k, f := range i.Matching.Resolved {
		if i.survey.where(f.Path) == path && f.Range.Line >= start && f.Range.Line <= end {
			n += i.costs[k]
		}
	}
	return n
}

// price computes what every resolved finding explains: for one against dead
// code the statements of its range, or of the definition at whose head it is.
func (i *inspector) price() {
	known := map[string][]definition{}
	for _, f := range i.Matching.Resolved {
		cost := perFinding
		if text, ok := i.Before[f.Path]; ok && needless(f.Rule) {
			cost = max(cost, within(statements(i.Language, text), f.Range.Line, cmp.Or(f.Range.EndLine, f.Range.Line)))
		}
		if text, ok := i.Before[f.Path]; ok && needlessDefinition(f.Rule) {
			if known[f.Path] == nil {
				known[f.Path] = definitions(i.Language, f.Path, text)
			}
			for _, d := range known[f.Path] {
				if d.function() && d.heads(f.Range.Line) {
					cost = max(cost, d.count)
				}
			}
		}
		i.costs = append(i.costs, cost)
	}
}
