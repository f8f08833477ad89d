package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/languages"
	"assay/report"
	"assay/tasks"
)

// dataset writes plain instances and returns a selection of them.
func dataset(t *testing.T, ids ...string) Selection {
	t.Helper()
	var out strings.Builder
	for _, id := range ids {
		inst := bench.Instance{
			ID: id, Repo: "o/r", BaseCommit: "0123456789", Language: "python", Patch: "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n",
			TestPatch: "--- a/test_a.py\n+++ b/test_a.py\n@@ -1 +1 @@\n-a\n+b\n", FailToPass: bench.TestIDs{"test_a.py::test_a"},
		}
		require.NoError(t, bench.WriteInstance(&out, inst))
	}
	return Selection{Name: "set", Path: textFile(t, "set.jsonl", out.String())}
}

func textFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// predictions writes a file of them: instance, model, kind of task.
func predictions(t *testing.T, list ...[3]string) string {
	t.Helper()
	var out strings.Builder
	for _, p := range list {
		require.NoError(t, bench.WritePrediction(&out, bench.Prediction{InstanceID: p[0], Model: p[1], Task: p[2], Patch: ""}))
	}
	return textFile(t, "predictions.jsonl", out.String())
}

// pairs lists what is to be judged.
func pairs(ev *Evaluation) []string {
	var out []string
	for i := range ev.Len() {
		out = append(out, ev.Name(i)+" by "+ev.Model(i))
	}
	return out
}

// plain is a kind of another name that judges as bugfix does.
type plain struct {
	tasks.BugFix
	name string
}

func (p plain) Name() string { return p.name }

func (p plain) Build(inst *bench.Instance) ([]tasks.Task, error) {
	return []tasks.Task{{Kind: p.name, Instance: inst}}, nil
}

// TestManyKinds: any number of kinds can be registered.
func TestManyKinds(t *testing.T) {
	parts := Default()
	want := []string{"bugfix/a-1 by gold", "testgen/a-1 by gold"}
	for i := range 20 {
		k := plain{name: fmt.Sprintf("kind%d", i)}
		require.NoError(t, parts.Kinds.Register(k))
		want = append(want, k.name+"/a-1 by gold")
	}
	ev, err := Read(t.Context(), parts, Options{Selection: dataset(t, "a-1"), Gold: true})
	require.NoError(t, err)
	defer ev.Close()
	require.Equal(t, want, pairs(ev))
	require.Equal(t, map[string]int{"review": 1, "style": 1}, ev.NotBuilt)
	for i := range ev.Len() {
		task, p, err := ev.Load(t.Context(), languages.Machine{}, i)
		require.NoError(t, err)
		require.Equal(t, ev.Kind(i).Name(), task.Kind)
		require.False(t, ev.NeedsMachine(i))
		require.NotEmpty(t, p.Patch)
	}
}

