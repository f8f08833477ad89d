package badpatch

import (
	"context"
	"regexp"
	"slices"

	"assay/badpatch/code"
	"assay/bench"
	"assay/languages"
	"assay/languages/syntax"
	"assay/tasks"
)

// What the fail-to-pass tests do not execute cannot make them fail.
const (
	Unreached     Cause = "differs from gold where no fail-to-pass test gets to"
	UnreachedBase Cause = "differs from base where no fail-to-pass test gets to"
)

// reach is which lines of the files that gold changes the fail-to-pass tests
// execute, on gold and on base. A side that could not be measured is empty.
type reach struct {
	gold, base side
	// why explains why gold could not be measured; empty where it was.
	why     string
	seconds float64 // that measuring took
}

// side is one state of the files.
type side struct {
	files map[string]*code.File
	lines languages.Coverage
	// lostAtThrow says that a line at which an exception leaves looks as if it
	// had not been executed.
	lostAtThrow bool
}

// measure runs the fail-to-pass tests on gold and on base, and notes what they
// execute. What cannot be measured is unknown, and stops nothing; the error is
// the context's.
func (r *runner) measure(ctx context.Context, s *Subject) (reach, error) {
	var out reach
	gold := s.goldSide()
	o, err := r.measured(ctx, r.gold, r.inst.Patch, gold, &out)
	if err != nil {
		return out, err
	}
	if f2p, _ := tasks.HiddenTests(r.inst, o); len(f2p.Failed) > 0 || !executesGold(s, o.Coverage) {
		// A measurement by which the tests do not run the fix is wrong.
		if out.why == "" {
			out.why = "the fail-to-pass tests were not seen to execute what gold changes"
		}
		return out, nil
	}
	gold.lines = o.Coverage
	out.gold = gold
	if r.base.State != bench.RunDone {
		return out, nil
	}
	base := s.baseSide()
	o, err = r.measured(ctx, r.gold, "", base, &out)
	if err == nil && o.State == bench.RunDone && executesSome(o.Coverage) {
		base.lines = o.Coverage
		out.base = base
	}
	return out, err
}

// goldSide are the files with gold on them that can be measured.
func (s *Subject) goldSide() side {
	return s.side(func(f *ChangedFile) *code.File { return f.Gold })
}

// baseSide are those files at base, where gold does not give them another name.
func (s *Subject) baseSide() side {
	return s.side(func(f *ChangedFile) *code.File {
		if f.From != "" {
			return nil
		}
		return f.Base
	})
}

func (s *Subject) side(version func(*ChangedFile) *code.File) side {
	out := side{files: map[string]*code.File{}, lostAtThrow: readingOf(s.Language).lostAtThrow}
	for _, f := range s.Files {
		if text := version(f); text != nil && languages.Measurable(s.lang, f.Path) {
			out.files[f.Path] = text
		}
	}
	return out
}

// measured runs the fail-to-pass tests on their own, by the ids that they have
// in a run of gold.
func (r *runner) measured(ctx context.Context, gold languages.Outcome, text string, at side, out *reach) (languages.Outcome, error) {
	cover := map[string][]int{}
	for p, f := range at.files {
		for l := range f.Starts {
			cover[p] = append(cover[p], l+1)
		}
	}
	only := publishedTests(r.inst, gold, r.inst.FailToPass)
	if len(cover) == 0 || len(only) == 0 {
		out.why = "nothing that gold changes can be measured"
		return languages.Outcome{}, nil
	}
	o, err := r.bed.RunTests(ctx, languages.Variant{Name: "reach", Bare: true, Code: text, Tests: r.inst.TestPatch, Only: only, Cover: cover})
	if ctx.Err() != nil {
		return o, ctx.Err()
	}
	if err != nil {
		out.why = err.Error()
	}
	out.seconds += seconds(o)
	return o, nil
}

