package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Limits are what may be spent, in dollars; 0 means no limit.
type Limits struct {
	Call float64 // one attempt
	Task float64 // all attempts with one Purpose
	Run  float64 // all attempts that a Ledger sees
}

func (l Limits) any() bool { return l.Call > 0 || l.Task > 0 || l.Run > 0 }

// Ledger keeps what was spent, and what running calls may still spend. Several
// clients of one run share one. It is safe for concurrent use.
type Ledger struct {
	prices *Prices
	limits Limits

	mu       sync.Mutex
	run      account
	tasks    map[string]account
	released chan struct{} // closed and replaced when a reservation ends
}

type account struct{ spent, reserved float64 }

// NewLedger returns an empty ledger.
func NewLedger(prices *Prices, limits Limits) *Ledger {
	return &Ledger{prices: prices, limits: limits, tasks: map[string]account{}, released: make(chan struct{})}
}

// Add counts dollars that were spent before, as by the run that is resumed.
func (l *Ledger) Add(purpose string, usd float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.move(purpose, usd, 0)
}

// Spent is what was spent so far, in dollars, reservations not included.
func (l *Ledger) Spent() float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.run.spent
}

// SpentBy is Spent by Purpose.
func (l *Ledger) SpentBy() map[string]float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[string]float64{}
	for purpose, a := range l.tasks {
		out[purpose] = a.spent
	}
	return out
}

func (l *Ledger) move(purpose string, spent, reserved float64) {
	task := l.tasks[purpose]
	l.tasks[purpose] = account{task.spent + spent, task.reserved + reserved}
	l.run = account{l.run.spent + spent, l.run.reserved + reserved}
}

// Budget refuses a call before it is made when the most that it may cost would
// break a limit (class OverBudget), or when a limit is set and the model has no
// price (Unpriced). While it is only the reservations of running calls that are
// in the way, it waits for them. It sets CostUSD and Priced of answers.
//
// Counted is what the provider says was used; the most that the call may cost
// where it does not say and yet may bill: no usage in the answer, an answer
// that broke off, a call that was called off. It belongs below Retry and
// Cache, so that each attempt counts and hits do not.
func Budget(next Client, ledger *Ledger) Client { return &budget{next, ledger} }

type budget struct {
	next   Client
	ledger *Ledger
}

func (b *budget) Complete(ctx context.Context, req Request) (Response, error) {
	l := b.ledger
	bound, known := l.prices.Bound(req)
	if !known && l.limits.any() {
		return Response{}, refusal(Unpriced, fmt.Errorf("no price for %s: add it to the price file, or set no budget", req.Model))
	}
	if err := l.reserve(ctx, req.Purpose, bound); err != nil {
		return Response{}, err
	}
	spent := bound // should next panic
	defer func() { l.settle(req.Purpose, bound, spent) }()
	res, err := b.next.Complete(ctx, req)
	if err != nil {
		spent = l.lost(req.Model, bound, err)
		return res, withCost(err, spent)
	}
	if res.Cached {
		spent = 0
		return res, nil
	}
	if res.Usage != (Usage{}) {
		spent, res.Priced = l.prices.Cost(req.Model, res.Usage)
		res.CostUSD = spent
	}
	return res, nil
}

// lost is what a call without an answer is counted for.
func (l *Ledger) lost(model string, bound float64, err error) float64 {
	var e *Error
	var never unsent
	if errors.As(err, &never) {
		return 0
	}
	if !errors.As(err, &e) {
		return bound
	}
	if e.Usage != (Usage{}) {
		usd, _ := l.prices.Cost(model, e.Usage)
		return usd
	}
	if e.Sent {
		return bound
	}
	return 0
}

// withCost passes to the log what was counted, on a copy, since errors may be
// shared.
func withCost(err error, usd float64) error {
	e, ok := err.(*Error) //nolint:errorlint // what wraps it would be lost
	if usd == 0 || !ok {
		return err
	}
	counted := *e
	counted.CostUSD = usd
	return &counted
}

// unsent marks an error of a call that never left.
type unsent struct{ error }

func (u unsent) Unwrap() error { return u.error }

// reserve waits until amount fits together with the reservations of others.
func (l *Ledger) reserve(ctx context.Context, purpose string, amount float64) error {
	for {
		released, err := l.tryReserve(purpose, amount)
		if err != nil || released == nil {
			return err
		}
		select {
		case <-released:
		case <-ctx.Done():
			return fmt.Errorf("waiting for running calls, which hold the rest of the budget: %w", ctx.Err())
		}
	}
}

// tryReserve returns a channel to wait for where only reservations are in the
// way, and nil where the amount is reserved.
func (l *Ledger) tryReserve(purpose string, amount float64) (<-chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if exceeds(amount, l.limits.Call) {
		return nil, refusal(OverBudget, fmt.Errorf("a call may cost $%.4f, of $%.4f allowed for one; a lower token limit makes it cheaper", amount, l.limits.Call))
	}
	task, run := l.tasks[purpose], l.run
	if exceeds(task.spent+amount, l.limits.Task) {
		return nil, refusal(OverBudget, fmt.Errorf("%s has spent $%.4f of $%.4f, and the next call may cost $%.4f", purpose, task.spent, l.limits.Task, amount))
	}
	if exceeds(run.spent+amount, l.limits.Run) {
		return nil, refusal(OverBudget, fmt.Errorf("the run has spent $%.4f of $%.4f, and the next call may cost $%.4f", run.spent, l.limits.Run, amount))
	}
	if exceeds(task.spent+task.reserved+amount, l.limits.Task) || exceeds(run.spent+run.reserved+amount, l.limits.Run) {
		return l.released, nil
	}
	l.move(purpose, 0, amount)
	return nil, nil
}

func (l *Ledger) settle(purpose string, reserved, spent float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.move(purpose, spent, -reserved)
	close(l.released)
	l.released = make(chan struct{})
}

// exceeds forgives the last digits that sums of floats lose.
func exceeds(amount, limit float64) bool { return limit > 0 && amount > limit+1e-9 }

func refusal(class Class, err error) *Error {
	return &Error{Class: class, Provider: "budget", Err: err}
}