func TestPairs(t *testing.T) {
	set := dataset(t, "a-1", "b-2")
	for name, c := range map[string]struct {
		options Options
		want    []string
		unknown int
		err     string
	}{
		"predictions are for the first kind": {Options{Predictions: []string{predictions(t, [3]string{"b-2", "m", ""})}}, []string{"bugfix/b-2 by m"}, 0, ""},
		"or for the kind they name": {Options{Predictions: []string{predictions(t, [3]string{"a-1", "m", "testgen"}, [3]string{"a-1", "m", ""})}},
			[]string{"testgen/a-1 by m", "bugfix/a-1 by m"}, 0, ""},
		"other kinds can be left out":     {Options{Tasks: []string{"bugfix"}, Predictions: []string{predictions(t, [3]string{"a-1", "m", "testgen"})}}, nil, 0, ""},
		"of instances that are not there": {Options{Predictions: []string{predictions(t, [3]string{"c-3", "m", ""})}}, nil, 1, ""},
		"of a kind that is not there":     {Options{Predictions: []string{predictions(t, [3]string{"a-1", "m", "cooking"})}}, nil, 0, `task kind "cooking" is not known`},
		"one twice": {Options{Predictions: []string{predictions(t, [3]string{"a-1", "m", ""}), predictions(t, [3]string{"a-1", "m", "bugfix"})}}, nil, 0,
			"was submitted to bugfix already"},
		"empty ones":                 {Options{Empty: true, Tasks: []string{"testgen"}}, []string{"testgen/a-1 by empty", "testgen/b-2 by empty"}, 0, ""},
		"an agent's":                 {Options{Agent: "autofix"}, nil, 0, ""},
		"nothing":                    {Options{}, nil, 0, "expected exactly one of"},
		"two things":                 {Options{Gold: true, Empty: true}, nil, 0, "expected exactly one of"},
		"an agent that nobody knows": {Options{Agent: "bond"}, nil, 0, `agent "bond" is not known (known: autofix, gold, empty, `},
		"a kind that nobody knows":   {Options{Gold: true, Tasks: []string{"cooking"}}, nil, 0, `task kind "cooking" is not known`},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Selection = set
			ev, err := Read(t.Context(), Default(), c.options)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			defer ev.Close()
			require.Equal(t, c.want, pairs(ev))
			require.Equal(t, c.unknown, ev.Unknown)
		})
	}
}

// fake is a driver that runs nothing.
type fake struct {
	harnesstest.Fake
	name   string
	closed int
}

func (f *fake) Name(context.Context, harness.Recipe) (string, error) { return f.name, nil }
func (f *fake) Close() error                                         { f.closed++; return nil }

// machineOn opens a machine on a driver that runs nothing.
func machineOn(t *testing.T, cache string) (*Machine, *fake) {
	t.Helper()
	d := &fake{name: "env:1"}
	m, err := OpenMachine(d, MachineOptions{Executor: "fake", Cache: cache})
	require.NoError(t, err)
	return m, d
}

// evaluate judges empty submissions in a folder, and returns the figures.
func evaluate(t *testing.T, parts Parts, o Options, cache string) (*report.Summary, error) {
	t.Helper()
	ev, err := Read(t.Context(), parts, o)
	require.NoError(t, err)
	defer ev.Close()
	m, d := machineOn(t, cache)
	folder, err := ev.OpenFolder(t.Context(), m, cache)
	if err != nil {
		return nil, err
	}
	s, err := ev.Judge(t.Context(), m, folder, nil)
	require.NoError(t, folder.Close())
	require.NoError(t, m.Close())
	require.Equal(t, 1, d.closed)
	return s, err
}

// TestFolder: a second call takes all results over, and a folder is for one input.
func TestFolder(t *testing.T) {
	cache, out := t.TempDir(), filepath.Join(t.TempDir(), "run")
	o := Options{Selection: dataset(t, "a-1", "b-2"), Empty: true, Tasks: []string{"bugfix"}, Jobs: 2, Output: out, Config: map[string]any{"executor": "fake"}}
	s, err := evaluate(t, Default(), o, cache)
	require.NoError(t, err)
	require.Equal(t, 2, s.Total.Verdicts[bench.EmptyPatch])
	before, err := os.ReadFile(filepath.Join(out, "results.jsonl"))
	require.NoError(t, err)
	for _, name := range []string{"config.yaml", "lock.json", "host.txt", "summary.json", "summary.md"} {
		require.FileExists(t, filepath.Join(out, name))
	}
	config, err := os.ReadFile(filepath.Join(out, "config.yaml"))
	require.NoError(t, err)
	require.Contains(t, string(config), "executor: fake\n")

	s, err = evaluate(t, Default(), o, cache)
	require.NoError(t, err)
	require.Equal(t, 2, s.Total.Verdicts[bench.EmptyPatch])
	after, err := os.ReadFile(filepath.Join(out, "results.jsonl"))
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))

	o.Tasks = []string{"testgen"}
	_, err = evaluate(t, Default(), o, cache)
	require.ErrorContains(t, err, "holds a run on other input")
}

