package collect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/internal/mirror"
	"assay/languages"
	"assay/tasks"
)

// scenario is in the first line of a hidden test file: what the machine does
// with it.
var scenario = regexp.MustCompile(`# scenario (\w+)`)

// machine is an executor whose tests do what their scenario says.
type machine struct {
	mu   sync.Mutex
	jobs []string // scenario and state
	down bool
	// stop is called when a scenario that is named so begins.
	stop map[string]func()
}

// statuses are those of test_new and test_old, without and with gold.
func statuses(name string, gold bool, attempt int) (fresh, old bench.Status, extra []string) {
	fresh, old = bench.Failed, bench.Passed
	if gold {
		fresh = bench.Passed
	}
	switch name {
	case "nothing":
		fresh = bench.Passed
	case "broken":
		fresh = bench.Failed
	case "flaky":
		if gold && attempt > 0 {
			fresh = bench.Failed
		}
	case "insane":
		extra = []string{"FAILED", "FAILED"}
	case "early": // the tests before the change
		if attempt == 1 {
			old = bench.Error
		}
	case "shaky":
		if attempt > 0 {
			old = bench.Failed
		}
	}
	return fresh, old, extra
}

func (m *machine) handle(_ context.Context, job harness.Job) (harness.Result, error) {
	name, gold := "none", false
	for _, f := range job.Files {
		if s := scenario.FindSubmatch(f.Data); s != nil {
			name = string(s[1])
		}
		gold = gold || strings.HasPrefix(f.Path, languages.Root+"/src/")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.jobs = append(m.jobs, fmt.Sprintf("%s %t", name, gold))
	if stop := m.stop[name]; stop != nil {
		stop()
	}
	if m.down {
		return harness.Result{}, &harness.InfraError{Op: "running", Err: errors.New("the machine is down")}
	}
	if name == "hangs" && gold {
		return harness.Result{End: harness.TimedOut}, nil
	}
	fresh, old, extra := statuses(name, gold, job.Attempt)
	lines := []string{"tests/t.py::test_new " + strings.ToUpper(string(fresh)), "tests/t.py::test_old " + strings.ToUpper(string(old))}
	for i, s := range extra {
		lines = append(lines, fmt.Sprintf("tests/t.py::test_more%d %s", i, s))
	}
	failed := strings.Count(strings.Join(lines, "\n"), " FAILED")
	text := fmt.Sprintf("===== test session starts =====\n%s\n===== %d failed, %d passed in 0.01s =====\n", strings.Join(lines, "\n"), failed, len(lines)-failed)
	res := harness.Result{End: harness.Exited, ExitCode: min(failed, 1), Files: map[string][]byte{}}
	for _, e := range job.Env {
		if dir, ok := strings.CutPrefix(e, "ASSAY_REPORTS="); ok {
			res.Files[dir+"/report.txt"] = []byte(text)
		}
	}
	return res, nil
}

// preparer cannot prepare recipes of the instances in its field fails.
type preparer struct {
	*harnesstest.Fake
	fails map[string]string // output, by instance
	// unless is text of a recipe with which nothing fails, by instance.
	unless map[string]string
}

func (p preparer) Prepare(ctx context.Context, r harness.Recipe) (string, error) {
	if text, ok := p.fails[r.Name]; ok && (p.unless[r.Name] == "" || !strings.Contains(layers(r), p.unless[r.Name])) {
		return "", &harness.BuildError{Recipe: r.Name, Result: harness.Result{End: harness.Exited, ExitCode: 1, Output: harness.Output{Tail: []byte(text)}}}
	}
	return "environment", nil
}

// layers are the packages and scripts of a recipe and those below it.
func layers(r harness.Recipe) string {
	text := fmt.Sprint(r.Packages, r.Script)
	if r.Parent != nil {
		text += layers(*r.Parent)
	}
	return text
}

// collection is a repository whose fixes have scenarios, in a folder.
type collection struct {
	t        *testing.T
	made     *made
	machine  *machine
	fails    map[string]string
	unless   map[string]string
	packages map[string][]string // of instances' own envs
	fitter   Fitter
	dir      string
}

func newCollection(t *testing.T, scenarios ...string) *collection {
	return newCollectionOf(t, "owner/name", t.TempDir(), scenarios...)
}

func newCollectionOf(t *testing.T, name, dir string, scenarios ...string) *collection {
	c := &collection{t: t, made: newRepositoryNamed(t, name), machine: &machine{}, fails: map[string]string{}, dir: dir}
	c.made.commit("first", "src/a.py", "a\n", "pyproject.toml", "[project]\nname = 'a'\n")
	for _, s := range scenarios {
		c.add(s)
	}
	return c
}

func (c *collection) add(s string) {
	n := c.made.day
	c.made.commit(fmt.Sprintf("A fix that is %s (#%d)\n\nFixes #%d00", s, n, n), fmt.Sprintf("src/m%d.py", n), "x\n", fmt.Sprintf("tests/test_m%d.py", n), "# scenario "+s+"\nnew_name"+fmt.Sprint(n)+"\n")
}

// complete runs all stages and returns the instances' ids.
func (c *collection) complete(plan Plan, runs int) ([]string, *Folder, error) {
	c.t.Helper()
	return c.completeIn(c.t.Context(), plan, runs)
}

func (c *collection) completeIn(ctx context.Context, plan Plan, runs int) ([]string, *Folder, error) {
	c.t.Helper()
	folder, err := OpenFolder(c.dir, Filter{})
	require.NoError(c.t, err)
	s := c.made.source()
	require.NoError(c.t, folder.Gather(c.t.Context(), s, Issues{}))
	for i := range folder.Parts {
		if inst := folder.Parts[i].Instance; inst != nil {
			inst.Env = &bench.Env{Python: "3.11", Packages: c.packages[inst.ID], Framework: "pytest", Test: "run", Reports: []string{"$ASSAY_REPORTS/*"}}
		}
	}
	fake := &harnesstest.Fake{Handle: c.machine.handle}
	clock := time.Time{}
	v := Validator{Runs: runs, Fitter: c.fitter, Now: func() time.Time { clock = clock.Add(time.Second); return clock }, Judge: tasks.Judge{Machine: languages.Machine{
		Runner: fake, Preparer: preparer{fake, c.fails, c.unless}, Secret: []byte("secret"), Sources: &mirror.Store{Dir: filepath.Dir(filepath.Dir(c.made.dir))},
		Pythons: []languages.Interpreter{{Version: "3.11"}},
	}}}
	failed := folder.Complete(ctx, v, []Source{s}, plan)
	data, err := os.ReadFile(filepath.Join(c.dir, instancesFile))
	require.NoError(c.t, err)
	var ids []string
	for line := range strings.Lines(string(data)) {
		var inst bench.Instance
		require.NoError(c.t, inst.UnmarshalJSON([]byte(line)))
		ids = append(ids, inst.ID)
	}
	return ids, folder, failed
}

func TestComplete(t *testing.T) {
	c := newCollection(t, "valid", "nothing", "broken", "flaky", "insane", "shaky", "hangs")
	ids, folder, err := c.complete(Plan{Jobs: 1}, 3)
	require.NoError(t, err)
	require.Equal(t, []string{"owner__name-6", "owner__name-1"}, ids, "newest first")
	why := map[string]Reason{}
	by := map[string]Checked{}
	for _, d := range folder.Checked {
		why[d.ID], by[d.ID] = d.Dropped, d
	}
	require.Equal(t, map[string]Reason{
		"owner__name-1": "", "owner__name-2": NoF2P, "owner__name-3": NoF2P, "owner__name-4": OnlyFlaky, "owner__name-5": NotSane, "owner__name-6": "", "owner__name-7": GoldFails,
	}, why)
	require.Equal(t, "2 of 4 tests pass with gold", by["owner__name-5"].Detail)
	require.Equal(t, []string{"tests/t.py::test_old"}, by["owner__name-6"].Flaky, "set aside")
	require.Empty(t, by["owner__name-6"].PassToPass)
	one := by["owner__name-1"]
	require.Equal(t, []string{"tests/t.py::test_new"}, one.FailToPass)
	require.Equal(t, []string{"tests/t.py::test_old"}, one.PassToPass)
	require.Equal(t, States{bench.Missing, bench.Failed, bench.Passed}, one.States["tests/t.py::test_new"])
	require.Equal(t, 3, one.Runs)
	require.Len(t, folder.SetUps, 7)
	require.Equal(t, "environment", folder.SetUps[0].Environment)

	costs, err := folder.Costs()
	require.NoError(t, err)
	require.Len(t, costs, 1)
	require.Equal(t, 7, costs[0].Instances)
	require.Positive(t, costs[0].SetUp)
	require.Positive(t, costs[0].Validate)

	// Nothing is done twice; fewer runs than wanted are done again.
	jobs := len(c.machine.jobs)
	again, _, err := c.complete(Plan{Jobs: 1}, 2)
	require.NoError(t, err)
	require.Equal(t, ids, again)
	require.Len(t, c.machine.jobs, jobs)
	_, _, err = c.complete(Plan{Jobs: 1}, 4)
	require.NoError(t, err)
	require.Greater(t, len(c.machine.jobs), jobs)
}

// TestBeforeRuns: the tests before the change run as often as the others, and
// their worst status counts.
func TestBeforeRuns(t *testing.T) {
	for runs, want := range map[int]bench.Status{1: bench.Passed, 3: bench.Error} {
		c := newCollection(t)
		c.made.commit("second", "tests/test_a.py", "# scenario early\n")
		c.made.commit("Fix what was wrong there, fixes #900", "src/b.py", "x\n", "tests/test_a.py", "# scenario valid\n")
		ids, folder, err := c.complete(Plan{Jobs: 1}, runs)
		require.NoError(t, err)
		require.Len(t, ids, 1)
		require.Equal(t, States{want, bench.Passed, bench.Passed}, folder.Checked[0].States["tests/t.py::test_old"])
		n := 0
		for _, j := range c.machine.jobs {
			if j == "early false" {
				n++
			}
		}
		require.Equal(t, runs, n)
	}
}

// TestCompleteGrows: a limit is per commit up to which the history counted, and
// the number of jobs makes no difference.
func TestCompleteGrows(t *testing.T) {
	var want []string
	for _, jobs := range []int{1, 3} {
		c := newCollection(t, "valid", "valid", "nothing", "valid", "valid")
		ids, _, err := c.complete(Plan{Jobs: jobs, Limit: 2}, 1)
		require.NoError(t, err)
		require.Equal(t, []string{"owner__name-5", "owner__name-4"}, ids)
		for range 3 {
			c.add("valid")
		}
		ids, _, err = c.complete(Plan{Jobs: jobs, Limit: 2}, 1)
		require.NoError(t, err)
		require.Equal(t, []string{"owner__name-5", "owner__name-4", "owner__name-8", "owner__name-7"}, ids)
		if want == nil {
			want = ids
		}
		require.Equal(t, want, ids)
	}
}

func TestSetUpFails(t *testing.T) {
	c := newCollection(t, "valid", "valid", "valid", "valid")
	c.fails["owner__name-4"] = "E: Unable to locate package libfoo"
	c.fails["owner__name-3"] = "error: a.cpp:1\nmake: *** [all] Error 2"
	ids, folder, err := c.complete(Plan{Jobs: 1, GiveUp: 2}, 1)
	require.NoError(t, err)
	require.Empty(t, ids, "two in a row are enough")
	require.Len(t, folder.SetUps, 2)
	require.Equal(t, SetUpDependency, folder.SetUps[0].Dropped)
	require.Equal(t, SetUpBuild, folder.SetUps[1].Dropped)
	ids, _, err = c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"owner__name-2", "owner__name-1"}, ids)
	counts := map[string]int{}
	for _, n := range folder.Funnel() {
		counts[string(n.Stage)+" "+string(n.Reason)] += n.N
	}
	require.Equal(t, 1, counts["set up set_up_build"])
}

