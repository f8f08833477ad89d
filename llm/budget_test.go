package llm

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// dollar is a table in which an output token costs a dollar and input nothing,
// so that MaxTokens is the bound of a call in dollars.
func dollar() *Prices {
	in, out := 0.0, 1e6
	return &Prices{models: map[string]price{"openai/gpt-4o": {Rates: rates{Input: &in, Output: &out}}}}
}

func spending(tokens int) Client {
	return clientFunc(func(context.Context, Request) (Response, error) {
		return Response{Text: "ok", Usage: Usage{Input: 1, Output: tokens}}, nil
	})
}

func costing(purpose string, most int) Request {
	return Request{Model: "openai/gpt-4o", Purpose: purpose, MaxTokens: most}
}

func requireOver(t *testing.T, err error, part string) {
	t.Helper()
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, OverBudget, e.Class)
	require.ErrorContains(t, err, part)
}

func TestBudget(t *testing.T) {
	ledger := NewLedger(dollar(), Limits{Call: 10, Task: 12, Run: 20})
	client := Budget(spending(5), ledger)

	_, err := client.Complete(t.Context(), costing("a", 11))
	requireOver(t, err, "a call may cost $11")
	require.Zero(t, ledger.Spent(), "refused before it is made")

	res, err := client.Complete(t.Context(), costing("a", 10))
	require.NoError(t, err)
	require.True(t, res.Priced)
	require.InDelta(t, 5, res.CostUSD, 1e-9)
	require.InDelta(t, 5, ledger.Spent(), 1e-9, "what was used, not the bound")

	_, err = client.Complete(t.Context(), costing("a", 8))
	requireOver(t, err, "a has spent $5.0000 of $12.0000, and the next call may cost $8.0000")
	_, err = client.Complete(t.Context(), costing("a", 7))
	require.NoError(t, err, "to the last cent")

	_, err = client.Complete(t.Context(), costing("b", 10))
	require.NoError(t, err)
	_, err = client.Complete(t.Context(), costing("c", 6))
	requireOver(t, err, "the run has spent $15.0000 of $20.0000")
	require.Equal(t, map[string]float64{"a": 10, "b": 5}, ledger.SpentBy())
}

func TestBudgetOfAResumedRun(t *testing.T) {
	ledger := NewLedger(dollar(), Limits{Run: 20})
	ledger.Add("a", 15)
	_, err := Budget(spending(5), ledger).Complete(t.Context(), costing("b", 6))
	requireOver(t, err, "$15.0000 of $20.0000")
}

func TestBudgetCountsWhatFailedCallsMayCost(t *testing.T) {
	tests := map[string]struct {
		res  Response
		err  error
		want float64
	}{
		"never arrived":      {err: &Error{Class: Network}},
		"turned down":        {err: &Error{Class: Authentication, Status: 401}},
		"broke off":          {err: &Error{Class: Network, Status: 200, Sent: true}, want: 8},
		"refused with usage": {err: &Error{Class: Refused, Sent: true, Usage: Usage{Input: 3, Output: 2}}, want: 2},
		"called off":         {err: context.Canceled, want: 8},
		"never left":         {err: unsent{context.Canceled}},
		"no usage told":      {res: Response{Text: "ok"}, want: 8},
		"from a recording":   {res: Response{Text: "ok", Cached: true, Usage: Usage{Output: 4}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			ledger := NewLedger(dollar(), Limits{Run: 20})
			_, err := Budget(clientFunc(func(context.Context, Request) (Response, error) { return tt.res, tt.err }), ledger).Complete(t.Context(), costing("a", 8))
			var e *Error
			if errors.As(err, &e) {
				require.InDelta(t, tt.want, e.CostUSD, 1e-9, "told to the log")
			} else {
				require.ErrorIs(t, err, tt.err)
			}
			require.InDelta(t, tt.want, ledger.Spent(), 1e-9)
			require.Zero(t, ledger.run.reserved)
		})
	}
}

func TestUnpricedModels(t *testing.T) {
	req := Request{Model: "openai/unheard-of"}
	_, err := Budget(spending(5), NewLedger(dollar(), Limits{Task: 1})).Complete(t.Context(), req)
	var e *Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, Unpriced, e.Class)
	require.ErrorContains(t, err, "no price for openai/unheard-of")

	res, err := Budget(spending(5), NewLedger(dollar(), Limits{})).Complete(t.Context(), req)
	require.NoError(t, err, "without a budget no price is needed")
	require.False(t, res.Priced)
}

// TestBudgetUnderConcurrency checks that reservations keep calls that run at
// once from breaking the limit together, and that the money they leave is
// used.
func TestBudgetUnderConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := NewLedger(dollar(), Limits{Run: 20})
		var mu sync.Mutex
		running, most := 0, 0
		client := Budget(clientFunc(func(context.Context, Request) (Response, error) {
			mu.Lock()
			running++
			most = max(most, running)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			running--
			mu.Unlock()
			return Response{Usage: Usage{Output: 2}}, nil
		}), ledger)
		var done, refused int
		var wg sync.WaitGroup
		for range 30 {
			wg.Go(func() {
				_, err := client.Complete(t.Context(), costing("a", 10))
				mu.Lock()
				defer mu.Unlock()
				var e *Error
				switch {
				case err == nil:
					done++
				case errors.As(err, &e) && e.Class == OverBudget:
					refused++
				}
			})
		}
		wg.Wait()
		require.Equal(t, 2, most, "two bounds of 10 fit 20")
		require.Equal(t, 6, done, "calls go on while spent + bound fits: 0, 2, ... 10")
		require.Equal(t, 24, refused)
		require.InDelta(t, 12, ledger.Spent(), 1e-9)
		require.Zero(t, ledger.run.reserved)
	})
}

func TestBudgetWaitsNoLongerThanTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ledger := NewLedger(dollar(), Limits{Run: 10})
		client := Budget(clientFunc(func(context.Context, Request) (Response, error) {
			time.Sleep(time.Minute)
			return Response{Usage: Usage{Output: 1}}, nil
		}), ledger)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := client.Complete(t.Context(), costing("a", 10))
			require.NoError(t, err)
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := client.Complete(ctx, costing("a", 5))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		wg.Wait()
	})
}
