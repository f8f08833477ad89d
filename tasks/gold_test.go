package tasks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// outcomeOf is a run in which these tests ended so.
func outcomeOf(state bench.RunState, tests ...bench.Test) languages.Outcome {
	return languages.Outcome{Run: bench.Run{Name: "run", State: state, Tests: tests}}
}

func python(id string, s bench.Status) bench.Test {
	return bench.Test{ID: "tests/test_a.py::" + id, Status: s}
}

func TestClassesWithSkips(t *testing.T) {
	for _, c := range []struct {
		name   string
		tests  []bench.Test
		passes bool
	}{
		{"one passes, one is skipped", []bench.Test{python("A::x", bench.Passed), python("A::y", bench.Skipped)}, true},
		{"one fails", []bench.Test{python("A::x", bench.Passed), python("A::y", bench.Failed)}, false},
		{"one is an error", []bench.Test{python("A::x", bench.Passed), python("A::y", bench.Error)}, false},
		{"all are skipped", []bench.Test{python("A::x", bench.Skipped), python("A::y", bench.Skipped)}, false},
		{"expected failures", []bench.Test{python("A::x", bench.XFail), python("A::y", bench.Skipped)}, true},
		{"nothing ran", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py::A"}, PassToPass: bench.TestIDs{"tests/test_a.py"}}
			f2p, p2p := HiddenTests(inst, outcomeOf(bench.RunDone, c.tests...))
			require.Equal(t, c.passes, len(f2p.Passed) == 1)
			require.Equal(t, c.passes, len(p2p.Passed) == 1)
			failing, _ := FailingTests(inst, outcomeOf(bench.RunDone, c.tests...))
			require.Equal(t, c.passes, len(failing) == 0)
		})
	}
}

func TestSkippedTestOfItsOwnDoesNotPass(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py::A::x"}}
	f2p, _ := HiddenTests(inst, outcomeOf(bench.RunDone, python("A::x", bench.Skipped)))
	require.Equal(t, []string{"tests/test_a.py::A::x"}, f2p.Failed)
}

// published is an instance with one fail-to-pass and n pass-to-pass tests.
func published(n int) *bench.Instance {
	inst := &bench.Instance{
		ID: "a__b-1", Language: "python", Patch: "x", TestPatch: "y",
		FailToPass: bench.TestIDs{"tests/test_a.py::fixed"},
	}
	for i := range n {
		inst.PassToPass = append(inst.PassToPass, fmt.Sprintf("tests/test_a.py::p%02d", i))
	}
	return inst
}

// endedWith is a run of the instance in which the fail-to-pass test and all but the
// first so many pass-to-pass tests pass.
func endedWith(inst *bench.Instance, failing int) languages.Outcome {
	tests := []bench.Test{{ID: inst.FailToPass[0], Status: bench.Passed}}
	for i, id := range inst.PassToPass {
		s := bench.Passed
		if i < failing {
			s = bench.Failed
		}
		tests = append(tests, bench.Test{ID: id, Status: s})
	}
	return outcomeOf(bench.RunDone, tests...)
}

func TestReadControl(t *testing.T) {
	inst := published(30)
	require.Equal(t, control{leftOut: []string{}}, readControl(inst, endedWith(inst, 0)))
	three := readControl(inst, endedWith(inst, 3))
	require.Empty(t, three.unusable)
	require.Equal(t, []string{"tests/test_a.py::p00", "tests/test_a.py::p01", "tests/test_a.py::p02"}, three.leftOut)
	require.Contains(t, readControl(inst, endedWith(inst, 4)).unusable, "4 of 30 pass-to-pass tests")

	few := published(2)
	require.Empty(t, readControl(few, endedWith(few, 1)).unusable, "one may always be missing")
	require.NotEmpty(t, readControl(few, endedWith(few, 2)).unusable)

	failing := endedWith(inst, 0)
	failing.Tests[0].Status = bench.Failed
	failing.Said = map[string]string{failing.Tests[0].ID: "\n  ModuleNotFoundError: No module named 'trio'\nmore"}
	require.Equal(t, "1 of 1 fail-to-pass tests do not pass with the gold patch here: tests/test_a.py::fixed is failed: ModuleNotFoundError: No module named 'trio'",
		readControl(inst, failing).unusable)

	for _, state := range []bench.RunState{bench.RunUnbuilt, bench.RunCrashed, bench.RunTimeout, bench.RunLimit, bench.RunSuspect, bench.RunUnapplied} {
		o := endedWith(inst, 0)
		o.State = state
		require.NotEmpty(t, readControl(inst, o).unusable, state)
	}
}

func TestControlLeavesOut(t *testing.T) {
	inst := published(3)
	c := control{leftOut: []string{"tests/test_a.py::p01"}, flaky: []string{"tests/test_a.py::p02"}}
	task := c.task(Task{Kind: "bugfix", Instance: inst})
	require.Equal(t, bench.TestIDs{"tests/test_a.py::p00", "tests/test_a.py::p02"}, task.Instance.PassToPass)
	require.Len(t, inst.PassToPass, 3, "the dataset's instance stays as it is")

	c.noTests = []string{"tests/test_a.py::fixed"}
	require.Empty(t, c.task(Task{Instance: inst}).Instance.FailToPass)
	c.noTests = nil

	r := bench.Result{BugFix: &bench.BugFix{}}
	c.note(&r, inst, Outcomes{submissionRun: {Flaky: []string{"tests/test_a.py::p00"}}})
	require.Equal(t, c.leftOut, r.BugFix.LeftOut)
	require.Equal(t, []string{"left_out", "flaky", "flaky"}, []string{r.Flags[0].Kind, r.Flags[1].Kind, r.Flags[2].Kind})
	require.Equal(t, "tests/test_a.py::p00", r.Flags[1].Path)
}

func TestGoldsRunOnce(t *testing.T) {
	var g Golds
	var mu sync.Mutex
	runs := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c, err := g.once(t.Context(), "key", func() (control, error) {
				mu.Lock()
				defer mu.Unlock()
				runs++
				return control{unusable: "no"}, nil
			})
			require.NoError(t, err)
			require.Equal(t, "no", c.unusable)
		})
	}
	wg.Wait()
	require.Equal(t, 1, runs)

	fails := errors.New("engine gone")
	_, err := g.once(t.Context(), "other", func() (control, error) { return control{}, fails })
	require.ErrorIs(t, err, fails)
	c, err := g.once(t.Context(), "other", func() (control, error) { return control{flaky: []string{"x"}}, nil })
	require.NoError(t, err, "an error is not remembered")
	require.Equal(t, []string{"x"}, c.flaky)
}

func TestGoldsWaitIsCancelled(t *testing.T) {
	var g Golds
	started, release := make(chan struct{}), make(chan struct{})
	go func() {
		_, _ = g.once(t.Context(), "key", func() (control, error) { close(started); <-release; return control{}, nil })
	}()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := g.once(ctx, "key", nil)
	require.ErrorIs(t, err, context.Canceled)
	close(release)
}