// TestCompleteKeepsOthers: another repository's call, its runs and its limit
// leave a repository's results as they are.
func TestCompleteKeepsOthers(t *testing.T) {
	dir := t.TempDir()
	a := newCollectionOf(t, "owner/a", dir, "valid", "valid", "nothing", "valid")
	b := newCollectionOf(t, "owner/b", dir, "valid", "valid")
	ids, _, err := a.complete(Plan{Jobs: 1}, 2)
	require.NoError(t, err)
	require.Equal(t, []string{"owner__a-4", "owner__a-2", "owner__a-1"}, ids)
	both, folder, err := b.complete(Plan{Jobs: 1, Limit: 1}, 3)
	require.NoError(t, err)
	require.Equal(t, append(ids, "owner__b-2"), both)
	require.Len(t, folder.Checked, 5)
	all, _, err := b.complete(Plan{Jobs: 1, Limit: 1}, 3)
	require.NoError(t, err)
	require.Equal(t, both, all)

	limited, _, err := a.complete(Plan{Jobs: 1, Limit: 2}, 2)
	require.NoError(t, err)
	require.Equal(t, []string{"owner__a-4", "owner__a-2", "owner__b-2"}, limited)
	last, _, err := b.complete(Plan{Jobs: 1}, 3)
	require.NoError(t, err)
	require.Equal(t, append(limited, "owner__b-1"), last, "a's limit is still its own")
}

