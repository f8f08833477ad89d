package tasks

import (
	"context"
	"slices"

	"assay/bench"
	"assay/languages"
)

// againAtMost bounds how many tests are run again on their own: more that
// fail at once are not an accident.
const againAtMost = 20

// steady runs the hidden tests. Where nothing but a few pass-to-pass tests
// fail, these run again on their own; one that then passes counts as passed,
// and is returned as flaky. assess decides which suspicions about a run
// count.
func (j Judge) steady(ctx context.Context, bed *languages.Testbed, inst *bench.Instance, v languages.Variant, assess func(languages.Outcome) languages.Outcome) (languages.Outcome, []string, error) {
	o, err := bed.RunTests(ctx, v)
	if err != nil {
		return o, nil, err
	}
	doubts := o.Doubts
	o = assess(o)
	again := wavering(inst, o)
	if len(again) == 0 {
		return o, nil, nil
	}
	v.Only, v.Attempt = again, v.Attempt+1
	second, err := bed.RunTests(ctx, v)
	if err != nil {
		return o, nil, err
	}
	o, flaky := calmed(o, second.Cleared(doubts), again)
	return o, flaky, nil
}

// wavering lists the tests to run again: those by which pass-to-pass ids fail,
// where all fail-to-pass ids pass.
func wavering(inst *bench.Instance, o languages.Outcome) []string {
	f2p, p2p := HiddenTests(inst, o)
	if o.State != bench.RunDone || len(f2p.Failed) > 0 || len(p2p.Failed) == 0 {
		return nil
	}
	_, failing := FailingTests(inst, o)
	var ids []string
	for _, t := range failing {
		if t.Status.Failing() {
			ids = append(ids, t.ID)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) > againAtMost {
		return nil
	}
	return ids
}

// calmed takes over, of the tests that ran again, what passed.
func calmed(o, second languages.Outcome, again []string) (languages.Outcome, []string) {
	passed := map[string]bench.Status{}
	if second.State == bench.RunDone {
		for _, t := range second.Tests {
			if t.Status.OK() {
				passed[t.ID] = t.Status
			}
		}
	}
	var flaky []string
	o.Tests = slices.Clone(o.Tests)
	for i, t := range o.Tests {
		status, ok := passed[t.ID]
		if _, asked := slices.BinarySearch(again, t.ID); ok && asked {
			o.Tests[i].Status = status
			flaky = append(flaky, t.ID)
		}
	}
	return o, flaky
}
