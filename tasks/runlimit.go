package tasks

import (
	"math/bits"
	"time"

	"assay/harness"
)

// patience is the time for a run of an instance whose gold run took so long:
// ten times that, and at least a minute, or ten where a submission may have
// to compile what gold did not touch. It is a power of two of the least, so
// that two gold runs give the same limit as a rule. 0 leaves the limit as it
// is: a limit that the user set is kept, and the default is never exceeded.
func patience(language string, gold, own time.Duration) time.Duration {
	if gold <= 0 || own > 0 {
		return 0
	}
	least := mannersOf(language).least
	if 10*gold <= least {
		return least
	}
	steps := (10*gold + least - 1) / least // rounded up
	if limit := least << bits.Len64(uint64(steps-1)); limit < harness.DefaultLimits().Time {
		return limit
	}
	return 0
}

// within bounds a run of tests; a tighter bound of its own is kept.
func (c control) within(r Run) Run {
	if c.patience > 0 && (r.Time == 0 || r.Time > c.patience) {
		r.Time = c.patience
	}
	return r
}