// TestCompleteInterrupted: results of fewer runs stay until others replace them.
func TestCompleteInterrupted(t *testing.T) {
	c := newCollection(t, "valid", "shaky", "valid")
	ids, _, err := c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"owner__name-3", "owner__name-2", "owner__name-1"}, ids)
	ctx, cancel := context.WithCancel(t.Context())
	c.machine.stop = map[string]func(){"shaky": cancel}
	again, folder, err := c.completeIn(ctx, Plan{Jobs: 1}, 3)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, ids, again)
	runs := map[string]int{}
	for _, r := range folder.Checked {
		runs[r.ID] = r.Runs
	}
	require.Equal(t, map[string]int{"owner__name-3": 3, "owner__name-2": 1, "owner__name-1": 1}, runs)
	c.machine.stop = nil
	_, folder, err = c.complete(Plan{Jobs: 1}, 3)
	require.NoError(t, err)
	for _, r := range folder.Checked {
		require.Equal(t, 3, r.Runs, r.ID)
	}
}

// TestGiveUpInOrder: jobs that went beyond the failures make no instances.
func TestGiveUpInOrder(t *testing.T) {
	for _, jobs := range []int{1, 2, 3, 5} {
		c := newCollection(t, "valid", "valid", "valid", "valid", "valid")
		c.fails["owner__name-4"], c.fails["owner__name-3"] = "no", "no"
		ids, _, err := c.complete(Plan{Jobs: jobs, GiveUp: 2}, 1)
		require.NoError(t, err)
		require.Equal(t, []string{"owner__name-5"}, ids, "%d jobs", jobs)
	}
}

