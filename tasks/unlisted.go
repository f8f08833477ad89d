package tasks

import (
	"fmt"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// FlagOverlooked marks an instance whose published ids stand for no test of
// the hidden test patch's files. These tests count for it, too.
const FlagOverlooked = "overlooked_tests"

// overlooked are the tests of the files that the hidden test patch touches,
// as ids without parameters, sorted: those that pass with gold, where no
// published id stands for any test of these files. Lists that were made from
// logs are like that where one module's failure kept the runner from the
// others: what they call fail-to-pass are the others' tests, which pass on
// base where the runner continues.
func overlooked(inst *bench.Instance, gold languages.Outcome) []string {
	hidden, err := patch.Parse([]byte(inst.TestPatch))
	if err != nil {
		return nil // gold's own run reports it
	}
	h := readHidden(inst, gold)
	touched := map[string]bool{}
	for _, ids := range h.match(hidden.Paths()) {
		for _, id := range ids {
			touched[id] = true
		}
	}
	for _, ids := range h.match(slices.Concat([]string(inst.FailToPass), []string(inst.PassToPass))) {
		if slices.ContainsFunc(ids, func(id string) bool { return touched[id] }) {
			return nil
		}
	}
	var out []string
	for id := range touched {
		name, _, _ := strings.Cut(id, "[")
		if h.passes(h.match([]string{name})[name]) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// FlagUnlisted marks a submission that passes every published test, and fails
// others that ran in the same runs and pass with gold. Published lists may
// leave out the very tests that the issue is about; then base is resolved,
// too.
const FlagUnlisted = "unlisted_failures"

// unlisted are the tests that pass in gold's run and that no published id
// stands for, sorted.
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
