package tasks

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// edits is a patch that changes a line of each file.
func edits(paths ...string) string {
	var b strings.Builder
	for _, p := range paths {
		b.Write(patch.Between(p, []byte("a\n"), []byte("b\n")))
	}
	return b.String()
}

// TestDivide: gold's paths are source and the hidden tests' paths are tests,
// by any name; the rest is sorted by name.
func TestDivide(t *testing.T) {
	type parts struct{ source, tests, runner []string }
	for name, c := range map[string]struct {
		gold, hidden, submitted []string
		plain, fixtures         parts // for a fix, and for generated tests
	}{
		"by name": {
			nil, nil, []string{"lib/a.py", "tests/test_a.py", "pytest.ini", "setup.py", "README.md"},
			parts{[]string{"README.md", "lib/a.py", "setup.py"}, []string{"tests/test_a.py"}, []string{"pytest.ini"}},
			parts{[]string{"README.md", "lib/a.py", "setup.py"}, []string{"tests/test_a.py"}, []string{"pytest.ini"}},
		},
		"gold touches a test": {
			[]string{"tests/test_a.py"}, nil, []string{"tests/test_a.py", "tests/test_b.py"},
			parts{[]string{"tests/test_a.py"}, []string{"tests/test_b.py"}, nil},
			parts{[]string{"tests/test_a.py"}, []string{"tests/test_b.py"}, nil},
		},
		"gold touches a runner's file": {
			[]string{"conftest.py"}, nil, []string{"conftest.py", "lib/conftest.py"},
			parts{[]string{"conftest.py"}, nil, []string{"lib/conftest.py"}},
			parts{[]string{"conftest.py"}, nil, []string{"lib/conftest.py"}},
		},
		"gold touches a fixture": {
			[]string{"tests/conftest.py"}, nil, []string{"tests/conftest.py"},
			parts{[]string{"tests/conftest.py"}, nil, nil},
			parts{[]string{"tests/conftest.py"}, nil, nil},
		},
		"hidden tests touch a runner's file": {
			nil, []string{"conftest.py"}, []string{"conftest.py"},
			parts{nil, []string{"conftest.py"}, nil},
			parts{nil, []string{"conftest.py"}, nil},
		},
		"hidden tests touch what looks like source": {
			nil, []string{"lib/check.py"}, []string{"lib/check.py", "lib/a.py"},
			parts{[]string{"lib/a.py"}, []string{"lib/check.py"}, nil},
			parts{[]string{"lib/a.py"}, []string{"lib/check.py"}, nil},
		},
		"both touch it": {
			[]string{"tests/helper.py"}, []string{"tests/helper.py"}, []string{"tests/helper.py"},
			parts{[]string{"tests/helper.py"}, nil, nil},
			parts{[]string{"tests/helper.py"}, nil, nil},
		},
		"fixtures beside tests and beside code": {
			nil, nil, []string{"tests/conftest.py", "lib/conftest.py"},
			parts{nil, nil, []string{"lib/conftest.py", "tests/conftest.py"}},
			parts{nil, []string{"tests/conftest.py"}, []string{"lib/conftest.py"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			inst := &bench.Instance{Language: "python", Patch: edits(c.gold...), TestPatch: edits(c.hidden...)}
			for fixtures, want := range map[bool]parts{false: c.plain, true: c.fixtures} {
				s, err := Divide(Task{Instance: inst}, edits(c.submitted...), fixtures)
				require.NoError(t, err)
				require.ElementsMatch(t, want.source, s.Source.Paths(), "source, fixtures %t", fixtures)
				require.ElementsMatch(t, want.tests, s.Tests.Paths(), "tests, fixtures %t", fixtures)
				require.ElementsMatch(t, want.runner, s.Runner.Paths(), "runner, fixtures %t", fixtures)
			}
		})
	}
}

// TestDivideFlags: what may affect judging is reported, with its path.
func TestDivideFlags(t *testing.T) {
	inst := &bench.Instance{Language: "python", Patch: edits("setup.cfg")}
	s, err := Divide(Task{Instance: inst}, edits("lib/a.py", "setup.py", "setup.cfg", "tests/conftest.py", "tests/test_a.py", "tox.ini"), true)
	require.NoError(t, err)
	require.ElementsMatch(t, []bench.Flag{
		{Kind: "build_files", Path: "setup.cfg", Detail: "applied; it may change how tests run"},
		{Kind: "build_files", Path: "setup.py", Detail: "applied; it may change how tests run"},
		{Kind: "fixtures", Path: "tests/conftest.py", Detail: "it acts on the test runner"},
		{Kind: "runner_files", Path: "tox.ini", Detail: "split off: only a test runner reads it"},
	}, s.Flags)
	_, err = Divide(Task{Instance: inst}, "--- a/x\n+++ b/x\n@@ what\n", false)
	require.Error(t, err)
}

// TestCodeOf: a dataset's patch counts as a submission of the same text would.
func TestCodeOf(t *testing.T) {
	inst := &bench.Instance{Language: "python", Patch: edits("lib/a.py"), TestPatch: edits("tests/test_a.py")}
	code := CodeOf(Task{Instance: inst}, edits("lib/a.py", "tests/test_a.py", "tests/conftest.py", "conftest.py", "setup.py"))
	require.ElementsMatch(t, []string{"lib/a.py", "setup.py"}, patch.PathsIn(code))
	const broken = "--- a/x\n+++ b/x\n@@ what\n"
	require.Equal(t, broken, CodeOf(Task{Instance: inst}, broken), "its run tells that it does not parse")
	require.Empty(t, CodeOf(Task{Instance: inst}, ""))
}

func TestIsFixture(t *testing.T) {
	for path, want := range map[string]bool{
		"tests/conftest.py": true, "tests/unit/conftest.py": true, "conftest.py": false, "lib/conftest.py": false, "tests/test_conftest.py": false,
	} {
		require.Equal(t, want, isFixture(Task{Instance: &bench.Instance{Language: "python"}}.Language(), path), path)
	}
}

// TestRefusedPatches: a hostile path is quoted, so that it breaks no output.
func TestRefusedPatches(t *testing.T) {
	plan := BugFix{}.Plan(Task{Instance: instance()}, bench.Prediction{Patch: "--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n"})
	require.Equal(t, bench.InvalidPatch, plan.Early)
	require.Len(t, plan.Flags, 1)
	require.Equal(t, "unsafe_path", plan.Flags[0].Kind)
	require.Equal(t, "../x", plan.Flags[0].Path)
	require.NotEmpty(t, plan.Flags[0].Detail)
	require.NotEmpty(t, plan.Reason)
	require.Equal(t, `a\x1bb\"c`, printable("a\x1bb\"c"))
	plan = BugFix{}.Plan(Task{Instance: instance()}, bench.Prediction{Patch: "--- a/x\n+++ b/x\n@@ what\n"})
	require.Equal(t, bench.InvalidPatch, plan.Early)
	require.NotEmpty(t, plan.Reason)
	require.Empty(t, plan.Flags)
}

// TestBugFixPlans: what of a submission is applied, and what is reported.
func TestBugFixPlans(t *testing.T) {
	task := Task{Kind: "bugfix", Instance: instance()}
	plan := BugFix{}.Plan(task, bench.Prediction{Patch: goldPatch + testPatch})
	require.Empty(t, plan.Early)
	require.Len(t, plan.Runs, 1)
	run := plan.Runs[0]
	require.Equal(t, []string{"lib/a.py"}, patch.PathsIn(run.Code))
	require.Equal(t, testPatch, run.Tests)
	require.Equal(t, submissionRun, run.Name)
	require.False(t, run.Contributed || run.Existing || run.Lint != nil)
	require.Empty(t, run.Start)
	require.Equal(t, []bench.Flag{{Kind: "test_hunks", Path: "tests/test_a.py", Detail: "split off: hidden tests take their place"}}, plan.Flags)
	none := BugFix{}.Plan(task, bench.Prediction{Patch: testPatch})
	require.Equal(t, bench.Unresolved, none.Early)
	require.Equal(t, "the patch changes nothing but tests and files of the test runner", none.Reason)
	runner := BugFix{}.Plan(task, bench.Prediction{Patch: edits("tox.ini")})
	require.Equal(t, bench.Unresolved, runner.Early, "it is not empty")
	empty := BugFix{}.Plan(task, bench.Prediction{})
	require.Equal(t, bench.EmptyPatch, empty.Early)
	require.Equal(t, "the patch is empty", empty.Reason)
	require.False(t, BugFix{}.Settled(task, Outcomes{}))
	require.True(t, BugFix{}.Settled(task, Outcomes{submissionRun: {}}))
	require.False(t, Review{}.Settled(task, Outcomes{}))
	require.True(t, Review{}.Settled(task, Outcomes{submissionRun: {}}))
}
