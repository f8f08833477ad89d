package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/tasks"
)

// TestStrengthLines: what authors see of their hidden tests.
func TestStrengthLines(t *testing.T) {
	got := strengthLines(tasks.Strength{
		Coverage: &bench.ChangeCoverage{Removed: bench.LineCounts{Executable: 2, Covered: 2}, Added: bench.LineCounts{Executable: 3, Covered: 1}, Missed: []string{"+a.py:3", "+a.py:4"}},
		Eligible: []int{1, 2}, Killed: []int{1}, Survivors: []bench.Survivor{{Index: 2, Reached: []string{"a.py:7"}}, {Index: 5, Reached: []string{}}, {Index: 6}}, Problem: "odd",
	})
	require.Equal(t, []string{
		"cover 3 of 5 executable lines of the gold patch", "never run +a.py:3, +a.py:4", "odd", "kill 1 of 2 eligible bad patches",
		"bad patch 2 survives though they run a.py:7: no assertion sees it", "bad patch 5 survives: they do not run what it changes",
		"bad patch 6 survives: whether they run what it changes was not measured",
	}, got)
	require.Equal(t, "x, x, x, x, x, x, x, x, x, x and 2 more", shortened(strings.Split(strings.Repeat("x", 12), "")))
}

// TestHiddenTestsAreMeasured: the real binary on a project whose hidden test runs
// all of gold except one branch, and does not look at what the second bad patch
// changes.
func TestHiddenTestsAreMeasured(t *testing.T) {
	w := newWorld(t)
	gold := shopBase + "\n\ndef count(text, log):\n    if not text:\n        return 0\n    log.append(text)\n    return len(names(text))\n"
	base := map[string]string{"shop.py": shopBase, "tests/test_shop.py": "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n"}
	own, _ := w.own(t, victim, project{
		base: base, gold: map[string]string{"shop.py": gold},
		hidden: map[string]string{"tests/test_shop.py": base["tests/test_shop.py"] + "\n\ndef test_count():\n    assert shop.count('a,b', []) == 2\n"},
		bad:    map[string]string{"shop.py": strings.Replace(gold, "len(names(text))", "1", 1)},
		f2p:    []string{"tests/test_shop.py::test_count"}, p2p: []string{"tests/test_shop.py::test_total"},
		change: func(in *bench.Instance) {
			silent := map[string]string{"shop.py": strings.Replace(gold, "log.append(text)", "log.append('')", 1)}
			in.BadPatches = append(in.BadPatches, bench.BadPatch{Index: 2, Patch: between(base, silent), Level: bench.LevelPassesAll})
		},
	})
	code, out := own.assay(t, own.on("validate", "-d", own.paths.Dataset, "--coverage")...)
	require.Equal(t, exitDone, code, out)
	for _, line := range []string{
		"cover 4 of 5 executable lines of the gold patch", "never run +shop.py:11", "kill 1 of 1 eligible bad patches",
		"bad patch 2 survives though they run shop.py:10, shop.py:12, shop.py:13: no assertion sees it",
	} {
		require.Contains(t, out, line)
	}
}
