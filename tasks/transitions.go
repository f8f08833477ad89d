package tasks

import (
	"cmp"
	"slices"
	"strings"

	"assay/bench"
)

// ending is how a test ended on one side: before the gold patch, or after it.
type ending int

const (
	unclear ending = iota // skipped, not run, or not decided by it
	passes
	fails
)

// transitions compares the contributed tests' ends on base and on gold.
func transitions(seen Outcomes) *bench.Transitions {
	base, gold := seen[baseRun], seen[goldRun]
	t := &bench.Transitions{Applies: true}
	whole := map[ending]int{}
	by := map[bool]bench.FailureKind{} // of tests that pass after, and of the others
	for _, id := range movingTests(base, gold) {
		before, after := endOf(base, id), endOf(gold, id)
		t.FailToAny = t.FailToAny || before == fails
		t.AnyToFail = t.AnyToFail || after == fails
		whole[after]++
		if before == fails {
			by[after == passes] = stronger(by[after == passes], base.Failure(id, statusOf(base, id)))
		}
		switch {
		case before == fails && after == passes:
			t.Tests.FailToPass++
		case before == fails && after == fails:
			t.Tests.FailToFail++
		case before == passes && after == passes:
			t.Tests.PassToPass++
		case before == passes && after == fails:
			t.Tests.PassToFail++
		default:
			t.Tests.Other++
		}
	}
	t.FailsBy = cmp.Or(by[true], by[false])
	t.FailToPass = t.Tests.FailToPass > 0 && whole[fails] == 0 && !lacking(gold)
	t.PassToPass = t.Tests.PassToPass > 0 && !t.FailToAny && !t.AnyToFail
	t.PassToFail = t.Tests.PassToFail > 0
	return t
}

// movingTests are the ids to compare: those of gold's run, and those that only
// base's run has, where both came to their ends. An id that stands for others of
// the list (a test for its cases) is not one more test.
func movingTests(base, gold Outcome) []string {
	var ids []string
	switch {
	case gold.State == bench.RunDone && base.State == bench.RunDone:
		ids = append(slices.Clone(gold.Contributed), base.Contributed...)
	case gold.State == bench.RunDone || len(base.Contributed) == 0:
		ids = slices.Clone(gold.Contributed)
	default:
		ids = slices.Clone(base.Contributed)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(ids, func(other string) bool { return standsFor(id, other) })
	})
}

// standsFor reports whether an id is that of a test, class or file of which
// another id names a part or a case.
func standsFor(id, other string) bool {
	rest, ok := strings.CutPrefix(other, id)
	return ok && rest != "" && strings.ContainsRune("[(/:$", rune(rest[0]))
}

// endOf is how a test ended in a run. If nothing was built, or the runner died or
// hung in the tests, every test without an end of its own failed.
func endOf(o Outcome, id string) ending {
	switch status := statusOf(o, id); {
	case status.OK():
		return passes
	case status.Failing():
		return fails
	case status == bench.Skipped:
		return unclear
	}
	down := o.State == bench.RunCrashed || o.State == bench.RunTimeout
	if o.State == bench.RunUnbuilt || down && !o.Elsewhere {
		return fails
	}
	return unclear
}

// statusOf is a test's status in a run; else that of the longest id that stands
// for it; else missing.
func statusOf(o Outcome, id string) bench.Status {
	longest, found := "", bench.Missing
	for _, t := range o.Tests {
		if t.ID == id {
			return t.Status
		}
		if len(t.ID) > len(longest) && standsFor(t.ID, id) {
			longest, found = t.ID, t.Status
		}
	}
	return found
}

// lacking reports whether a contributed test did not run: it did not pass.
func lacking(o Outcome) bool {
	return slices.ContainsFunc(o.Tests, func(t bench.Test) bool { return t.Status == bench.Missing })
}

// failures are by what each contributed test failed on base; nil where none did.
func failures(seen Outcomes) map[string]bench.FailureKind {
	base, found := seen[baseRun], map[string]bench.FailureKind{}
	for _, id := range movingTests(base, seen[goldRun]) {
		if endOf(base, id) == fails {
			found[id] = base.Failure(id, statusOf(base, id))
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// stronger is the kind of failure that says more.
func stronger(a, b bench.FailureKind) bench.FailureKind {
	for _, k := range []bench.FailureKind{bench.ByAssertion, bench.ByException, bench.ByCrash, bench.ByTimeout, bench.ByBuild, bench.ByMissing} {
		if k == a || k == b {
			return k
		}
	}
	return ""
}
