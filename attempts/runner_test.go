package attempts

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/bench"
	"assay/harness"
	"assay/tasks"
)

// TestRunGoesOn: what is finished is not made again, what is new is.
func TestRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, 0, spends(2, 0.25))
	counts, err := w.Run(t.Context(), list(2))
	require.NoError(t, err)
	require.Equal(t, Counts{Total: 2, Finished: 2}, counts)
	require.InDelta(t, 1, w.Folder.Spent(), 1e-9)
	files, err := w.Folder.WritePredictions([]string{"bugfix"})
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "predictions.jsonl")}, files)
	got := predictions(t, files[0])
	require.Len(t, got, 2)
	require.Positive(t, got[0].Seconds)
	got[0].Seconds = 0
	require.Equal(t, bench.Prediction{
		InstanceID: "o__r-1", Model: "scripted+p/m", Patch: "fix of o__r-1\n", Task: "bugfix", CostUSD: 0.5, Attempt: 1, End: "done", Steps: 2,
		Tokens: bench.Tokens{Input: 200, Output: 20}, Trajectory: "attempts/bugfix/o__r-1/1/trajectory.json",
	}, got[0])
	text, err := os.ReadFile(filepath.Join(dir, got[0].Trajectory))
	require.NoError(t, err)
	require.Contains(t, string(text), "bytes of calls")
	require.NoError(t, w.Folder.Close())

	w = open(t, dir, 0, spends(2, 0.25))
	w.Attempts = 2
	counts, err = w.Run(t.Context(), list(3))
	require.NoError(t, err)
	require.Equal(t, Counts{Total: 6, Finished: 6}, counts)
	require.Equal(t, Start{Total: 6, Todo: 4, Jobs: 4, Spent: 1, Ends: map[agents.End]int{agents.Done: 2}}, w.watch.start)
	require.ElementsMatch(t, []string{"o__r-3#1", "o__r-1#2", "o__r-2#2", "o__r-3#2"}, w.agent.calls)
	files, err = w.Folder.WritePredictions([]string{"bugfix"})
	require.NoError(t, err)
	require.Len(t, files, 2)
	second := predictions(t, files[1])
	require.Len(t, second, 3)
	require.Equal(t, "scripted+p/m#2", second[0].Model)
}

// TestRunIsKeyedByContent: another version of the agent, another prompt or
// another task make a new attempt; the old one is kept as a try.
func TestRunIsKeyedByContent(t *testing.T) {
	dir := t.TempDir()
	calls := func(change func(*world)) []string {
		w := open(t, dir, 0, spends(1, 0.25))
		change(w)
		_, err := w.Run(t.Context(), list(1))
		require.NoError(t, err)
		require.NoError(t, w.Folder.Close())
		return w.agent.calls
	}
	digest := func(w *world) { w.agent.digest = "2" }
	require.Len(t, calls(func(*world) {}), 1)
	require.Empty(t, calls(func(*world) {}))
	require.Len(t, calls(digest), 1)
	require.Empty(t, calls(digest))
	require.Len(t, calls(func(*world) {}), 1, "the folder keeps the newest attempt")
	f, err := OpenFolder(dir, Identity{Agent: "scripted", Model: "p/m"})
	require.NoError(t, err)
	defer f.Close()
	require.InDelta(t, 0.75, f.Spent(), 1e-9)
	require.Len(t, f.Records(), 1)
	require.DirExists(t, filepath.Join(dir, "attempts/bugfix/o__r-1/1"))
	tries, err := filepath.Glob(filepath.Join(dir, "attempts/bugfix/o__r-1/1.try-*"))
	require.NoError(t, err)
	require.Len(t, tries, 2)
}