// publishedTests are the tests of a run that published ids stand for.
func publishedTests(inst *bench.Instance, o languages.Outcome, published []string) []string {
	var known, out []string
	for _, t := range o.Tests {
		known = append(known, t.ID)
	}
	slices.Sort(known)
	for _, ids := range languages.MatchIDs(languages.Default().Named(LanguageOf(inst)), published, known) {
		out = append(out, ids...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// executesGold reports whether the tests were seen to execute what gold changes.
// An import alone executes lines outside of functions, so that they count only
// where gold has no others that can be executed.
func executesGold(s *Subject, seen languages.Coverage) bool {
	inside, outside := false, false
	for _, f := range s.Files {
		cover := seen[f.Path]
		for line := range f.GoldLines() {
			in := s.runsOnCall(f, line)
			switch {
			case in && cover.Executed(line):
				return true
			case in && slices.Contains(cover.Executable, line):
				inside = true
			case cover.Executed(line):
				outside = true
			}
		}
	}
	return outside && !inside
}

// runsOnCall reports whether a line of gold runs only when a function is called.
func (s *Subject) runsOnCall(f *ChangedFile, line int) bool {
	if f.Gold == nil || line < 1 || line > len(f.Gold.Starts) {
		return false
	}
	signature := readingOf(s.Language).signatureAtImport
	for fn := functionAt(f.Gold, line); fn != nil; fn = f.Gold.Function(fn.Parent) {
		if body := fn.Get("body").Line; !signature || line >= body && body > fn.Line {
			return true
		}
	}
	return false
}

func executesSome(seen languages.Coverage) bool {
	for _, f := range seen {
		if f.Loaded {
			return true
		}
	}
	return false
}

// drops is the cause for which a candidate is not run; empty if the tests may
// distinguish it from gold and from base.
func (m reach) drops(c comparison) Cause {
	switch {
	case m.gold.reaches(c.gold) == unreached:
		return Unreached
	case m.base.reaches(c.base) == unreached:
		return UnreachedBase
	}
	return ""
}

// access is whether the tests get to a place.
type access int

const (
	unknown access = iota
	reached
	unreached
)

// reaches reports whether the tests execute any of the places: unreached only
// where they certainly execute none.
func (m side) reaches(places []difference) access {
	if m.lines == nil || len(places) == 0 {
		return unknown
	}
	all := unreached
	for _, d := range places {
		switch m.reachesOne(d) {
		case reached:
			return reached
		case unknown:
			all = unknown
		}
	}
	return all
}

func (m side) reachesOne(d difference) access {
	file := m.files[d.path]
	seen, ok := m.lines[d.path]
	if file == nil || !ok {
		return unknown
	}
	if d.from == d.to {
		return m.reachesBetween(file, seen, d)
	}
	all := unreached
	for line := d.from + 1; line <= d.to; line++ {
		switch {
		case blank(file, line):
		case seen.Executed(line):
			return reached
		case m.idle(file, seen, line):
		default:
			all = unknown
		}
	}
	return all
}

// reachesBetween is about text that is put in after a line: it runs where the
// line before or the line after it does; the latter alone counts where it begins
// a block that the text is in.
func (m side) reachesBetween(file *code.File, seen languages.FileCoverage, d difference) access {
	before, next := 0, 0
	for l := d.from; l >= 1 && before == 0; l-- {
		if slices.Contains(seen.Executable, l) {
			before = l
		}
	}
	for l := d.from + 1; l <= len(file.Starts) && next == 0; l++ {
		if slices.Contains(seen.Executable, l) {
			next = l
		}
	}
	switch {
	case before > 0 && next > 0 && d.indent == indentAt(file, next) && indentAt(file, next) > indentAt(file, before) && m.idle(file, seen, next):
		return unreached
	case before > 0 && seen.Executed(before), next > 0 && seen.Executed(next):
		return reached
	case before > 0 && next > 0 && m.idle(file, seen, before) && m.idle(file, seen, next):
		return unreached
	}
	return unknown
}

// idle reports whether a line is certainly not executed: the tool can see it and
// did not see it run, or the function around it never ran. Code that the compiler
// evaluates runs before any test.
func (m side) idle(file *code.File, seen languages.FileCoverage, line int) bool {
	fn := functionAt(file, line)
	switch {
	case fn == nil || compileTime.MatchString(file.Text(fn)):
		return false
	case slices.Contains(seen.Executable, line):
		return !m.lostAtThrow || precededByIdle(file, seen, line)
	}
	visible, ran := executedWithin(file, seen, fn)
	return visible && !ran && line > fn.Line && !m.lostAtThrow
}

// precededByIdle reports whether the statement before a line, in the same list,
// was not executed. Some tools do not count a line at which an exception leaves
// the function: with them only a line after such a statement certainly did not
// run.
func precededByIdle(file *code.File, seen languages.FileCoverage, line int) bool {
	before := code.Sibling(file.StatementAt(line), -1)
	if before == nil {
		return false
	}
	visible, ran := executedWithin(file, seen, before)
	return visible && !ran
}

// executedWithin reports whether the tool sees any line of a node, and whether
// it saw one executed.
func executedWithin(file *code.File, seen languages.FileCoverage, n *syntax.Node) (visible, ran bool) {
	for _, l := range seen.Executable {
		if l >= n.Line && l <= file.EndLine(n) {
			visible, ran = true, ran || seen.Executed(l)
		}
	}
	return visible, ran
}

// functionAt is the innermost function around a line; nil where there is none.
func functionAt(file *code.File, line int) *syntax.Node {
	fn := file.ScopeAt(line)
	if fn == nil || !file.IsFunction(fn) {
		return nil
	}
	return fn
}

var compileTime = regexp.MustCompile(`(?i)constexpr|consteval|constinit|decltype|noexcept\s*\(`)

func indentAt(file *code.File, line int) int { return indentOf(lineAt(file, line)) }

func blank(file *code.File, line int) bool { return !code.HasContent([][]byte{lineAt(file, line)}) }

func lineAt(file *code.File, line int) []byte {
	start, end := file.Starts[line-1], len(file.Src)
	if line < len(file.Starts) {
		end = file.Starts[line]
	}
	return file.Src[start:end]
}
