package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

func TestDifferences(t *testing.T) {
	id := func(name string) string { return "tests/test_a.py::" + name }
	inst := &bench.Instance{
		Language: "python",
		FailToPass: bench.TestIDs{
			id("fixed"), id("easy"), id("broken"), id("gone"), id("moody"),
		},
		PassToPass: bench.TestIDs{id("kept"), id("new"), id("net"), id("at[<X at 0x7f00aa11bb22>]")},
	}
	run := func(statuses map[string]bench.Status, said map[string]string) languages.Outcome {
		o := languages.Outcome{Run: bench.Run{State: bench.RunDone}, Said: said}
		for name, s := range statuses {
			o.Tests = append(o.Tests, bench.Test{ID: id(name), Status: s})
		}
		return o
	}
	base := run(map[string]bench.Status{
		"fixed": bench.Failed, "easy": bench.Passed, "broken": bench.Failed, "moody": bench.Failed,
		"kept": bench.Passed, "new": bench.Error, "net": bench.Failed, "at[<X at 0x7f00aa11bb33>]": bench.Passed,
	}, nil)
	after := map[string]bench.Status{
		"fixed": bench.Passed, "easy": bench.Passed, "broken": bench.Failed, "moody": bench.Passed,
		"kept": bench.Passed, "new": bench.Passed, "net": bench.Failed, "at[<X at 0x7f00aa11bb44>]": bench.Passed,
	}
	gold := run(after, map[string]string{id("net"): "Traceback\nE OSError: no network"})
	after["moody"] = bench.Failed
	second := run(after, gold.Said)

	var got []string
	for _, d := range differences(inst, []languages.Outcome{base, base}, []languages.Outcome{gold, second}) {
		got = append(got, d.List+" "+d.ID[len("tests/test_a.py::"):]+": "+d.Why)
	}
	require.Equal(t, []string{
		"FAIL_TO_PASS broken: it does not pass with gold (failed)",
		"FAIL_TO_PASS easy: it passes on base too",
		"FAIL_TO_PASS gone: with gold no test with this id ran",
		"FAIL_TO_PASS moody: with gold it passes in some runs only",
		"PASS_TO_PASS at[<X at 0x7f00aa11bb22>]: its id holds what changes from run to run; it is matched by pattern",
		"PASS_TO_PASS net: it does not pass with gold (failed): OSError: no network",
		"PASS_TO_PASS new: it does not pass on base (error): measured, it is fail-to-pass",
	}, got)
}

// A test that fails with gold as well is never said to pass on base.
func TestClassThatFailsWithGoldDoesNotPassOnBase(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py"}}
	o := outcomeOf(bench.RunDone, python("x", bench.Passed), python("y", bench.Failed))
	found := differences(inst, []languages.Outcome{o}, []languages.Outcome{o})
	require.Len(t, found, 1)
	require.NotContains(t, found[0].Why, "passes on base")
}

func TestUnpublished(t *testing.T) {
	inst := &bench.Instance{Language: "python", FailToPass: bench.TestIDs{"tests/test_a.py"}, PassToPass: bench.TestIDs{"tests/test_b.py::x"}}
	require.Equal(t, 2, unpublished(Task{Instance: inst}.Language(), inst, []string{"tests/test_a.py::f"}, []string{"tests/test_b.py::x", "tests/test_b.py::y", "tests/test_c.py::z"}))
	require.Equal(t, 2, unpublished(Task{Instance: inst}.Language(), inst, []string{"tests/test_0.py::f"}, []string{"tests/test_c.py::z"}), "the first and the last")
}