// TestSeeds: the attempts have one seed after another, each a part of what it is
// known by, and of its record and prediction.
func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	var given []int64
	run := func(seed int64) *world {
		w := open(t, dir, 0, func(_ context.Context, w agents.Work) (agents.Outcome, error) {
			given = append(given, w.Session.(*session).o.Seed)
			return agents.Outcome{End: agents.Done}, nil
		})
		w.Attempts, w.Jobs, w.Seed = 2, 1, seed
		_, err := w.Run(t.Context(), list(1))
		require.NoError(t, err)
		return w
	}
	require.NoError(t, run(0).Folder.Close())
	require.Equal(t, []int64{0, 0}, given)
	require.NoError(t, run(7).Folder.Close())
	require.Equal(t, []int64{0, 0, 7, 8}, given)
	w := run(7)
	require.Len(t, given, 4, "nothing is made again")
	files, err := w.Folder.WritePredictions([]string{"bugfix"})
	require.NoError(t, err)
	require.Len(t, files, 2)
	require.EqualValues(t, 7, predictions(t, files[0])[0].Seed)
	require.EqualValues(t, 8, predictions(t, files[1])[0].Seed)
}

// TestPredictionsOfOneInput: an attempt of an earlier input has no prediction
// next to those of the present one; that of a task that was not given has.
func TestPredictionsOfOneInput(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, 0, spends(1, 0.25))
	w.Attempts = 2
	_, err := w.Run(t.Context(), list(3))
	require.NoError(t, err)
	_, err = w.Folder.WritePredictions([]string{"bugfix"})
	require.NoError(t, err)
	require.NoError(t, w.Folder.Close())

	w = open(t, dir, 0, func(ctx context.Context, work agents.Work) (agents.Outcome, error) {
		if work.Task.Name() == "o__r-2" {
			return agents.Outcome{End: agents.Infrastructure}, nil
		}
		return spends(1, 0.25)(ctx, work)
	})
	w.agent.digest = "2"
	_, err = w.Run(t.Context(), list(2))
	require.NoError(t, err)
	_, stale := w.Folder.Current()
	require.Equal(t, 3, stale, "the first attempt at o__r-2, and the second ones at both tasks")
	require.Len(t, w.Folder.Records(), 6)
	files, err := w.Folder.WritePredictions([]string{"bugfix"})
	require.NoError(t, err)
	var got []string
	for _, f := range files {
		for _, p := range predictions(t, f) {
			got = append(got, p.InstanceID+" of "+p.Model)
		}
	}
	require.Equal(t, []string{"o__r-1 of scripted+p/m", "o__r-3 of scripted+p/m", "o__r-3 of scripted+p/m#2"}, got)
	require.NoError(t, w.Folder.Close())
	w = open(t, dir, 0, spends(1, 0.25))
	w.agent.digest = "3"
	_, err = w.Run(t.Context(), list(3))
	require.NoError(t, err)
	files, err = w.Folder.WritePredictions([]string{"bugfix"})
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoFileExists(t, filepath.Join(dir, "predictions-2.jsonl"), "no second attempt is of this input")
	require.Equal(t, 3, w.Folder.Summarise(Identity{Agent: "scripted", Model: "p/m"}, []string{"bugfix"}).Total.Attempts)
}

// TestAgain: attempts that ended in a certain way are made again when asked for.
func TestAgain(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, 0, func(_ context.Context, w agents.Work) (agents.Outcome, error) {
		if w.Task.Name() == "o__r-1" {
			return agents.Outcome{End: agents.Time}, nil
		}
		return agents.Outcome{End: agents.Done}, nil
	})
	_, err := w.Run(t.Context(), list(2))
	require.NoError(t, err)
	require.NoError(t, w.Folder.Close())
	w = open(t, dir, 0, spends(0, 0))
	w.Again = []agents.End{agents.Time}
	_, err = w.Run(t.Context(), list(2))
	require.NoError(t, err)
	require.Equal(t, []string{"o__r-1#1"}, w.agent.calls)
}

