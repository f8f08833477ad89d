package badpatch

import (
	"context"
	"iter"
	"slices"
)

// lookahead is how many candidates of a source are compared before one of them
// is run. Of sources that cost something, one is.
const lookahead = 150

// Costly is a source whose candidates are not free: each is made only when it
// may be the next to run.
type Costly interface {
	Source
	Costly()
}

// offer is a candidate that may be run.
type offer struct {
	Candidate
	place comparison
	known access
	from  *supply
	// alone says that the candidate cannot share a build.
	alone bool
}

// queue orders what sources offer by how likely it is to be bad, as far as the
// tests' coverage and the trials so far show.
type queue struct {
	sources []*supply
	open    []*offer // by arrival
	done    []evidence
	throws  bool // an exception of the code is what some test fails with on base
}

// supply is what is left of a source.
type supply struct {
	room int // offers that may be open at once
	open int
	next func() (Candidate, error, bool)
	stop func()
	dry  bool
}

// evidence is a trial and where it differs from gold.
type evidence struct {
	offer  *offer
	effect float64 // 1 for a bad patch, 0 for one that no test sees
	// inner is its effect for smaller changes at its place: more than effect if
	// the tests see the place, and the change was too much.
	inner  float64
	placed bool // whether it shows something about its place
}

func newQueue(ctx context.Context, sources []Source, s *Subject) *queue {
	q := &queue{throws: slices.ContainsFunc(s.Failures, Failure.thrown)}
	for _, source := range sources {
		next, stop := iter.Pull2(source.Candidates(ctx, s))
		room := lookahead
		if _, ok := source.(Costly); ok {
			room = 1
		}
		q.sources = append(q.sources, &supply{room: room, next: next, stop: stop})
	}
	return q
}

// Close ends the sources.
func (q *queue) Close() {
	for _, s := range q.sources {
		s.stop()
	}
}

// fill takes candidates, of every source in turn, until as many are open as may
// be. admit makes an offer of a candidate, nil where it is not worth a run.
func (q *queue) fill(admit func(Candidate) (*offer, error)) error {
	for more := true; more; {
		more = false
		for _, s := range q.sources {
			if s.dry || s.open >= s.room {
				continue
			}
			more = true
			c, err, ok := s.next()
			if !ok {
				s.dry = true
				continue
			}
			if err != nil {
				return err
			}
			o, err := admit(c)
			if err != nil {
				return err
			}
			if o != nil {
				o.from = s
				s.open++
				q.open = append(q.open, o)
			}
		}
	}
	return nil
}

// take is the offer that is likeliest to be bad, and how likely; nil if no offer
// is open.
func (q *queue) take() (*offer, float64) {
	return q.takeBeside(nil, func(*offer) bool { return true })
}

// takeBeside takes the likeliest of the offers that fit, to be run along with
// others: what resembles these waits.
func (q *queue) takeBeside(others []*offer, fits func(*offer) bool) (*offer, float64) {
	best, at := 0.0, -1
	for i, o := range q.open {
		s := q.chance(o)
		for _, other := range others {
			s *= likeness(o, other, overlap(o, other))
		}
		if (at < 0 || s > best) && fits(o) {
			best, at = s, i
		}
	}
	if at < 0 {
		return nil, 0
	}
	o := q.open[at]
	q.open = slices.Delete(q.open, at, at+1)
	o.from.open--
	return o, best
}

// giveBack puts back an offer that was taken and not run.
func (q *queue) giveBack(o *offer) {
	q.open = append(q.open, o)
	o.from.open++
}

// note learns from a trial.
func (q *queue) note(o *offer, t Trial) {
	e := evidence{offer: o, placed: true}
	switch {
	case t.Verdict == Bad:
		e.effect, e.inner = 1, 1
	case t.Verdict == Regression:
		e.effect, e.inner = 0.3, 0.3
	case t.Cause == LikeBaseRun || t.Cause == FailsAll || t.Cause == Endless:
		e.effect, e.inner = 0.05, 0.5
	case t.Verdict == Rejected:
		e.placed = false
	}
	q.done = append(q.done, e)
}
