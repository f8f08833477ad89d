package tasks

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages"
)

// CoverageMode is how much of change coverage is measured.
type CoverageMode string

// The modes. The figure of SWT-Bench needs the hidden tests measured, too.
const (
	CoverageOff CoverageMode = "off"
	CoverageOn  CoverageMode = "on"
	CoverageSWT CoverageMode = "swt"
)

func (m CoverageMode) on() bool { return m == CoverageOn || m == CoverageSWT }

// Names of the runs that are measured. They decide no verdict.
const (
	coverPrefix = "cover/"
	coverBase   = coverPrefix + "base"
	coverGold   = coverPrefix + "gold"
	// The hidden tests' files as a whole, old tests and new ones.
	coverHiddenBase = coverPrefix + "hidden/base"
	coverHiddenGold = coverPrefix + "hidden/gold"
)

// FlagNoCoverage marks a result whose coverage was asked for and is not there.
const FlagNoCoverage = "no_coverage"

// coverRuns are the measured runs of a submission: none for a side on which gold
// changes nothing that can be seen.
func coverRuns(task Task, mode CoverageMode, tests string) []Run {
	if !mode.on() {
		return nil
	}
	inst, lines := task.Instance, changedLines(task.Instance.Patch)
	var runs []Run
	add := func(name, hidden, code string, cover map[string][]int) {
		if cover == nil {
			return
		}
		runs = append(runs, Run{Variant: languages.Variant{Name: name, Code: code, Tests: tests, Contributed: true, Cover: cover}})
		if mode == CoverageSWT {
			runs = append(runs, Run{Variant: languages.Variant{Name: hidden, Code: code, Tests: inst.TestPatch, Cover: cover}})
		}
	}
	add(coverBase, coverHiddenBase, "", measurable(task.Language(), lines, false))
	add(coverGold, coverHiddenGold, inst.Patch, measurable(task.Language(), lines, true))
	return runs
}

// nothingCovered is the coverage of a submission that was not run or is void. It
// may be impossible to measure anything of its instance: the report counts these
// zeros only in figures that some other submission to the instance has.
func nothingCovered(task Task) *bench.ChangeCoverage {
	c := &bench.ChangeCoverage{Adequacy: ptr(0.0), TDDScore: ptr(0.0), Published: map[string]float64{TDDPaper: 0, TDDPaperScore: 0}}
	if languages.TellsTestsApart(task.Language()) {
		c.Published[TDDBenchCode], c.Published[TDDBenchScore] = 0, 0
	}
	return c
}

// measured is one side of the gold patch with what was executed of it.
type measured struct {
	prefix string // of lines in lists
	lines  map[string][]int
	run    Outcome
	hidden Outcome
}

// sides are those of the gold patch that can be measured.
func sides(task Task, seen Outcomes) []measured {
	lines := changedLines(task.Instance.Patch)
	return []measured{
		{"-", measurable(task.Language(), lines, false), seen[coverBase], seen[coverHiddenBase]},
		{"+", measurable(task.Language(), lines, true), seen[coverGold], seen[coverHiddenGold]},
	}
}

// changeCoverage computes a submission's figures; the error explains why that is
// not possible.
func changeCoverage(task Task, seen Outcomes, t *bench.Transitions) (*bench.ChangeCoverage, error) {
	f2p, others := splitTests(seen)
	c := &bench.ChangeCoverage{}
	found := sides(task, seen)
	for i, s := range found {
		if s.lines == nil {
			continue
		}
		if s.run.Coverage == nil {
			return nil, fmt.Errorf("%s: %s", []string{coverBase, coverGold}[i], nothingMeasured(s.run))
		}
		*[]*bench.LineCounts{&c.Removed, &c.Added}[i] = s.count(f2p, others)
		c.Missed = append(c.Missed, s.missed()...)
	}
	if t.FailToPass && !anyRan(found) {
		return nil, errors.New("the tests tell base from gold, but no line of the files that gold changes was seen to run")
	}
	executable := c.Removed.Executable + c.Added.Executable
	if executable > 0 {
		c.Adequacy = ptr(float64(c.Removed.Covered+c.Added.Covered) / float64(executable))
		score := 0.0
		if t.FailToPass {
			score = 100 * *c.Adequacy
		}
		c.TDDScore = &score
		told := languages.TellsTestsApart(task.Language()) || len(f2p) == 0 || len(others) == 0
		if len(f2p) > 0 && told {
			c.FailToPass = ptr(float64(c.Removed.FailToPass+c.Added.FailToPass) / float64(executable))
		}
		if len(others) > 0 && told {
			c.Other = ptr(float64(c.Removed.Other+c.Added.Other) / float64(executable))
		}
	}
	c.Published = asPublished(task, found, t)
	if executable > 0 {
		c.Published[TDDPaper], c.Published[TDDPaperScore] = asInPaper(task, *c, t)
	}
	return c, nil
}

// anyRan reports whether anything was seen to run of files with executable
// lines, where there are any.
func anyRan(found []measured) bool {
	executable := false
	for _, s := range found {
		for _, f := range s.run.Coverage {
			if f.Loaded {
				return true
			}
			executable = executable || len(f.Executable) > 0
		}
	}
	return !executable
}

