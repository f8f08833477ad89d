package style

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/languages/token"
)

// round pairs items whose keys are equal and which pass the test; an empty key
// takes no part. Among several the nearest pair comes first.
type round struct {
	step        Step
	before, now func(*item) string
	fits        func(b, a *item) bool // nil: always
}

// maxPairs bounds how many pairs of one key are compared for nearness; more
// are paired in their order.
const maxPairs = 250_000

// rounds is the order of a strategy: what is surer takes its pairs first.
func (m *matcher) rounds(strategy Strategy) []round {
	switch strategy {
	case ByRuleLine:
		key := func(it *item) string { return key(it, it.Path, fmt.Sprint(it.Range.Line)) }
		return []round{{step: StepLine, before: key, now: key}}
	case ByRuleText:
		key := func(it *item) string { return key(it, it.Path, it.Line) }
		return []round{{step: StepText, before: key, now: key}}
	}
	message := func(it *item) string { return it.Message }
	text := func(it *item) string { return it.text }
	plain := func(it *item) string { return it.symbol + "\x00" + it.plain }
	masked := func(it *item) string { return it.symbol + "\x00" + it.masked }
	named := func(it *item) string { return masked(it) + "\x00" + subject(it.Message) }
	symbol := func(it *item) string { return it.symbol + "\x00" }
	leafMessage := func(it *item) string { return it.leaf() + "\x00" + it.Message }
	leafMasked := func(it *item) string { return it.leaf() + "\x00" + it.masked }
	return []round{
		{StepLine, lineKey(message), lineKey(message), nil},
		{StepMoved, movedKey(message), movedKey(message), nil},
		{StepText, fileKey(text, message), fileKey(text, message), nil},
		{StepLine, lineKey(nil), lineKey(nil), nil},
		{StepMoved, movedKey(nil), movedKey(nil), nil},
		{StepHash, fileKey(text, nil), fileKey(text, nil), nil},
		{StepSymbol, fileKey(plain, nil), fileKey(plain, nil), near},
		{StepSymbol, fileKey(named, nil), fileKey(named, nil), edited},
		{StepSymbol, fileKey(masked, nil), fileKey(masked, nil), edited},
		{StepSymbol, fileKey(symbol, nil), fileKey(symbol, nil), edited},
		// A namespace that went, a function that became a method.
		{StepSymbol, fileKey(leafMessage, nil), fileKey(leafMessage, nil), edited},
		{StepSymbol, fileKey(leafMasked, nil), fileKey(leafMasked, nil), edited},
		// From file to file, only where the line went and came with the edit.
		{StepText, distinctKey(text, message), distinctKey(text, message), bothChanged},
		{StepSymbol, treeKey(plain), treeKey(plain), bothChanged},
	}
}

// subject is the first name that a message quotes: what the finding is about,
// where more of the message changed with an edit.
func subject(message string) string {
	_, rest, _ := strings.Cut(message, "'")
	name, _, _ := strings.Cut(rest, "'")
	return name
}

// leaf is the symbol without what contains it.
func (it *item) leaf() string {
	return it.symbol[strings.LastIndexAny(it.symbol, ".:")+1:]
}

func key(it *item, parts ...string) string {
	return it.Tool + "\x00" + it.Rule + "\x00" + strings.Join(parts, "\x00")
}

func lineKey(more func(*item) string) func(*item) string {
	return func(it *item) string {
		if !it.known {
			return ""
		}
		return key(it, it.path, fmt.Sprint(it.line), call(more, it))
	}
}

func movedKey(more func(*item) string) func(*item) string {
	return func(it *item) string {
		if it.moved.line == 0 || !it.changed {
			return ""
		}
		return key(it, it.moved.path, fmt.Sprint(it.moved.line), call(more, it))
	}
}

// fileKey is a key within a file. A line without text says nothing.
func fileKey(first, more func(*item) string) func(*item) string {
	return func(it *item) string {
		if first(it) == "" {
			return ""
		}
		return key(it, it.path, first(it), call(more, it))
	}
}

// distinctKey is a key within the tree, for lines that are not found anywhere
// by chance.
func distinctKey(first, more func(*item) string) func(*item) string {
	return func(it *item) string {
		if letters(first(it)) < minMoved {
			return ""
		}
		return key(it, first(it), call(more, it))
	}
}

func treeKey(first func(*item) string) func(*item) string {
	return func(it *item) string {
		if it.symbol == "" {
			return ""
		}
		return key(it, first(it))
	}
}

func call(more func(*item) string, it *item) string {
	if more == nil {
		return ""
	}
	return more(it)
}

// near lets a message stand for a finding in a symbol. Outside of any symbol
// it must name what it is about, or the places must support it.
func near(b, a *item) bool {
	return b.symbol != "" || b.edge && a.edge || b.plain != b.masked || edited(b, a) || named(b, a)
}

// named recognises messages with a word that both lines have: "Unused import
// os".
func named(b, a *item) bool {
	before, after := words(b.Line), words(a.Line)
	for w := range words(b.plain) {
		if len(w) > 2 && before[w] && after[w] {
			return true
		}
	}
	return false
}

// edited reports whether one line may be an edit of the other.
func edited(b, a *item) bool {
	return b.changed && a.changed && b.gap >= 0 && b.gap == a.gap || similar(b.Line, a.Line)
}

func bothChanged(b, a *item) bool { return b.path != a.path && b.changed && a.changed }

// similar recognises lines that share half of their words or more.
func similar(a, b string) bool {
	wa, wb := words(a), words(b)
	shared := 0
	for w := range wa {
		if wb[w] {
			shared++
		}
	}
	union := len(wa) + len(wb) - shared
	return shared > 0 && 2*shared >= union
}

func words(line string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r < 0x80 && !token.IsWord(byte(r)) }) {
		out[w] = true
	}
	return out
}

// run pairs what is left by one round.
func (m *matcher) run(r round) {
	groups := map[string][]*item{}
	for _, a := range m.after {
		if k := r.now(a); k != "" && !a.done {
			groups[k] = append(groups[k], a)
		}
	}
	mine := map[string][]*item{}
	var keys []string
	for _, b := range m.before {
		k := r.before(b)
		if k == "" || b.done || groups[k] == nil {
			continue
		}
		if mine[k] == nil {
			keys = append(keys, k)
		}
		mine[k] = append(mine[k], b)
	}
	for _, k := range keys {
		m.group(r, mine[k], groups[k])
	}
}

type candidate struct {
	b, a     *item
	distance int
}

func (m *matcher) group(r round, before, after []*item) {
	if len(before)*len(after) > maxPairs {
		for i := range min(len(before), len(after)) {
			if r.fits == nil || r.fits(before[i], after[i]) {
				m.pair(r.step, before[i], after[i])
			}
		}
		return
	}
	var all []candidate
	for _, b := range before {
		for _, a := range after {
			if r.fits == nil || r.fits(b, a) {
				all = append(all, candidate{b, a, distance(b, a)})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return cmp.Compare(x.distance, y.distance) })
	for _, c := range all {
		if !c.b.done && !c.a.done {
			m.pair(r.step, c.b, c.a)
		}
	}
}

// distance is in lines; columns decide among equals.
func distance(b, a *item) int {
	d := 1000*abs(b.about-a.Range.Line) + min(abs(b.Range.Column-a.Range.Column), 999)
	if b.path != a.path {
		d += 1 << 40
	}
	return d
}

func abs(n int) int { return max(n, -n) }

func (m *matcher) pair(step Step, b, a *item) {
	b.done, a.done = true, true
	m.pairs = append(m.pairs, Pair{Before: b.Finding, After: a.Finding, Step: step})
}
