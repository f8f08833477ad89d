package harness

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Remember returns a Preparer that asks p no second time for a recipe that
// failed with a *BuildError: the same error, which is to be read only, answers
// all later calls for a recipe of the same Digest and Limits, as long as the
// process lives. Equal recipes that are asked for at the same moment are tried
// once, too. Other errors are forgotten, and with them a *BuildError that an
// *InfraError wraps, as when packages could not be fetched. So is success: an
// environment may since have been removed.
//
// Note: a parent's failure is remembered for the recipe that was asked for,
// and not for other recipes on the same parent, as the error does not name
// the layer that failed.
func Remember(p Preparer) Preparer {
	return &remember{preparer: p, trials: map[trialKey]*trial{}}
}

type remember struct {
	preparer Preparer
	mu       sync.Mutex
	trials   map[trialKey]*trial
}

// trialKey holds limits because a digest does not: under wider ones, the same
// recipe may succeed.
type trialKey struct {
	digest string
	limits Limits
}

// trial is what is known of a recipe. Who holds the turn may read and set it.
type trial struct {
	turn   *semaphore.Weighted
	failed error
}

func (m *remember) Prepare(ctx context.Context, recipe Recipe) (string, error) {
	t := m.trial(trialKey{Digest(recipe), recipe.Limits.OrDefault()})
	if !t.turn.TryAcquire(1) {
		Notify(ctx, Waiting, recipe.Name)
		if err := t.turn.Acquire(ctx, 1); err != nil {
			return "", fmt.Errorf("waiting to prepare %s: %w", recipe.Name, err)
		}
	}
	defer t.turn.Release(1)
	if t.failed != nil {
		return "", t.failed
	}
	name, err := m.preparer.Prepare(ctx, recipe)
	if lasting(err) {
		t.failed = err
	}
	return name, err
}

func (m *remember) trial(key trialKey) *trial {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.trials[key]
	if t == nil {
		t = &trial{turn: semaphore.NewWeighted(1)}
		m.trials[key] = t
	}
	return t
}

// lasting reports whether an error is the recipe's own fault.
func lasting(err error) bool {
	var build *BuildError
	var infra *InfraError
	return errors.As(err, &build) && !errors.As(err, &infra) && !isContextError(err)
}
