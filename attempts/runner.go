package attempts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"assay/agents"
	"assay/harness"
	"assay/internal/pool"
	"assay/languages"
	"assay/tasks"
)

// Task is one task of a run.
type Task struct {
	Name     string // for people: kind, instance and part
	Instance string
	Load     func() (tasks.Task, error)
}

// Runner makes attempts at tasks.
type Runner struct {
	Agent agents.Agent
	Model string // provider/model; "" where the agent needs none
	// Open opens a session with the limits and the record that are given; nil where
	// the agent needs no model.
	Open func(SessionOptions) (Session, error)
	// Prompt is what the agent is asked; Visible identifies what it can see of a
	// task.
	Prompt  func(tasks.Task) (string, error)
	Visible func(t tasks.Task, prompt string) (string, error)
	// Trajectory makes the trajectory from the record of a try's calls, and from
	// the agent's journal where it keeps one (agents.Outcome); it may be nil.
	Trajectory func(r Record, calls io.Reader, journal []byte) ([]byte, error)
	Machine    languages.Machine
	Limits     harness.Limits
	Folder     *Folder

	// Seed is the first attempts' seed, each further one has the next; 0 for none.
	Seed     int64
	Attempts int // per task, at least 1
	Jobs     int // at once
	// Retries is how often an attempt is tried again that the infrastructure cut.
	Retries int
	// Budget is what all tries in the folder may spend, those of earlier calls
	// included; TaskBudget is what one may. In dollars; 0 for no limit.
	Budget, TaskBudget float64
	// Again are ends of finished attempts that are to be made again.
	Again []agents.End

	Watch Progress
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error

	purse    *purse
	identity string // of the agent: its name and digest

	mu    sync.Mutex
	count Counts
	fatal error
}

// Progress shows attempts. Its methods may be called by many goroutines at once.
type Progress interface {
	Start(s Start)
	// Begin is called when work on an attempt begins. It returns the context to
	// work under, what to call with the figures so far, and what to call at the end.
	Begin(ctx context.Context, attempt, instance string) (work context.Context, show func(Totals), ended func())
	// Tried is called with the record of every try.
	Tried(r Record, again bool)
	// Left is called for an attempt for which the budget does not suffice.
	Left(attempt string)
	// Broken is called for a task that cannot be given to the agent.
	Broken(task string, err error)
}

// Start describes the work at its beginning.
type Start struct {
	Total, Todo int // attempts; those that the folder does not hold yet
	Jobs        int
	Spent       float64 // dollars, by earlier calls
	// Budget and TaskBudget are the limits in dollars; 0 for none.
	Budget, TaskBudget float64
	Ends               map[agents.End]int // of attempts that the folder holds
}

// AtOnce is how many attempts the budget lets run at the same time, at most
// Jobs: each may spend all of its own.
func (s Start) AtOnce() int {
	if s.Budget <= 0 || s.TaskBudget <= 0 {
		return s.Jobs
	}
	return min(s.Jobs, max(1, int((s.Budget-s.Spent)/s.TaskBudget)))
}

// Counts are the attempts of a run by their outcome.
type Counts struct {
	Total    int
	Finished int
	Failed   int // could not be made: the infrastructure
	Left     int // not made, or cut: the run's budget
}

// RefusedError says that the provider answers nothing, as the key is wrong or
// the model unknown: every attempt would end alike.
type RefusedError struct{ Model, Cause string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: the provider refuses all calls: %s", e.Model, e.Cause)
}

// Run makes the attempts that the folder does not hold. Its error ends the whole
// run: the context's, a RefusedError, an executor that is not available, or a
// folder that cannot be written.
func (r *Runner) Run(ctx context.Context, list []Task) (Counts, error) {
	r.identity = r.Agent.Name()
	if id, ok := r.Agent.(agents.Identified); ok {
		r.identity += " " + id.Digest()
	}
	todo, broken, start := r.plan(ctx, list)
	if ctx.Err() != nil {
		return r.count, ctx.Err()
	}
	r.purse = newPurse(r.Folder.Left(r.Budget), r.TaskBudget)
	r.Watch.Start(start)
	for _, b := range broken {
		r.count.Failed += r.Attempts
		r.Watch.Broken(b.task, b.err)
	}
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	pool.Each(work, r.Jobs, pool.Indices(len(todo)), func(ctx context.Context, i int) {
		if err := r.attempt(ctx, list, todo[i]); err != nil {
			r.fail(err)
			cancel()
		}
	})
	if ctx.Err() != nil {
		return r.count, ctx.Err()
	}
	return r.count, r.fatal
}

// fail keeps the first error that ends the run.
func (r *Runner) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fatal == nil && !errors.Is(err, context.Canceled) {
		r.fatal = err
	}
}

// place is an attempt at a task of the list.
type place struct{ task, attempt int }

// broken is a task that cannot be given to the agent.
type broken struct {
	task string
	err  error
}