// TestRetries: only errors that may pass are tried again, a number of times, and
// nothing counts as an attempt before it succeeds.
func TestRetries(t *testing.T) {
	infra := func(retryable bool) error {
		return &harness.InfraError{Op: "starting", Retryable: retryable, Err: errors.New("no memory")}
	}
	ending := func(e SessionEnd, usd float64) func(agents.Work) (agents.Outcome, error) {
		return func(w agents.Work) (agents.Outcome, error) {
			s := w.Session.(*session)
			if usd > 0 {
				s.call(usd)
			}
			s.end(e)
			return agents.Outcome{End: agents.GaveUp}, nil
		}
	}
	failing := func(e SessionEnd) func(agents.Work) (agents.Outcome, error) {
		return func(w agents.Work) (agents.Outcome, error) {
			out, _ := ending(e, 0.5)(w)
			return out, infra(true)
		}
	}
	simply := func(o agents.Outcome, err error) func(agents.Work) (agents.Outcome, error) {
		return func(agents.Work) (agents.Outcome, error) { return o, err }
	}
	for name, c := range map[string]struct {
		solve func(agents.Work) (agents.Outcome, error)
		tries int
		end   agents.End
		want  Counts
		err   string
	}{
		"a sandbox that fails":              {simply(agents.Outcome{}, infra(true)), 3, agents.Infrastructure, Counts{Total: 1, Failed: 1}, ""},
		"an environment that is broken":     {simply(agents.Outcome{}, infra(false)), 1, agents.Infrastructure, Counts{Total: 1, Failed: 1}, ""},
		"a provider that cannot be reached": {ending(Unreachable, 0.5), 3, agents.Infrastructure, Counts{Total: 1, Failed: 1}, ""},
		"the agent says infrastructure":     {simply(agents.Outcome{End: agents.Infrastructure}, nil), 3, agents.Infrastructure, Counts{Total: 1, Failed: 1}, ""},
		"time":                              {simply(agents.Outcome{End: agents.Time}, nil), 1, agents.Time, Counts{Total: 1, Finished: 1}, ""},
		"a limit":                           {simply(agents.Outcome{End: agents.Limit}, nil), 1, agents.Limit, Counts{Total: 1, Finished: 1}, ""},
		"gave up":                           {simply(agents.Outcome{End: agents.GaveUp}, nil), 1, agents.GaveUp, Counts{Total: 1, Finished: 1}, ""},
		"the attempt's budget":              {ending(OverBudget, 0.5), 1, agents.Budget, Counts{Total: 1, Finished: 1}, ""},
		"calls":                             {ending(OverCalls, 0.5), 1, agents.Budget, Counts{Total: 1, Finished: 1}, ""},
		"the context window":                {ending(OverContext, 0.5), 1, agents.ContextWindow, Counts{Total: 1, Finished: 1}, ""},
		"a refusal in the middle":           {ending(RefusedCalls, 0.5), 1, agents.Refused, Counts{Total: 1, Finished: 1}, ""},
		"time, while the provider was down": {func(w agents.Work) (agents.Outcome, error) {
			w.Session.(*session).end(Unreachable)
			return agents.Outcome{End: agents.Time}, nil
		}, 1, agents.Time, Counts{Total: 1, Finished: 1}, ""},
		"a refusal before any answer":              {ending(RefusedCalls, 0), 1, agents.Refused, Counts{Total: 1, Finished: 1}, ""},
		"a sandbox that fails after the budget":    {failing(OverBudget), 3, agents.Infrastructure, Counts{Total: 1, Failed: 1}, ""},
		"a sandbox that fails after the context":   {failing(OverContext), 3, agents.Infrastructure, Counts{Total: 1, Failed: 1}, ""},
		"a sandbox that fails after a refusal":     {failing(RefusedCalls), 3, agents.Infrastructure, Counts{Total: 1, Failed: 1}, ""},
		"a sandbox that fails at the run's budget": {failing(OverRunBudget), 1, RunBudget, Counts{Total: 1, Left: 1}, ""},
		"a wrong key":                   {ending(Denied, 0), 1, agents.Denied, Counts{Total: 1}, "p/m: the provider refuses all calls: cause of denied"},
		"a key that ends in the middle": {ending(Denied, 0.5), 1, agents.Denied, Counts{Total: 1}, "p/m: the provider refuses all calls: cause of denied"},
		"time, with a wrong key": {func(w agents.Work) (agents.Outcome, error) {
			w.Session.(*session).end(Denied)
			return agents.Outcome{End: agents.Time}, nil
		}, 1, agents.Denied, Counts{Total: 1}, "p/m: the provider refuses all calls: cause of denied"},
		"the run's budget": {ending(OverRunBudget, 0.5), 1, RunBudget, Counts{Total: 1, Left: 1}, ""},
		"no executor":      {simply(agents.Outcome{}, harness.ErrUnavailable), 1, "", Counts{Total: 1}, "executor not available"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, t.TempDir(), 0, func(_ context.Context, w agents.Work) (agents.Outcome, error) { return c.solve(w) })
			counts, err := w.Run(t.Context(), list(1))
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
			}
			require.Equal(t, c.want, counts)
			require.Len(t, w.agent.calls, c.tries)
			require.Len(t, w.slept, c.tries-1)
			require.Len(t, w.Folder.Records(), c.want.Finished)
			if c.end != "" {
				require.Contains(t, w.watch.tried[len(w.watch.tried)-1], " "+string(c.end)+" ")
			}
		})
	}
	w := open(t, t.TempDir(), 0, nil)
	fails := 2
	w.agent.solve = func(ctx context.Context, work agents.Work) (agents.Outcome, error) {
		if fails > 0 {
			fails--
			work.Session.(*session).call(0.5)
			return agents.Outcome{}, infra(true)
		}
		return spends(1, 0.25)(ctx, work)
	}
	counts, err := w.Run(t.Context(), list(1))
	require.NoError(t, err)
	require.Equal(t, Counts{Total: 1, Finished: 1}, counts)
	require.Equal(t, []time.Duration{5 * time.Second, 20 * time.Second}, w.slept)
	r := w.Folder.Records()[0]
	require.Equal(t, 3, r.Tries)
	require.InDelta(t, 0.25, r.CostUSD, 1e-9)
	require.InDelta(t, 1.25, w.Folder.Spent(), 1e-9)
}

