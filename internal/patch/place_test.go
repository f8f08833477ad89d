package patch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

// numbered returns the lines 1 to n, each with a distinct word.
func numbered(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprint("line ", i+1)
	}
	return lines
}

func TestPlacement(t *testing.T) {
	plain := text(numbered(30)...)
	hunk := func(start int, lines ...string) string {
		return edit(append([]string{fmt.Sprintf("@@ -%d,9 +%d,9 @@", start, start)}, lines...)...)
	}
	change := []string{" line 9", " line 10", " line 11", "-line 12", "+new", " line 13", " line 14", " line 15"}
	with := func(i int, line string) []string {
		out := append([]string(nil), change...)
		out[i] = line
		return out
	}
	done := strings.Replace(plain, "line 12\n", "new\n", 1)
	block := text("x", "{", "  call", "}", "y")
	blocks := strings.Repeat(block, 5)
	nth := func(n int) string {
		return strings.Repeat(block, n) + strings.Replace(block, "call", "done", 1) + strings.Repeat(block, 4-n)
	}
	cases := map[string]struct {
		old, diff, want string
		method          patch.Method
	}{
		"at its line":             {plain, hunk(9, change...), done, patch.Strict},
		"two lines later":         {plain, hunk(7, change...), done, patch.Offset},
		"far earlier":             {plain, hunk(4000, change...), done, patch.Offset},
		"at the start":            {plain, hunk(0, change...), done, patch.Offset},
		"first context wrong":     {plain, hunk(9, with(0, " x")...), done, patch.Fuzz},
		"first two wrong":         {plain, hunk(9, with(1, " x")...), done, patch.Fuzz},
		"last context wrong":      {plain, hunk(9, with(7, " x")...), done, patch.Fuzz},
		"last two wrong":          {plain, hunk(9, with(6, " x")...), done, patch.Fuzz},
		"fuzz and offset":         {plain, hunk(3, with(0, " x")...), done, patch.Fuzz},
		"context over the start":  {plain, hunk(1, " line 0", "-line 1", "+new", " line 2"), strings.Replace(plain, "line 1\n", "new\n", 1), patch.Fuzz},
		"nearest of many":         {blocks, hunk(12, " {", "-  call", "+  done", " }"), nth(2), patch.Strict},
		"nearest, before":         {blocks, hunk(13, " {", "-  call", "+  done", " }"), nth(2), patch.Offset},
		"nearest, behind":         {blocks, hunk(15, " {", "-  call", "+  done", " }"), nth(3), patch.Offset},
		"both as near: behind":    {text("a", "c", "b", "c", "a"), hunk(3, "-c", "+d"), text("a", "c", "b", "d", "a"), patch.Offset},
		"offset is carried":       {text(append([]string{"0"}, numbered(30)...)...), edit("@@ -1,2 +1,2 @@", " line 1", "-line 2", "+new", "@@ -12 +12,0 @@", "-line 12"), text(append([]string{"0"}, strings.Split(strings.TrimSpace(strings.NewReplacer("line 2\n", "new\n", "line 12\n", "").Replace(plain)), "\n")...)...), patch.Offset},
		"carried in repetition":   {"0\n" + blocks, edit("@@ -1,5 +1,4 @@", " x", " {", "-  call", " }", " y", "@@ -11,5 +10,5 @@", " x", " {", "-  call", "+  done", " }", " y"), "0\n" + strings.Replace(nth(2), "  call\n", "", 1), patch.Offset},
		"not over an earlier one": {blocks, edit("@@ -1,5 +1,5 @@", " x", " {", "-  call", "+  done", " }", " y", "@@ -2,3 +2,3 @@", " {", "-  call", "+  done", " }"), strings.Replace(nth(0), "call", "done", 1), patch.Offset},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, changes := apply(t, entries{"f": file(c.old)}, c.diff)
			require.Equal(t, c.want, string(got["f"].Data))
			require.Equal(t, c.method, changes.Method)
			require.Equal(t, c.method, changes.PerFile["f"])
		})
	}
}

func TestPlacementRefused(t *testing.T) {
	plain := text(numbered(30)...)
	cases := map[string]string{
		"three lines of context wrong": edit("@@ -9,7 +9,7 @@", " line 9", " line 10", " x", "-line 12", "+new", " line 13", " line 14", " line 15"),
		"removed line wrong":           edit("@@ -9,7 +9,7 @@", " line 9", "-x", "+new", " line 11"),
		"inner context wrong":          edit("@@ -9,5 +9,5 @@", "-line 9", "+9", " x", "-line 11", "+11"),
		"nothing left to search by":    edit("@@ -9,2 +9,3 @@", " x", "+new", " y"),
		"hunks in the other order":     edit("@@ -9,1 +9,1 @@", "-line 20", "+20", "@@ -10,1 +10,1 @@", "-line 10", "+10"),
	}
	for name, diff := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := patch.Parse([]byte(diff))
			require.NoError(t, err)
			_, err = patch.Apply(patch.MapTree(entries{"f": file(plain)}), p)
			var failed *patch.ApplyError
			require.ErrorAs(t, err, &failed)
			require.Positive(t, failed.Hunk)
		})
	}
}

// TestLikeLinesEnd searches a long run of equal lines that almost matches
// everywhere.
func TestLikeLinesEnd(t *testing.T) {
	old := strings.Repeat("x\n", 200_000) + "y\n"
	diff := edit("@@ -1,1 +1,1 @@") + strings.Repeat(" x\n", 100_000) + "-x\n+z\n x\n y\n x\n"
	p, err := patch.Parse([]byte(diff))
	require.NoError(t, err)
	start := time.Now()
	_, err = patch.Apply(patch.MapTree(entries{"f": file(old)}), p)
	var failed *patch.ApplyError
	require.ErrorAs(t, err, &failed)
	require.Less(t, time.Since(start), 20*time.Second)
}
