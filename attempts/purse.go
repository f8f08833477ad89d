package attempts

import (
	"context"
	"sync"
)

// cent is a hundredth of a dollar; a millionth of it is nothing.
const cent = 0.01

// purse decides whether one more attempt may begin within the run's budget.
// The proxy's ledger makes sure that no call goes beyond it; the purse avoids
// attempts that would be cut, since what they spend is lost.
type purse struct {
	limit float64 // dollars that are left to the run; 0 for none
	each  float64 // dollars that an attempt may spend; 0 for no limit

	mu       sync.Mutex
	spent    float64
	held     float64 // for attempts that are under way
	running  int
	finished int
	closed   bool
	freed    chan struct{} // closed and replaced when an attempt ends
}

func newPurse(limit, each float64) *purse {
	return &purse{limit: limit, each: each, freed: make(chan struct{})}
}

// take waits until an attempt may begin, and returns what is held for it. It
// reports false where the rest is too little.
func (p *purse) take(ctx context.Context) (held float64, ok bool) {
	for ctx.Err() == nil {
		held, ok, wait := p.try()
		if wait == nil {
			return held, ok
		}
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
	return 0, false
}

// try returns a channel to wait for where attempts that are under way hold
// what is missing.
func (p *purse) try() (held float64, ok bool, wait <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := p.limit - p.spent
	switch {
	case p.limit == 0:
		p.running++
		return 0, true, nil
	case p.closed || left < cent/1e6:
		return 0, false, nil
	case left-p.held >= p.each-cent/1e6: // sums of floats lose their last digits
		held = p.each
	case p.running > 0:
		return 0, false, p.freed
	case left < p.mean():
		return 0, false, nil
	default:
		held = left
	}
	p.running++
	p.held += held
	return held, true, nil
}

// mean is what an attempt cost so far; 0 before the first one is finished.
func (p *purse) mean() float64 { return p.spent / float64(max(p.finished, 1)) }

// give returns what was held for an attempt that has ended, and counts what it
// spent. After one that the run's budget cut none begins.
func (p *purse) give(held, spent float64, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.finished++
	p.held -= held
	p.spent += spent
	p.closed = p.closed || cut
	close(p.freed)
	p.freed = make(chan struct{})
}