// TestDeniedIsMadeAgain: with the right key, the same command makes the attempt
// that a wrong one cut.
func TestDeniedIsMadeAgain(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, 0, func(_ context.Context, w agents.Work) (agents.Outcome, error) {
		w.Session.(*session).call(0.5)
		w.Session.(*session).end(Denied)
		return agents.Outcome{End: agents.GaveUp, Patch: "half of it\n"}, nil
	})
	_, err := w.Run(t.Context(), list(1))
	var refused *RefusedError
	require.ErrorAs(t, err, &refused)
	require.NoError(t, w.Folder.Close())

	w = open(t, dir, 0, spends(1, 0.25))
	require.Empty(t, w.Folder.Records())
	counts, err := w.Run(t.Context(), list(1))
	require.NoError(t, err)
	require.Equal(t, Counts{Total: 1, Finished: 1}, counts)
	require.InDelta(t, 0.75, w.Folder.Spent(), 1e-9)
}

// TestBudgetForNineAndAHalf: twenty parallel attempts of a dollar each. With a
// limit for each, attempts that would be cut are not begun. Without one, all may
// be cut, and do not count as failures.
func TestBudgetForNineAndAHalf(t *testing.T) {
	for name, c := range map[string]struct {
		each     float64
		finished int // with $9.50
	}{"a limit for each": {1, 9}, "a higher limit for each": {2, 9}, "none": {0, -1}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			w := open(t, dir, 9.5, spends(4, 0.25))
			w.Jobs, w.TaskBudget = 20, c.each
			counts, err := w.Run(t.Context(), list(20))
			require.NoError(t, err)
			require.LessOrEqual(t, w.Folder.Spent(), 9.5+1e-9)
			require.Equal(t, 20, counts.Finished+counts.Left)
			require.Zero(t, counts.Failed)
			if c.finished >= 0 {
				require.Equal(t, c.finished, counts.Finished)
				require.InDelta(t, 9, w.Folder.Spent(), 1e-9, "nothing was spent on attempts that were cut")
			}
			for _, r := range w.Folder.Records() {
				require.Equal(t, agents.Done, r.End)
			}
			require.NoError(t, w.Folder.Close())
			before := w.agent.calls

			w = open(t, dir, 60, spends(4, 0.25))
			w.Jobs, w.TaskBudget = 20, c.each
			again, err := w.Run(t.Context(), list(20))
			require.NoError(t, err)
			require.Equal(t, Counts{Total: 20, Finished: 20}, again)
			require.Len(t, w.agent.calls, 20-counts.Finished)
			require.GreaterOrEqual(t, len(before), counts.Finished)
			require.NoError(t, w.Folder.Close())

			w = open(t, dir, 1, spends(4, 0.25))
			_, err = w.Run(t.Context(), list(21))
			require.NoError(t, err)
			require.Empty(t, w.agent.calls, "a budget that is spent is not none")
			require.Equal(t, 1, w.watch.left)
		})
	}
}

