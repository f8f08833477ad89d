package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/report"
)

// TestFilter: the real binary on one instance. Its hidden tests as generated
// ones keep gold and drop the bad patch; a suite that fails on all code keeps
// nothing, so that one vote of two is the best.
func TestFilter(t *testing.T) {
	w := newWorld(t)
	base := map[string]string{"shop.py": shopBase, "tests/test_shop.py": "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n"}
	fix := map[string]string{"shop.py": shopBase + "\n\ndef count(text):\n    return len(names(text))\n"}
	wrong := map[string]string{"shop.py": shopBase + "\n\ndef count(text):\n    return 1\n"}
	hidden := map[string]string{"tests/test_shop.py": base["tests/test_shop.py"] + "\n\ndef test_count():\n    assert shop.count('a,b') == 2\n"}
	useless := map[string]string{"tests/test_shop.py": base["tests/test_shop.py"] + "\n\ndef test_count():\n    assert False\n"}
	own, inst := w.own(t, victim, project{base: base, gold: fix, hidden: hidden, bad: wrong, f2p: []string{"tests/test_shop.py::test_count"}, p2p: []string{"tests/test_shop.py::test_total"}})
	dir := t.TempDir()
	write := func(name string, patches map[string]string) string {
		var lines []byte
		for _, model := range []string{"right", "wrong", "tests"} {
			if text, ok := patches[model]; ok {
				line, err := json.Marshal(bench.Prediction{InstanceID: inst.ID, Model: model, Patch: text})
				require.NoError(t, err)
				lines = append(lines, append(line, '\n')...)
			}
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, lines, 0o644))
		return path
	}
	fixes := write("fixes.jsonl", map[string]string{"right": between(base, fix), "wrong": between(base, wrong)})
	first := write("tests1.jsonl", map[string]string{"tests": between(base, hidden)})
	second := write("tests2.jsonl", map[string]string{"tests": between(base, useless)})
	out := filepath.Join(dir, "out")
	code, text := own.assay(t, own.on("filter", "-d", own.paths.Dataset, "--fixes", fixes, "--tests", first+","+second, "-o", out)...)
	require.Equal(t, exitDone, code, text)
	data, err := os.ReadFile(filepath.Join(out, "summary.json"))
	require.NoError(t, err)
	var f report.Filtering
	require.NoError(t, json.Unmarshal(data, &f))
	require.Len(t, f.Rows, 3)
	for i, want := range []struct {
		fixes string
		kept  []int
	}{{report.AllFixes, []int{2, 1, 0}}, {"right", []int{1, 1, 0}}, {"wrong", []int{1, 0, 0}}} {
		require.Equal(t, want.fixes, f.Rows[i].Fixes)
		for votes, kept := range want.kept {
			require.Equal(t, kept, f.Rows[i].Thresholds[votes].Kept, "%s, %d votes", want.fixes, votes)
		}
	}
}
