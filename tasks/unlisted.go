package tasks

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages"
)

// FlagUnlisted tells of a submission that passes every published test, and
// fails others that ran beside them and pass with gold. Published lists may
// leave out the very tests that the issue is about; then base is resolved, too.
const FlagUnlisted = "unlisted_failures"

// unlisted are the tests that pass in gold's run and for which no published id
// stands, sorted.
func unlisted(inst *bench.Instance, gold languages.Outcome) []string {
	h := readHidden(inst, gold)
	listed := map[string]bool{}
	for _, ids := range h.match(slices.Concat([]string(inst.FailToPass), []string(inst.PassToPass))) {
		for _, id := range ids {
			listed[id] = true
		}
	}
	var out []string
	for _, id := range h.known {
		if h.tests[id].Status.OK() && !listed[id] {
			out = append(out, id)
		}
	}
	return out
}

// unlistedFailures is the flag of a run that fails such tests; none where it
// fails none.
func (c control) unlistedFailures(o languages.Outcome) []bench.Flag {
	var failing []string
	for _, t := range o.Tests {
		if _, found := slices.BinarySearch(c.unlisted, t.ID); found && t.Status.Failing() {
			failing = append(failing, t.ID)
		}
	}
	if failing == nil {
		return nil
	}
	slices.Sort(failing)
	shown := strings.Join(failing[:min(len(failing), 5)], ", ")
	return []bench.Flag{{Kind: FlagUnlisted, Detail: fmt.Sprintf(
		"tests fail that pass with the gold patch, and no published id names them (%d): %s", len(failing), shown)}}
}
