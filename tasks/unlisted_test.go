package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestUnlistedFailures: what passes with gold and fails with a submission is
// told where no published id stands for it, and only for resolved submissions.
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
