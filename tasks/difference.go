package tasks

import (
	"fmt"
	"slices"
	"sort"

	"assay/bench"
	"assay/languages"
)

// The lists of an instance in which a difference can be.
const (
	listF2P = "FAIL_TO_PASS"
	listP2P = "PASS_TO_PASS"
)

// Difference is one published id that the runs do not confirm, with what they
// show instead.
type Difference struct {
	ID   string       `json:"id"`   // as published
	List string       `json:"list"` // FAIL_TO_PASS or PASS_TO_PASS
	Base bench.Status `json:"base"` // the worst of what it stands for, over all runs
	Gold bench.Status `json:"gold"`
	Why  string       `json:"why"`
}

// differences compares the published ids with the runs. An id is confirmed
// where gold passes it, and base fails it (FAIL_TO_PASS) or passes it
// (PASS_TO_PASS). Unstable ids that are confirmed are listed too.
func differences(inst *bench.Instance, base, gold []languages.Outcome) []Difference {
	before, after := readAll(inst, base), readAll(inst, gold)
	var out []Difference
	for _, list := range []struct {
		name string
		ids  []string
	}{{listF2P, inst.FailToPass}, {listP2P, inst.PassToPass}} {
		was, is := before.of(list.ids), after.of(list.ids)
		for _, id := range list.ids {
			d := Difference{ID: id, List: list.name, Base: was[id].status, Gold: is[id].status}
			if d.Why = why(list.name, was[id], is[id]); d.Why == "" && languages.UnstableID(id) {
				d.Why = "its id holds what changes from run to run; it is matched by pattern"
			}
			if d.Why != "" {
				out = append(out, d)
			}
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].List+out[i].ID < out[j].List+out[j].ID })
	return out
}

// why explains a difference; "" where there is none.
func why(list string, base, gold idOutcome) string {
	switch {
	case gold.wavers:
		return "with gold it passes in some runs only"
	case gold.status == bench.Missing:
		return "with gold no test with this id ran"
	case !gold.passes:
		text := fmt.Sprintf("it does not pass with gold (%s)", gold.status)
		if gold.said != "" {
			text += ": " + exceptionLine(gold.said)
		}
		return text
	case list == listF2P && base.passes:
		return "it passes on base too"
	case list == listP2P && !base.passes:
		return fmt.Sprintf("it does not pass on base (%s): measured, it is fail-to-pass", base.status)
	}
	return ""
}

// idOutcome is the outcome of a published id over all runs of one state.
type idOutcome struct {
	passes bool         // in every run
	wavers bool         // in some runs only
	status bench.Status // of the worst test that it stands for
	said   string
}

// readings are all runs of one state.
type readings []reading

func readAll(inst *bench.Instance, runs []languages.Outcome) readings {
	out := make(readings, len(runs))
	for i, o := range runs {
		out[i] = readHidden(inst, o)
	}
	return out
}

// of describes the outcome of published ids.
func (rs readings) of(published []string) map[string]idOutcome {
	out := make(map[string]idOutcome, len(published))
	count := map[string]int{}
	for _, r := range rs {
		for id, tests := range r.match(published) {
			s := out[id]
			if r.passes(tests) {
				count[id]++
			}
			for _, t := range append(r.of(tests), absent(tests)...) {
				if badness(t.Status) > badness(s.status) {
					s.status, s.said = t.Status, t.Message
				}
			}
			out[id] = s
		}
	}
	for id, s := range out {
		s.passes = len(rs) > 0 && count[id] == len(rs)
		s.wavers = count[id] > 0 && count[id] < len(rs)
		out[id] = s
	}
	return out
}

// of returns the tests with these canonical ids.
func (h reading) of(ids []string) []bench.Test {
	out := make([]bench.Test, len(ids))
	for i, id := range ids {
		out[i] = h.tests[id]
	}
	return out
}

// absent stands for an id that no test of a run has.
func absent(ids []string) []bench.Test {
	if len(ids) > 0 {
		return nil
	}
	return []bench.Test{{Status: bench.Missing}}
}

// badness orders statuses: what explains a failure best is the worst.
func badness(s bench.Status) int {
	order := []bench.Status{"", bench.Passed, bench.XPass, bench.XFail, bench.Skipped, bench.Missing, bench.Failed, bench.Error}
	return slices.Index(order, s)
}
