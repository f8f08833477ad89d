package tasks

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestUnlistedFailures: what passes with gold and fails with a submission is
// reported where no published id stands for it, and only for resolved
// submissions.
func TestUnlistedFailures(t *testing.T) {
	inst := &bench.Instance{ID: "i", Language: languages.Python, FailToPass: bench.TestIDs{"tests/test_a.py"}, PassToPass: bench.TestIDs{"tests/test_b.py::listed"}}
	run := func(status map[string]bench.Status) languages.Outcome {
		o := languages.Outcome{Run: bench.Run{Name: submissionRun, State: bench.RunDone}}
		for _, id := range []string{"tests/test_a.py::a", "tests/test_b.py::listed", "tests/test_b.py::one", "tests/test_b.py::two", "tests/test_b.py::skipped", "tests/test_b.py::broken"} {
			s := bench.Passed
			if set, ok := status[id]; ok {
				s = set
			}
			o.Tests = append(o.Tests, bench.Test{ID: id, Status: s})
		}
		return o
	}
	gold := run(map[string]bench.Status{"tests/test_b.py::skipped": bench.Skipped, "tests/test_b.py::broken": bench.Failed})
	c := control{unlisted: unlisted(inst, gold)}
	require.Equal(t, []string{"tests/test_b.py::one", "tests/test_b.py::two"}, c.unlisted)

	flags := func(verdict bench.Verdict, o languages.Outcome) []bench.Flag {
		r := bench.Result{Verdict: verdict, BugFix: &bench.BugFix{}}
		c.note(&r, inst, Outcomes{submissionRun: {Outcome: o}})
		return r.Flags
	}
	fails := run(map[string]bench.Status{"tests/test_b.py::two": bench.Error, "tests/test_b.py::one": bench.Failed, "tests/test_b.py::broken": bench.Failed})
	require.Equal(t, []bench.Flag{{Kind: FlagUnlisted, Detail: "tests fail that pass with the gold patch, and no published id names them (2): tests/test_b.py::one, tests/test_b.py::two"}},
		flags(bench.Resolved, fails))
	require.Empty(t, flags(bench.Unresolved, fails), "the verdict says it already")
	require.Empty(t, flags(bench.Resolved, run(map[string]bench.Status{"tests/test_b.py::one": bench.Skipped, "tests/test_b.py::broken": bench.Failed})))
	require.Empty(t, flags(bench.Resolved, gold))
}

// TestUnlistedAll: a list that names every test leaves none.
func TestUnlistedAll(t *testing.T) {
	inst := &bench.Instance{Language: languages.Java, FailToPass: bench.TestIDs{"com.x.ATest"}, PassToPass: bench.TestIDs{"com.x.BTest"}}
	o := languages.Outcome{Run: bench.Run{Tests: []bench.Test{{ID: "com.x.ATest::a", Status: bench.Passed}, {ID: "com.x.BTest::b", Status: bench.Passed}}}}
	require.Empty(t, unlisted(inst, o))
}

// TestOverlooked: where no published id stands for a test of the hidden test
// patch's files, those of them count that pass with gold.
func TestOverlooked(t *testing.T) {
	hidden := func(paths ...string) string {
		var b strings.Builder
		for _, p := range paths {
			b.WriteString("diff --git a/" + p + " b/" + p + "\n--- a/" + p + "\n+++ b/" + p + "\n@@ -1 +1 @@\n-a\n+b\n")
		}
		return b.String()
	}
	ran := func(tests ...bench.Test) languages.Outcome {
		return languages.Outcome{Run: bench.Run{State: bench.RunDone, Tests: tests}}
	}
	java := ran(
		bench.Test{ID: "com.x.ReadersTest::a", Status: bench.Passed}, bench.Test{ID: "com.x.ReadersTest::b[1]", Status: bench.Passed},
		bench.Test{ID: "com.x.ReadersTest::b[2]", Status: bench.Failed}, bench.Test{ID: "com.x.ReadersTest::c[0]", Status: bench.Passed},
		bench.Test{ID: "com.x.ReadersTest::c[1]", Status: bench.Skipped}, bench.Test{ID: "com.y.OtherTest::a", Status: bench.Passed},
	)
	python := ran(bench.Test{ID: "tests/test_a.py::test_a", Status: bench.Passed}, bench.Test{ID: "tests/test_b.py::test_b", Status: bench.Passed})
	const readers = "core/src/test/java/com/x/ReadersTest.java"
	for name, c := range map[string]struct {
		language string
		files    []string
		f2p, p2p bench.TestIDs
		gold     languages.Outcome
		want     []string
	}{
		"only other modules":  {languages.Java, []string{readers}, bench.TestIDs{"com.y.OtherTest"}, nil, java, []string{"com.x.ReadersTest::a", "com.x.ReadersTest::c"}},
		"named":               {languages.Java, []string{readers}, bench.TestIDs{"com.y.OtherTest", "com.x.ReadersTest"}, nil, java, nil},
		"named as p2p":        {languages.Java, []string{readers}, bench.TestIDs{"com.y.OtherTest"}, bench.TestIDs{"com.x.ReadersTest"}, java, nil},
		"one file of two":     {languages.Python, []string{"tests/test_a.py", "tests/test_b.py"}, bench.TestIDs{"tests/test_a.py"}, nil, python, nil},
		"another file":        {languages.Python, []string{"tests/test_a.py"}, bench.TestIDs{"tests/test_b.py"}, nil, python, []string{"tests/test_a.py::test_a"}},
		"files without tests": {languages.Python, []string{"tests/data.txt"}, bench.TestIDs{"tests/test_b.py"}, nil, python, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inst := &bench.Instance{ID: "i", Language: c.language, TestPatch: hidden(c.files...), FailToPass: c.f2p, PassToPass: c.p2p}
			require.Equal(t, c.want, overlooked(inst, c.gold))
			judged := control{overlooked: c.want}.task(Task{Instance: inst}).Instance
			require.Equal(t, append(slices.Clone(c.p2p), c.want...), judged.PassToPass)
			r := bench.Result{}
			control{overlooked: c.want}.note(&r, inst, nil)
			require.Equal(t, c.want != nil, len(r.Flags) == 1)
		})
	}
	require.Nil(t, overlooked(&bench.Instance{Language: languages.Java, TestPatch: "no patch"}, java))
}
