package style

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/bench"
)

// genTree draws a few files of few different lines, so that they repeat.
func genTree(t *rapid.T, label string) map[string][]byte {
	line := rapid.SampledFrom([]string{"", "}", "return None", "    return None", "value = compute(a, b)", "import os", "x = 1", "    self.text = handle.read()", "def f():", "# é"})
	out := map[string][]byte{}
	for _, path := range []string{"a.py", "b.py", "c.py"} {
		if !rapid.Bool().Draw(t, label+" has "+path) {
			continue
		}
		var body []byte
		for _, l := range rapid.SliceOfN(line, 0, 12).Draw(t, label+" "+path) {
			body = append(append(body, l...), '\n')
		}
		out[path] = body
	}
	return out
}

func genFindings(t *rapid.T, label string, files map[string][]byte) []bench.Finding {
	var out []bench.Finding
	for range rapid.IntRange(0, 12).Draw(t, label+" findings") {
		path := rapid.SampledFrom([]string{"a.py", "b.py", "c.py", "d.py"}).Draw(t, "path")
		lines := bytes.Split(files[path], []byte{'\n'})
		n := rapid.IntRange(0, len(lines)+1).Draw(t, "line")
		f := bench.Finding{Tool: "t", Path: path, Range: bench.Range{Line: n, Column: rapid.IntRange(0, 2).Draw(t, "column")},
			Rule:    rapid.SampledFrom([]string{"r1", "r2"}).Draw(t, "rule"),
			Message: rapid.SampledFrom([]string{"m", "12 of 'x'", "13 of 'y'", ""}).Draw(t, "message")}
		if n >= 1 && n <= len(lines) {
			f.Line = string(lines[n-1])
		}
		out = append(out, f)
	}
	return out
}

func netByRule(plus, minus []bench.Finding) map[string]int {
	out := map[string]int{}
	for _, f := range plus {
		out[f.Rule]++
	}
	for _, f := range minus {
		out[f.Rule]--
	}
	for rule, n := range out {
		if n == 0 {
			delete(out, rule)
		}
	}
	return out
}

// TestMatchingAddsUp: for any texts, every strategy pairs one to one, the net
// of every rule holds, and the order of the findings does not matter.
func TestMatchingAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		change := Change{Language: rapid.SampledFrom([]string{"", python}).Draw(t, "language"), Before: genTree(t, "before"), After: genTree(t, "after")}
		if rapid.Bool().Draw(t, "renamed") {
			change.Renamed = map[string]string{"a.py": "b.py"}
		}
		before, after := genFindings(t, "before", change.Before), genFindings(t, "after", change.After)
		for _, strategy := range []Strategy{Cascade, ByRuleLine, ByRuleText} {
			m := MatchBy(strategy, before, after, change)
			require.NoError(t, m.Check(before, after))
			require.Equal(t, netByRule(after, before), netByRule(m.New, m.Resolved))
			again := MatchBy(strategy, rapid.Permutation(before).Draw(t, "b"), rapid.Permutation(after).Draw(t, "a"), change)
			require.Equal(t, m, again)
		}
	})
}

// TestMatchingIdentity: the same findings in the same tree, one with blank
// lines put anywhere, one re-indented, and one with a file renamed: all pair.
func TestMatchingIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := genTree(t, "tree")
		before := genFindings(t, "findings", base)
		before = slices.DeleteFunc(before, func(f bench.Finding) bool {
			return f.Range.Line > bytes.Count(base[f.Path], []byte{'\n'}) // outside of its file
		})
		after := map[string][]byte{}
		blanks := map[string]int{}
		for path, text := range base {
			blanks[path] = rapid.IntRange(0, 3).Draw(t, "blanks "+path)
			indented := bytes.ReplaceAll(text, []byte("    "), []byte(rapid.SampledFrom([]string{"    ", "\t"}).Draw(t, "indent")))
			after[path] = append(bytes.Repeat([]byte{'\n'}, blanks[path]), indented...)
		}
		var now []bench.Finding
		for _, f := range before {
			if f.Range.Line > 0 {
				f.Range.Line += blanks[f.Path]
			}
			now = append(now, f)
		}
		m := Match(before, now, Change{Before: base, After: after})
		require.Empty(t, m.Resolved, fmt.Sprint(m.New))
		require.Empty(t, m.New)
	})
}

// TestMatchingLosesOnlyWhatIsGone: findings taken away, others stay paired.
func TestMatchingLosesOnlyWhatIsGone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := genTree(t, "tree")
		before := genFindings(t, "findings", base)
		n := rapid.IntRange(0, len(before)).Draw(t, "kept")
		m := Match(before, before[:n], Change{Before: base, After: base})
		require.Empty(t, m.New)
		require.Len(t, m.Resolved, len(before)-n)
		require.Equal(t, netByRule(before[n:], nil), netByRule(m.Resolved, nil))
	})
}