// plan lists the attempts that the folder does not hold, all first ones first,
// and the tasks that cannot be read: one of them ends no run.
func (r *Runner) plan(ctx context.Context, list []Task) (todo []place, bad []broken, start Start) {
	start = Start{Total: len(list) * r.Attempts, Jobs: r.Jobs, Spent: r.Folder.Spent(), Budget: r.Budget, TaskBudget: r.TaskBudget, Ends: map[agents.End]int{}}
	r.count.Total = start.Total
	byAttempt := make([][]place, r.Attempts+1)
	for i, t := range list {
		if ctx.Err() != nil {
			break
		}
		left, err := r.unfinished(t, start.Ends)
		if err != nil {
			bad = append(bad, broken{t.Name, err})
		}
		for _, n := range left {
			byAttempt[n] = append(byAttempt[n], place{i, n})
		}
	}
	for _, places := range byAttempt {
		todo = append(todo, places...)
	}
	start.Todo = len(todo) + len(bad)*r.Attempts
	return todo, bad, start
}

// unfinished are the numbers of the attempts at a task that the folder does not
// hold; the ends of the others are counted.
func (r *Runner) unfinished(t Task, ends map[agents.End]int) ([]int, error) {
	task, prompt, err := r.load(t)
	if err != nil {
		return nil, err
	}
	var left []int
	for n := 1; n <= max(r.Attempts, r.Folder.last()); n++ {
		w, err := r.work(task, prompt, n)
		if err != nil {
			return nil, err
		}
		r.Folder.expect(w.slot, w.key)
		if n > r.Attempts {
			continue
		}
		rec, ok := r.Folder.finished(w.slot, w.key)
		if !ok || r.again(rec) {
			left = append(left, n)
			continue
		}
		ends[rec.End]++
		r.count.Finished++
	}
	return left, nil
}

// again reports whether a finished attempt is to be made again.
func (r *Runner) again(rec Record) bool {
	for _, end := range r.Again {
		if rec.End == end {
			return true
		}
	}
	return false
}

func (r *Runner) load(t Task) (tasks.Task, string, error) {
	task, err := t.Load()
	if err != nil {
		return task, "", err
	}
	prompt, err := r.Prompt(task)
	return task, prompt, err
}

// work names an attempt by all that goes in.
func (r *Runner) work(t tasks.Task, prompt string, attempt int) (work, error) {
	visible, err := r.Visible(t, prompt)
	if err != nil {
		return work{}, err
	}
	in := []any{r.identity, r.Model, t.Kind, t.Name(), visible, attempt}
	seed := r.seed(attempt)
	if seed != 0 {
		in = append(in, seed)
	}
	text, err := json.Marshal(in)
	if err != nil {
		return work{}, err
	}
	sum := sha256.Sum256(text)
	return work{slot: slot{t.Kind, t.Name(), attempt}, key: hex.EncodeToString(sum[:]), task: t, prompt: prompt, seed: seed}, nil
}

// seed is that of an attempt's number, 0 for none.
func (r *Runner) seed(attempt int) int64 {
	if r.Seed == 0 {
		return 0
	}
	return r.Seed + int64(attempt) - 1
}

// attempt makes one attempt, with retries.
func (r *Runner) attempt(ctx context.Context, list []Task, at place) error {
	task, prompt, err := r.load(list[at.task])
	if err != nil {
		r.tally(&r.count.Failed)
		r.Watch.Broken(list[at.task].Name, err)
		return nil
	}
	w, err := r.work(task, prompt, at.attempt)
	if err != nil {
		return err
	}
	for try := 0; ; try++ {
		held, ok := r.purse.take(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !ok:
			r.tally(&r.count.Left)
			r.Watch.Left(w.String())
			return nil
		}
		rec, passing, err := r.shown(ctx, w, try, list[at.task].Instance)
		r.purse.give(held, rec.CostUSD, rec.End == RunBudget)
		if err != nil {
			return err
		}
		again := passing && try < r.Retries
		r.Watch.Tried(rec, again)
		if !again {
			return r.ended(rec)
		}
		if err := r.Sleep(ctx, firstPause<<(2*try)); err != nil {
			return err
		}
	}
}

// firstPause is the pause before an attempt is tried again; each further one
// is four times as long.
const firstPause = 5 * time.Second

// shown tries once and shows it.
func (r *Runner) shown(ctx context.Context, w work, before int, instance string) (Record, bool, error) {
	ctx, show, ended := r.Watch.Begin(ctx, w.String(), instance)
	defer ended()
	return r.try(ctx, w, before, show)
}

// ended counts an attempt that is not tried again.
func (r *Runner) ended(rec Record) error {
	switch {
	case rec.Finished:
		r.tally(&r.count.Finished)
	case rec.End == RunBudget:
		r.tally(&r.count.Left)
	case rec.End == agents.Denied:
		return &RefusedError{Model: rec.Model, Cause: rec.Detail}
	case rec.End == agents.Infrastructure:
		r.tally(&r.count.Failed)
	}
	return nil
}

func (r *Runner) tally(n *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*n++
}