// TestFolderIsNamedForItsInput: the same input gives the same folder.
func TestFolderIsNamedForItsInput(t *testing.T) {
	t.Chdir(t.TempDir())
	o := Options{Selection: dataset(t, "a-1"), Empty: true, Tasks: []string{"bugfix"}}
	cache := t.TempDir()
	for range 2 {
		_, err := evaluate(t, Default(), o, cache)
		require.NoError(t, err)
	}
	found, err := filepath.Glob("runs/set-empty-*")
	require.NoError(t, err)
	require.Len(t, found, 1)
}

func TestSelection(t *testing.T) {
	set := dataset(t, "a-1", "a-2", "b-1", "a-1")
	var notes strings.Builder
	set.Notes = &notes
	for name, c := range map[string]struct {
		include, exclude, want []string
	}{
		"all":         {nil, nil, []string{"a-1", "a-2", "b-1"}},
		"some":        {[]string{"a-*"}, nil, []string{"a-1", "a-2"}},
		"not some":    {nil, []string{"?-1"}, []string{"a-2"}},
		"not of some": {[]string{"a-*", "b-1"}, []string{"a-2"}, []string{"a-1", "b-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			set.Include, set.Exclude = c.include, c.exclude
			data, entries, err := set.List(t.Context())
			require.NoError(t, err)
			var got []string
			for _, e := range entries {
				got = append(got, e.ID)
			}
			require.Equal(t, c.want, got)
			require.NoError(t, data.Close())
		})
	}
	require.Contains(t, notes.String(), "a-1")
	set.Include = []string{"c"}
	_, _, err := set.List(t.Context())
	require.ErrorContains(t, err, "select no instance")
	require.ErrorContains(t, Selection{Exclude: []string{"["}}.Check(), `pattern "["`)
}

func TestBrokenRecords(t *testing.T) {
	set := dataset(t, "a-1")
	data, err := os.ReadFile(set.Path)
	require.NoError(t, err)
	set.Path = textFile(t, "broken.jsonl", string(data)+"{\"instance_id\":\n")
	_, _, err = set.List(t.Context())
	var problems *bench.Problems
	require.ErrorAs(t, err, &problems)
	set.SkipInvalid = true
	d, entries, err := set.List(t.Context())
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.True(t, d.Partial)
	require.NoError(t, d.Close())
}

// TestSecretIsKept: an installation has one secret.
func TestSecretIsKept(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "new")
	one, _ := machineOn(t, cache)
	two, _ := machineOn(t, cache)
	require.Len(t, one.Secret, 32)
	require.Equal(t, one.Secret, two.Secret)
	other, _ := machineOn(t, t.TempDir())
	require.NotEqual(t, one.Secret, other.Secret)
}

// TestMachineThatFailsClosesItsDriver: the cache is a file.
func TestMachineThatFailsClosesItsDriver(t *testing.T) {
	d := &fake{}
	_, err := OpenMachine(d, MachineOptions{Cache: textFile(t, "cache", "")})
	require.Error(t, err)
	require.Equal(t, 1, d.closed)
}

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "journal.jsonl")
	j, err := OpenJournal[[]string](path)
	require.NoError(t, err)
	_, ok, err := j.Get("a")
	require.NoError(t, err)
	require.False(t, ok)
	require.NoError(t, j.Put("a", []string{"<1>"}))
	require.NoError(t, j.Put("b", nil))
	require.NoError(t, j.Put("a", []string{"2"}))
	_, err = OpenJournal[[]string](path)
	require.ErrorContains(t, err, "another process is writing it")
	require.NoError(t, j.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "{\"key\":\"a\",\"made\":[\"<1>\"]}\n{\"key\":\"b\",\"made\":null}\n{\"key\":\"a\",\"made\":[\"2\"]}\n", string(data))

	require.NoError(t, os.WriteFile(path, append(data, "what\n{\"key\":\"c\",\"ma"...), 0o644))
	j, err = OpenJournal[[]string](path)
	require.NoError(t, err)
	got, ok, err := j.Get("a")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, []string{"2"}, got, "the last one counts")
	_, ok, err = j.Get("c")
	require.NoError(t, err)
	require.False(t, ok, "it was cut")
	require.NoError(t, j.Close())
}

