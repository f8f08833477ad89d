package tasks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages"
)

// Names of the runs for the quality of generated tests. They decide no verdict.
const (
	againPrefix    = "again/"
	existingPrefix = "existing/"
	existingGold   = existingPrefix + "gold"
	// What the tests that exist execute of the gold patch.
	coverExistingBase = coverPrefix + existingPrefix + "base"
	coverExistingGold = coverPrefix + existingPrefix + "gold"
)

func againRun(side string, i int) string { return fmt.Sprintf("%s%s/%d", againPrefix, side, i) }
func existingRun(i int) string           { return fmt.Sprintf("%sbad/%d", existingPrefix, i) }

// decides reports whether a run affects the verdict.
func decides(name string) bool {
	for _, prefix := range []string{coverPrefix, againPrefix, existingPrefix} {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return true
}

// qualityRuns repeat the runs on base and on gold, and run the tests that exist:
// the files of the hidden test patch and of the published tests, as they are at
// base. The latter are the same for every submission.
func (t TestGen) qualityRuns(task Task, tests string) []Run {
	if t.Quality < 1 {
		return nil
	}
	inst := task.Instance
	var runs []Run
	for i := 1; i < t.Quality; i++ {
		for _, side := range []struct{ name, code string }{{baseRun, ""}, {goldRun, inst.Patch}} {
			runs = append(runs, Run{Variant: languages.Variant{Name: againRun(side.name, i), Code: side.code, Tests: tests, Contributed: true, Attempt: i}})
		}
	}
	existing := func(name, code string, cover map[string][]int) {
		runs = append(runs, Run{Variant: languages.Variant{Name: name, Code: code, Tests: inst.TestPatch, Existing: true, Cover: cover}})
	}
	existing(existingGold, inst.Patch, nil)
	for _, b := range inst.BadPatches {
		existing(existingRun(b.Index), CodeOf(task, b.Patch), nil)
	}
	if !t.Coverage.on() {
		return runs
	}
	lines := changedLines(inst.Patch)
	if cover := measurable(task.Language(), lines, false); cover != nil {
		existing(coverExistingBase, "", cover)
	}
	if cover := measurable(task.Language(), lines, true); cover != nil {
		existing(coverExistingGold, inst.Patch, cover)
	}
	return runs
}

// quality works out a submission's figures beyond the papers'; nil where they were
// not asked for.
func (t TestGen) quality(task Task, seen Outcomes, g *bench.TestGen) *bench.TestQuality {
	gold, ran := seen[goldRun]
	if t.Quality < 1 || !ran {
		return nil
	}
	q := &bench.TestQuality{Runs: 1}
	for i := 1; i < t.Quality; i++ {
		_, base := seen[againRun(baseRun, i)]
		if _, after := seen[againRun(goldRun, i)]; !base || !after {
			break
		}
		q.Runs++
	}
	ids := movingTests(seen[baseRun], gold)
	q.Tests, q.Flaky = len(ids), flakyTests(seen, ids, q.Runs)
	if g.GoodPass != nil {
		q.PassGood = passGood(task.Instance, seen, gold, ids)
	}
	if existing, ok := seen[existingGold]; ok {
		q.KilledBefore = killedBefore(seen, existing, g.Killed)
	}
	if t.Coverage.on() {
		q.Covered, q.CoveredBefore = redundantLines(task, seen)
		q.Survivors = unkilled(task, seen, g)
	}
	return q
}

// flakyTests are those that do not end alike in all runs on the same code.
func flakyTests(seen Outcomes, ids []string, runs int) []string {
	out := []string{}
	for _, id := range ids {
		for _, side := range []string{baseRun, goldRun} {
			for i := 1; i < runs; i++ {
				if endOf(seen[againRun(side, i)], id) != endOf(seen[side], id) {
					out = append(out, id)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// passGood are the tests that pass on gold and on every rewrite of it that was
// run.
func passGood(inst *bench.Instance, seen Outcomes, gold Outcome, ids []string) []string {
	out := []string{}
	for _, id := range ids {
		all := endOf(gold, id) == passes
		for i := range inst.GoodVariants {
			o, ran := seen[goodRun(i)]
			all = all && (!ran || endOf(o, id) == passes)
		}
		if all {
			out = append(out, id)
		}
	}
	return out
}

// killedBefore are those of the killed bad patches on which a test that exists
// does not pass, and passes on gold.
func killedBefore(seen Outcomes, gold Outcome, killed []int) []int {
	out := []int{}
	for _, i := range killed {
		bad, ran := seen[existingRun(i)]
		broke := slices.ContainsFunc(gold.Tests, func(t bench.Test) bool { return t.Status.OK() && endOf(bad, t.ID) == fails })
		if ran && broke {
			out = append(out, i)
		}
	}
	return out
}

// redundantLines counts the changed lines that the contributed tests execute,
// and those of them that the tests that exist execute, too; nil where a side was
// not measured.
func redundantLines(task Task, seen Outcomes) (covered, before *int) {
	covered, before = ptr(0), ptr(0)
	for i, s := range sides(task, seen) {
		existing := seen[[]string{coverExistingBase, coverExistingGold}[i]]
		if s.lines == nil {
			continue
		}
		if s.run.Coverage == nil || existing.Coverage == nil {
			return nil, nil
		}
		for path, f := range s.run.Coverage {
			for _, n := range f.InTests(s.run.Contributed) {
				*covered++
				if existing.Coverage[path].Executed(n) {
					*before++
				}
			}
		}
	}
	return covered, before
}

// unkilled are the eligible bad patches that the tests let pass, with the lines
// in which these differ from gold and which the tests execute, as "+PATH:LINE" of
// gold or "-PATH:LINE" of base: no assertion sees the difference. Of a bad patch
// that only differs elsewhere nothing is known.
func unkilled(task Task, seen Outcomes, g *bench.TestGen) []bench.Survivor {
	var out []bench.Survivor
	for _, b := range task.Instance.BadPatches {
		_, ran := seen[badRun(b.Index)]
		if !ran || !slices.Contains(g.Eligible, b.Index) || slices.Contains(g.Killed, b.Index) {
			continue
		}
		s := bench.Survivor{Index: b.Index}
		differ := differing(task.Instance.Patch, CodeOf(task, b.Patch))
		for _, side := range sides(task, seen) {
			for _, path := range slices.Sorted(maps.Keys(side.run.Coverage)) {
				s.Reached = append(s.Reached, reachedOf(side, path, differ)...)
			}
		}
		if len(differ) > 0 && len(s.Reached) == 0 && measuredAll(task, seen) {
			s.Reached = []string{}
		}
		out = append(out, s)
	}
	return out
}

// measuredAll reports whether every side of gold that can be measured was.
func measuredAll(task Task, seen Outcomes) bool {
	return !slices.ContainsFunc(sides(task, seen), func(s measured) bool { return s.lines != nil && s.run.Coverage == nil })
}

// reachedOf are the lines of a file that differ and that the tests execute.
func reachedOf(side measured, path string, differ []changedLine) []string {
	f := side.run.Coverage[path]
	ran := f.InTests(side.run.Contributed)
	var out []string
	for _, d := range differ {
		if d.path == path && d.added == (side.prefix == "+") && slices.Contains(ran, d.line) {
			out = append(out, fmt.Sprintf("%s%s:%d", side.prefix, path, d.line))
		}
	}
	return out
}

// differing are the lines that gold removes or adds and a bad patch does not: by
// their text, each as often as the bad patch has it.
func differing(gold, bad string) []changedLine {
	type text struct {
		path, text string
		added      bool
	}
	has := map[text]int{}
	for _, c := range changedLines(bad) {
		has[text{c.path, c.text, c.added}]++
	}
	var out []changedLine
	for _, c := range changedLines(gold) {
		key := text{c.path, c.text, c.added}
		if has[key] > 0 {
			has[key]--
			continue
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b changedLine) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.line, b.line)) })
	return out
}