// TestMachineFails: a failure of the machine is not recorded as a fact about an
// instance.
func TestMachineFails(t *testing.T) {
	c := newCollection(t, "valid")
	c.machine.down = true
	ids, folder, err := c.complete(Plan{Jobs: 1}, 1)
	require.ErrorContains(t, err, "the machine is down")
	require.Empty(t, ids)
	require.Empty(t, folder.Checked)
	c.machine.down = false
	ids, _, err = c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Equal(t, []string{"owner__name-1"}, ids)
}

func TestCauseOf(t *testing.T) {
	failed := func(end harness.End, text string) error {
		return fmt.Errorf("set-up: %w", &harness.BuildError{Result: harness.Result{End: end, Output: harness.Output{Head: []byte(text)}}})
	}
	for _, c := range []struct {
		err  error
		want Reason
	}{
		{failed(harness.TimedOut, ""), SetUpLimit},
		{failed(harness.Exited, "curl: (6) Could not resolve host: example.com"), SetUpDownload},
		{failed(harness.Exited, "ERROR: No matching distribution found for x"), SetUpDependency},
		{failed(harness.Exited, "[ERROR] COMPILATION ERROR :"), SetUpBuild},
		{failed(harness.Exited, "assay: no test ran offline"), SetUpTests},
		{failed(harness.Exited, "what"), SetUpOther},
		{errors.New("else"), SetUpOther},
	} {
		got, _ := causeOf(c.err)
		require.Equal(t, c.want, got, c.err)
	}
	require.Equal(t, "end", lastLines(strings.Repeat("x", 700)+"\nend", "", 600))
}

// TestUnmentioned: names that both patches add and nothing else has.
func TestUnmentioned(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "def known_name():\n    pass\n", "tests/test_a.py", "pass\n")
	r.commit("Add said_name to it, fixes #1", "src/a.py", "def known_name():\n    pass\n\n\n# word_in_comment\ndef secret_name(said_name, only_gold):\n    known_name()\n",
		"tests/test_a.py", "# word_in_comment\nsecret_name(said_name=known_name, only_test=1)\n")
	parts := split(t, r, Filter{})
	names, err := r.source().Unmentioned(t.Context(), parts[0].Instance)
	require.NoError(t, err)
	require.Equal(t, []string{"secret_name"}, names)
}
