package proxy

import (
	"context"
	"errors"
	"math"
	"sync"
)

// errNoRoom says that what is left of a limit does not pay for a call.
var errNoRoom = errors.New("the limit does not pay for another call")

// account holds money with a limit. What a call may cost is reserved before it
// is made and replaced by what it did cost afterwards, so that calls that run
// at the same time never exceed the limit together.
type account struct {
	limit float64 // 0: none; below 0 nothing is left

	mu              sync.Mutex
	spent, reserved float64
	open            int           // reservations
	freed           chan struct{} // closed and replaced when a reservation ends
}

func newAccount(limit float64) *account {
	return &account{limit: limit, freed: make(chan struct{})}
}

// reserve takes want, or the rest of the limit where that is at least least
// and no other call holds a part of it. While others do, it waits for them.
func (a *account) reserve(ctx context.Context, want, least float64) (granted float64, err error) {
	for {
		granted, freed, err := a.try(want, least)
		if err != nil || freed == nil {
			return granted, err
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (a *account) try(want, least float64) (granted float64, freed <-chan struct{}, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	room := math.Inf(1)
	if a.limit != 0 {
		room = a.limit - a.spent - a.reserved
	}
	switch {
	case want <= room:
		granted = want
	case a.open > 0:
		return 0, a.freed, nil
	case least <= room:
		granted = room
	default:
		return 0, nil, errNoRoom
	}
	a.reserved += granted
	a.open++
	return granted, nil, nil
}

// shrink gives back a part of a reservation that stays open.
func (a *account) shrink(by float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reserved -= by
	a.wake()
}

// settle ends a reservation.
func (a *account) settle(reserved, spent float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent += spent
	a.reserved -= reserved
	if a.open--; a.open == 0 {
		a.reserved = 0 // sums of floats lose digits
	}
	a.wake()
}

func (a *account) wake() {
	close(a.freed)
	a.freed = make(chan struct{})
}

func (a *account) add(usd float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent += usd
}

func (a *account) total() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.spent
}