// lengths measures ids, and returns the lines about them.
func lengths(t *testing.T, set Selection, path string, do func(string) (int, bool, error)) (*Resumable[int], *[]string) {
	t.Helper()
	data, entries, err := set.List(t.Context())
	require.NoError(t, err)
	j, err := OpenJournal[int](path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, errors.Join(data.Close(), j.Close())) })
	var said []string
	return &Resumable[int]{
		Data: data, Entries: entries, Journal: j, Settings: "s",
		Work: func(_ context.Context, inst bench.Instance) (int, string, bool, error) {
			n, keep, err := do(inst.ID)
			return n, inst.ID, keep, err
		},
		Watch: func(ctx context.Context, _ int) (context.Context, func(string)) {
			return ctx, func(line string) { said = append(said, line) }
		},
	}, &said
}

// TestResumable: work with a kept result is not done again, other work is.
func TestResumable(t *testing.T) {
	set, path := dataset(t, "a-1", "bb-2", "ccc-3"), filepath.Join(t.TempDir(), "j.jsonl")
	all := func(m *Resumable[int]) (made []int) {
		require.NoError(t, m.Each(func(n int) error { made = append(made, n); return nil }))
		return made
	}
	t.Run("first", func(t *testing.T) {
		m, said := lengths(t, set, path, func(id string) (int, bool, error) { return len(id), id != "bb-2", nil })
		require.NoError(t, m.Run(t.Context(), 1))
		require.Equal(t, []string{"a-1", "bb-2", "ccc-3"}, *said)
		require.Equal(t, 1, m.Failed())
		require.Equal(t, []int{3, 5}, all(m))
	})
	t.Run("again", func(t *testing.T) {
		m, said := lengths(t, set, path, func(id string) (int, bool, error) { return len(id), true, nil })
		require.NoError(t, m.Run(t.Context(), 1))
		require.Equal(t, []string{"", "bb-2", ""}, *said)
		require.Zero(t, m.Failed())
		require.Equal(t, []int{3, 4, 5}, all(m), "in the order of the dataset")
	})
	t.Run("with other settings", func(t *testing.T) {
		m, said := lengths(t, set, path, func(string) (int, bool, error) { return 0, true, nil })
		m.Settings = "other"
		require.NoError(t, m.Run(t.Context(), 1))
		require.Equal(t, []string{"a-1", "bb-2", "ccc-3"}, *said)
	})
}

// TestResumableEndsWithAnError: it would occur for the next instance too.
func TestResumableEndsWithAnError(t *testing.T) {
	gone := errors.New("no key")
	m, _ := lengths(t, dataset(t, "a-1", "b-2", "c-3", "d-4"), filepath.Join(t.TempDir(), "j.jsonl"), func(string) (int, bool, error) { return 0, false, gone })
	require.ErrorIs(t, m.Run(t.Context(), 1), gone)
}

// TestLongestFirst: what is not known comes first, then the longest.
func TestLongestFirst(t *testing.T) {
	items := []item{{seconds: 1}, {seconds: 3}, {}, {seconds: 2}}
	require.Zero(t, estimate(items), "of one it is not known")
	longestFirst(items)
	require.Equal(t, []item{{}, {seconds: 3}, {seconds: 2}, {seconds: 1}}, items)
	require.Equal(t, 6.0, estimate(items[1:]))
}