func nothingMeasured(o Outcome) string {
	if o.Detail != "" {
		return fmt.Sprintf("nothing was measured (%s: %s)", o.State, o.Detail)
	}
	return "nothing was measured"
}

// splitTests separates the contributed tests that fail before gold and pass after
// it from the others.
func splitTests(seen Outcomes) (f2p, others []string) {
	base, gold := seen[baseRun], seen[goldRun]
	for _, id := range movingTests(base, gold) {
		if endOf(base, id) == fails && endOf(gold, id) == passes {
			f2p = append(f2p, id)
		} else {
			others = append(others, id)
		}
	}
	return f2p, others
}

// count counts lines: what runs outside of tests, when modules are imported for
// one, counts for every test.
func (s measured) count(f2p, others []string) bench.LineCounts {
	var n bench.LineCounts
	for _, f := range s.run.Coverage {
		n.Executable += len(f.Executable)
		n.Covered += len(f.By(s.run.Contributed))
		if f.Whole && len(f2p) > 0 && len(others) > 0 {
			continue
		}
		if len(f2p) > 0 {
			n.FailToPass += len(f.By(f2p))
		}
		if len(others) > 0 {
			n.Other += len(f.By(others))
		}
	}
	return n
}

// missed are the executable lines that no contributed test executes.
func (s measured) missed() []string {
	var out []string
	for _, path := range slices.Sorted(maps.Keys(s.run.Coverage)) {
		f := s.run.Coverage[path]
		covered := f.By(s.run.Contributed)
		for _, n := range f.Executable {
			if !slices.Contains(covered, n) {
				out = append(out, fmt.Sprintf("%s%s:%d", s.prefix, path, n))
			}
		}
	}
	return out
}

// Names of figures of the papers and of the benchmarks' programs.
const (
	// TDDPaper is adequacy by the formula of TDD-Bench-Verified's section 5.3,
	// which divides by all lines that gold removes and adds, in all files, those
	// that no tool can execute included.
	TDDPaper = "tdd_bench_paper_adequacy"
	// TDDPaperScore is 100 x the paper's success x TDDPaper, from 0 to 100: some
	// test fails on base, and none on gold.
	TDDPaperScore = "tdd_bench_paper_score"
	// TDDBenchCode is adequacy as TDD-Bench-Verified's program counts it: lines
	// of all files that are not blank and no comments, covered unless coverage.py
	// lists them as missing.
	TDDBenchCode = "tdd_bench_code_adequacy"
	// TDDBenchScore is its score, from 0 to 100: a skipped or absent test is not
	// a failure there.
	TDDBenchScore = "tdd_bench_code_score"
	// SWTDelta comes close to SWT-Bench's change coverage: of the changed lines
	// that the hidden tests' files execute, those that contributed tests execute
	// while they run. The paper counts lines that the tests execute more often
	// than the original suite does.
	SWTDelta = "swt_bench_delta"
)

// asInPaper is TDD-Bench's adequacy and score by its paper's formula.
func asInPaper(task Task, c bench.ChangeCoverage, t *bench.Transitions) (adequacy, score float64) {
	adequacy = float64(c.Removed.Covered+c.Added.Covered) / float64(len(changedLines(task.Instance.Patch)))
	if t.FailToAny && !t.AnyToFail {
		score = 100 * adequacy
	}
	return adequacy, score
}

// asPublished computes the figures of the benchmarks' own programs, which know
// Python alone. It returns no figures for languages whose tests cannot be
// distinguished.
func asPublished(task Task, found []measured, t *bench.Transitions) map[string]float64 {
	out := map[string]float64{}
	if !languages.TellsTestsApart(task.Language()) {
		return out
	}
	changed, missing := 0, 0
	for _, c := range changedLines(task.Instance.Patch) {
		text := strings.TrimSpace(c.text)
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		changed++
		s := found[0]
		if c.added {
			s = found[1]
		}
		if f := s.run.Coverage[c.path]; f.Loaded && slices.Contains(f.Missing, c.line) {
			missing++
		}
	}
	if changed > 0 {
		adequacy, score := float64(changed-missing)/float64(changed), 0.0
		if passed := t.Tests.FailToPass + t.Tests.PassToPass; t.FailToAny && passed > 0 && !t.AnyToFail {
			score = 100 * adequacy
		}
		out[TDDBenchCode], out[TDDBenchScore] = adequacy, score
	}
	if delta, ok := swtDelta(found); ok {
		out[SWTDelta] = delta
	}
	return out
}

// swtDelta is SWT-Bench's change coverage; not ok where the hidden tests were not
// measured, or execute no changed line.
func swtDelta(found []measured) (share float64, ok bool) {
	executed, covered := 0, 0
	for _, s := range found {
		if s.lines != nil && s.hidden.Coverage == nil {
			return 0, false
		}
		for path, f := range s.hidden.Coverage {
			ours := s.run.Coverage[path].InTests(s.run.Contributed)
			for _, n := range f.Executable {
				if !f.Executed(n) {
					continue
				}
				executed++
				if slices.Contains(ours, n) {
					covered++
				}
			}
		}
	}
	if executed == 0 {
		return 0, false
	}
	return float64(covered) / float64(executed), true
}
