package style

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/bench"
)

// many makes n findings of a rule in a file, lines counting from start.
func many(path, rule string, start, n int) []bench.Finding {
	var out []bench.Finding
	for i := range n {
		out = append(out, bench.Finding{Tool: "pylint", Rule: rule, Path: path, Range: bench.Range{Line: start + i}, Message: rule})
	}
	return out
}

func chosen(tasks []bench.StyleTask) []string {
	out := []string{}
	for _, t := range tasks {
		out = append(out, fmt.Sprintf("%s %d", strings.Join(t.Files, "+"), len(t.Findings)))
	}
	return out
}

func TestSelect(t *testing.T) {
	list := RuleFile{Linter: "pylint", Version: "4.1.4", Names: []string{"a", "b", "c", "z", "x", "y"}, Zealous: []string{"z"}, Conflicts: [][]string{{"x", "y"}}}
	spread := func(counts ...int) []bench.Finding {
		var out []bench.Finding
		for i, n := range counts {
			for k := range n {
				out = append(out, many(fmt.Sprintf("f%d.py", i), string("abc"[k%3]), k+1, 1)...)
			}
		}
		return out
	}
	suppressed := many("f0.py", "a", 50, 4)
	for i := range suppressed {
		suppressed[i].Suppressed = "pylint"
	}
	all := SelectOptions{MinFindings: 3, MaxFindings: 30, Aim: 9, CommonShare: 1}
	with := func(set func(*SelectOptions)) SelectOptions {
		o := all
		set(&o)
		return o
	}
	cases := map[string]struct {
		findings []bench.Finding
		options  SelectOptions
		want     []string
		pruned   string
	}{
		"nearest to the aim": {spread(2, 3, 30, 31, 9), all, []string{"f4.py 9", "f1.py 3", "f2.py 30"},
			`{"before":75,"after":75,"files_with_too_few":1,"files_with_too_many":1}`},
		"touched files first": {spread(9, 30, 3), with(func(o *SelectOptions) { o.First = map[string]bool{"f2.py": true} }),
			[]string{"f2.py 3", "f0.py 9", "f1.py 30"}, `{"before":42,"after":42}`},
		"covered files next": {spread(9, 9, 3, 30), with(func(o *SelectOptions) {
			o.MaxTasks, o.First, o.Covered = 2, map[string]bool{"f3.py": true}, func(p string) bool { return p == "f2.py" }
		}), []string{"f3.py 30", "f2.py 3"}, `{"before":51,"after":51,"files_over_the_limit":2}`},
		"zealous and conflicting rules": {slices.Concat(spread(3), many("f0.py", "z", 9, 5), many("f0.py", "x", 20, 1), many("f0.py", "y", 30, 2)), all, []string{"f0.py 3"},
			`{"before":11,"after":3,"zealous":{"z":5},"conflicts":{"x":1,"y":2}}`},
		"common rules": {slices.Concat(spread(9, 30), many("f1.py", "c", 50, 19)), SelectOptions{MinFindings: 3, MaxFindings: 30, Aim: 9, CommonShare: 0.5, CommonLeast: 20},
			[]string{"f0.py 6", "f1.py 20"}, `{"before":58,"after":26,"common":{"c":32}}`},
		"common, but few": {spread(12), DefaultSelect(), []string{"f0.py 12"}, `{"before":12,"after":12}`},
		"suppressed":      {slices.Concat(spread(3), suppressed), all, []string{"f0.py 3"}, `{"before":7,"after":3,"suppressed":4}`},
		"user's own": {spread(9), with(func(o *SelectOptions) { o.Zealous, o.Conflicts = []string{"a"}, [][]string{{"b", "unknown"}} }), []string{"f0.py 6"},
			`{"before":9,"after":6,"zealous":{"a":3}}`},
		"small files together": {spread(2, 2, 2, 2, 2), with(func(o *SelectOptions) { o.MaxFiles = 3 }), []string{"f2.py+f3.py 4", "f0.py+f1.py 4"},
			`{"before":10,"after":10,"files_with_too_few":1}`},
		"nothing": {nil, DefaultSelect(), []string{}, `{"before":0,"after":0}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tasks, rec := Select(c.findings, list, c.options)
			if name == "small files together" { // both are as near to the aim
				require.ElementsMatch(t, c.want, chosen(tasks))
			} else {
				require.Equal(t, c.want, chosen(tasks))
			}
			require.JSONEq(t, c.pruned, string(must(json.Marshal(rec))(t)))
			for i, task := range tasks {
				require.Equal(t, i, task.Index)
				require.Equal(t, "pylint", task.Linter)
				require.True(t, slices.IsSortedFunc(task.Findings, compareFindings))
			}
		})
	}
}

// TestSelectIsDeterministic: order does not matter, the seed does, and what is
// selected is within the options.
func TestSelectIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var findings []bench.Finding
		for i, n := range rapid.SliceOfN(rapid.IntRange(1, 40), 0, 8).Draw(t, "files") {
			findings = append(findings, many(fmt.Sprintf("d%d/f%d.py", i%2, i), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "rule"), 1, n)...)
		}
		o := DefaultSelect()
		o.Seed, o.MaxTasks, o.MaxFiles = rapid.Int64().Draw(t, "seed"), rapid.IntRange(0, 4).Draw(t, "tasks"), rapid.IntRange(1, 3).Draw(t, "files of one")
		tasks, rec := Select(findings, RuleFile{}, o)
		again, rec2 := Select(rapid.Permutation(findings).Draw(t, "order"), RuleFile{}, o)
		require.Equal(t, tasks, again)
		require.Equal(t, rec, rec2)
		seen, files := 0, map[string]bool{}
		for _, task := range tasks {
			require.GreaterOrEqual(t, len(task.Findings), 3)
			require.LessOrEqual(t, len(task.Findings), 30)
			require.LessOrEqual(t, len(task.Files), o.MaxFiles)
			require.Equal(t, pathsOf(task.Findings), slices.Sorted(slices.Values(task.Files)))
			for _, f := range task.Files {
				require.False(t, files[f])
				files[f] = true
			}
			seen += len(task.Findings)
		}
		require.LessOrEqual(t, seen, rec.After)
		require.Equal(t, len(filesOfRules(findings, rec)), len(files)+rec.FewFiles+rec.ManyFiles+rec.OverFiles)
	})
}

func filesOfRules(findings []bench.Finding, rec Pruned) []string {
	return pathsOf(slices.DeleteFunc(slices.Clone(findings), func(f bench.Finding) bool {
		return rec.Common[f.Rule] > 0
	}))
}

// pathsOf returns the findings' paths, sorted.
func pathsOf(findings []bench.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.Path)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestSelectSeed: among files that are as good, the seed decides.
func TestSelectSeed(t *testing.T) {
	var findings []bench.Finding
	for i := range 10 {
		findings = append(findings, many(fmt.Sprintf("f%d.py", i), "a", 1, 9)...)
	}
	o := DefaultSelect()
	o.MaxTasks, o.CommonShare = 1, 1
	seen := map[string]bool{}
	for o.Seed = range 20 {
		tasks, _ := Select(findings, RuleFile{}, o)
		seen[tasks[0].Files[0]] = true
	}
	require.Greater(t, len(seen), 3)
}
