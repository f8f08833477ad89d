package badpatch

import (
	"context"
	"time"

	"assay/bench"
	"assay/languages"
)

// Expose runs stored suites on a trial.
func Expose(ctx context.Context, bed Bed, inst *bench.Instance, suites []StoredSuite, t *Trial) error {
	return (&runner{bed: bed, inst: inst, suites: suites}).expose(ctx, t)
}

// Resolves runs a patch n times.
func Resolves(ctx context.Context, bed Bed, inst *bench.Instance, runs int, code string) (bool, error) {
	return (&runner{bed: bed, inst: inst, repeat: runs}).resolves(ctx, code)
}

// PatienceOf is the bound of a candidate's runs.
func PatienceOf(gold time.Duration) time.Duration { return patienceOf(gold) }

// ExecutesGold reports whether tests were seen to execute what gold changes.
func ExecutesGold(s *Subject, seen languages.Coverage) bool { return executesGold(s, seen) }

// Drops is the cause for which a candidate is not run, by what the tests execute
// of gold and of base.
func Drops(s *Subject, gold, base languages.Coverage, diff string) (Cause, error) {
	c, err := s.compare(Candidate{Patch: diff})
	if err != nil {
		return "", err
	}
	m := reach{gold: s.goldSide(), base: s.baseSide()}
	m.gold.lines, m.base.lines = gold, base
	return m.drops(c), nil
}