// TestBrokenTask: a task that cannot be read stops no other.
func TestBrokenTask(t *testing.T) {
	w := open(t, t.TempDir(), 0, spends(1, 0.25))
	all := list(3)
	all[1].Load = func() (tasks.Task, error) { return tasks.Task{}, errors.New("no such file") }
	counts, err := w.Run(t.Context(), all)
	require.NoError(t, err)
	require.Equal(t, Counts{Total: 3, Finished: 2, Failed: 1}, counts)
	require.Equal(t, []string{"bugfix/o__r-2: no such file"}, w.watch.broken)
}

func TestAtOnce(t *testing.T) {
	for want, s := range map[int]Start{
		8: {Jobs: 8}, 7: {Jobs: 7, Budget: 1}, 6: {Jobs: 6, TaskBudget: 2}, 4: {Jobs: 20, Budget: 10, Spent: 1, TaskBudget: 2}, 1: {Jobs: 20, Budget: 1, TaskBudget: 2},
	} {
		require.Equal(t, want, s.AtOnce())
	}
}

// TestInterrupted: a try that a signal cut is not an attempt, what it spent counts.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	w := open(t, t.TempDir(), 0, func(ctx context.Context, work agents.Work) (agents.Outcome, error) {
		work.Session.(*session).call(0.5)
		cancel()
		return agents.Outcome{}, ctx.Err()
	})
	w.Jobs = 1
	counts, err := w.Run(ctx, list(3))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, Counts{Total: 3}, counts)
	require.Equal(t, []string{"bugfix/o__r-1 interrupted false"}, w.watch.tried)
	require.InDelta(t, 0.5, w.Folder.Spent(), 1e-9)
}

// TestKeepOwn: names of an agent's files do not lead out of the folder.
func TestKeepOwn(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "a", "agent")
	require.NoError(t, os.Mkdir(filepath.Dir(own), 0o755))
	require.NoError(t, keepOwn(own, map[string][]byte{"../../out.txt": []byte("1"), "/abs.txt": []byte("2"), "sub/in.txt": []byte("3")}))
	var found []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			found = append(found, rel)
		}
		return err
	}))
	slices.Sort(found)
	require.Equal(t, []string{"a/agent/abs.txt", "a/agent/out.txt", "a/agent/sub/in.txt"}, found)
}

// TestTrajectoryPanics: a parser that panics costs the trajectory of that attempt,
// not the attempt nor the run; the reason is kept.
func TestTrajectoryPanics(t *testing.T) {
	dir := t.TempDir()
	w := open(t, dir, 0, spends(1, 0.25))
	makes := w.Trajectory
	w.Trajectory = func(r Record, calls io.Reader, _ []byte) ([]byte, error) {
		if r.InstanceID == "o__r-1" {
			panic("not foreseen")
		}
		return makes(r, calls, nil)
	}
	counts, err := w.Run(t.Context(), list(2))
	require.NoError(t, err)
	require.Equal(t, Counts{Total: 2, Finished: 2}, counts)
	text, err := os.ReadFile(filepath.Join(dir, "attempts/bugfix/o__r-1/1/trajectory.json.error"))
	require.NoError(t, err)
	require.Contains(t, string(text), "panic: not foreseen")
	require.NoFileExists(t, filepath.Join(dir, "attempts/bugfix/o__r-1/1/trajectory.json"))
	require.FileExists(t, filepath.Join(dir, "attempts/bugfix/o__r-2/1/trajectory.json"))
}
