package patch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

// text joins lines, each with a line feed.
func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func file(data string) patch.Entry { return patch.Entry{Data: []byte(data), Mode: patch.ModeFile} }

func link(target string) patch.Entry {
	return patch.Entry{Data: []byte(target), Mode: patch.ModeSymlink}
}

type entries = map[string]patch.Entry

// apply returns the tree as a patch leaves it.
func apply(t *testing.T, tree entries, diff string) (entries, *patch.Changes) {
	t.Helper()
	p, err := patch.Parse([]byte(diff))
	require.NoError(t, err)
	changes, err := patch.Apply(patch.MapTree(tree), p)
	require.NoError(t, err)
	return after(tree, changes), changes
}

func after(tree entries, changes *patch.Changes) entries {
	out := make(entries)
	for path, entry := range tree {
		out[path] = entry
	}
	for _, path := range changes.Remove {
		delete(out, path)
	}
	for path, entry := range changes.Write {
		out[path] = entry
	}
	return out
}

var abc = text("one", "two", "three", "", "five", "six", "seven")

// TestForms applies the same change, written in the many ways that git, diff
// and models write it.
func TestForms(t *testing.T) {
	body := text("@@ -1,5 +1,6 @@", " one", " two", "-three", "+THREE", "+3", " ", " five")
	want := text("one", "two", "THREE", "3", "", "five", "six", "seven")
	git := text("diff --git a/dir/f.txt b/dir/f.txt", "index 1234567..89abcde 100644")
	cases := map[string]string{
		"git":                    git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + body,
		"git without index":      text("diff --git a/dir/f.txt b/dir/f.txt", "--- a/dir/f.txt", "+++ b/dir/f.txt") + body,
		"git, no prefix":         text("diff --git dir/f.txt dir/f.txt", "--- dir/f.txt", "+++ dir/f.txt") + body,
		"git, mnemonic prefix":   text("diff --git i/dir/f.txt w/dir/f.txt", "--- i/dir/f.txt", "+++ w/dir/f.txt") + body,
		"invented index line":    text("diff --git a/dir/f.txt b/dir/f.txt", "index abc", "--- a/dir/f.txt", "+++ b/dir/f.txt") + body,
		"plain with prefixes":    text("--- a/dir/f.txt", "+++ b/dir/f.txt") + body,
		"plain, no prefixes":     text("--- dir/f.txt", "+++ dir/f.txt") + body,
		"plain with dot":         text("--- ./dir/f.txt", "+++ ./dir/f.txt") + body,
		"one prefix twice":       text("--- a/dir/f.txt", "+++ a/dir/f.txt") + body,
		"one prefix only":        text("--- a/dir/f.txt", "+++ dir/f.txt") + body,
		"times behind tabs":      text("--- dir/f.txt\t2024-05-01 10:00:00.000000000 +0200", "+++ dir/f.txt\t2024-05-01 10:00:01.5 +0200") + body,
		"times behind blanks":    text("--- dir/f.txt  2024-05-01 10:00:00.000000000 +0200", "+++ dir/f.txt  2024-05-01 10:00:01") + body,
		"two releases":           text("diff -ru pkg-1.0/dir/f.txt pkg-1.1/dir/f.txt", "--- pkg-1.0/dir/f.txt\t2024-05-01", "+++ pkg-1.1/dir/f.txt\t2024-05-01") + body,
		"backup":                 text("--- dir/f.txt.orig", "+++ dir/f.txt") + body,
		"subversion":             text("Index: dir/f.txt", strings.Repeat("=", 67), "--- dir/f.txt\t(revision 1)", "+++ dir/f.txt\t(working copy)") + body,
		"no last newline":        strings.TrimSuffix(git+text("--- a/dir/f.txt", "+++ b/dir/f.txt")+body, "\n"),
		"blank lines behind":     git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + body + "\n\n",
		"byte order mark":        "\ufeff" + git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + body,
		"stripped blank line":    git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + strings.Replace(body, "\n \n", "\n\n", 1),
		"stripped last context":  text("--- a/dir/f.txt", "+++ b/dir/f.txt") + text("@@ -1,4 +1,5 @@", " one", " two", "-three", "+THREE", "+3", ""),
		"lost last context":      text("--- a/dir/f.txt", "+++ b/dir/f.txt") + text("@@ -1,4 +1,5 @@", " one", " two", "-three", "+THREE", "+3"),
		"counts too high":        git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + strings.Replace(body, "-1,5 +1,6", "-1,9 +1,12", 1),
		"counts too low":         git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + strings.Replace(body, "-1,5 +1,6", "-1,2 +1,2", 1),
		"counts missing":         git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + strings.Replace(body, "-1,5 +1,6", "-1 +1", 1),
		"counts wrong, file too": git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + strings.Replace(body, "-1,5 +1,6", "-1,2 +1,2", 1) + text("--- a/g.txt", "+++ b/g.txt", "@@ -1 +1 @@", " g"),
		"fenced":                 "Here is the fix:\n\n```diff\n" + git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + body + "```\n\n- It works.\n+ Really.\n",
		"fenced, counts wrong":   "```diff\n" + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + strings.Replace(body, "-1,5 +1,6", "-1,8 +1,8", 1) + "```\n- It works.\n",
		"text behind":            git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + body + "That is all.\n- nothing more\n",
		"mail": "From 0123456 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] fix\n\n---\n dir/f.txt | 3 +-\n\n" +
			git + text("--- a/dir/f.txt", "+++ b/dir/f.txt") + body + "-- \n2.39.5\n\n",
		"carriage returns in transport": strings.ReplaceAll(git+text("--- a/dir/f.txt", "+++ b/dir/f.txt")+body, "\n", "\r\n"),
		"two hunks out of order": git + text("--- a/dir/f.txt", "+++ b/dir/f.txt",
			"@@ -3,2 +3,3 @@", "-three", "+THREE", "+3", " ", "@@ -1,2 +1,2 @@", "-one", "+one", " two"),
	}
	for name, diff := range cases {
		t.Run(name, func(t *testing.T) {
			tree := entries{"dir/f.txt": file(abc)}
			got, changes := apply(t, tree, diff)
			require.Equal(t, want, string(got["dir/f.txt"].Data))
			require.Equal(t, patch.Strict, changes.Method)
			require.Equal(t, file(abc), tree["dir/f.txt"], "the tree itself must not change")
		})
	}
}

// TestBytesKeepRepairs: Bytes writes the repaired diff in the canonical form.
func TestBytesKeepRepairs(t *testing.T) {
	diff := "```\n" + text("--- f.txt", "+++ f.txt", "@@ -1,9 +1,9 @@", " one", "-two", "+2", " three", "", " five") + "```"
	p, err := patch.Parse([]byte(diff))
	require.NoError(t, err)
	require.Equal(t, text("diff --git a/f.txt b/f.txt", "--- a/f.txt", "+++ b/f.txt",
		"@@ -1,5 +1,5 @@", " one", "-two", "+2", " three", " ", " five"), string(p.Bytes()))
}

func TestFormsNotRead(t *testing.T) {
	header := text("--- a/f", "+++ b/f")
	cases := map[string]struct {
		diff string
		line int
		msg  string
	}{
		"prose":                  {"I could not find the bug.\n", 0, "no diff found"},
		"hunk damaged in middle": {header + text("@@ -1,4 +1,4 @@", " one", "-two", "+2", "three", "-four", "+4"), 7, "corrupt hunk"},
		"hunk without numbers":   {header + text("@@ def f():", " one", "-two"), 3, "malformed hunk header"},
		"changes without hunk":   {header + text("-two", "+2"), 3, "outside of a hunk"},
		"numbers too large":      {header + text("@@ -99999999999,1 +1,1 @@", "-two"), 3, "malformed hunk header"},
		"merge":                  {text("diff --cc f", "index 1,2..3", "--- a/f", "+++ b/f", "@@@ -1,1 -1,1 +1,2 @@@", "++x"), 1, "merges"},
		"merge hunk":             {text("diff --git a/f b/f", "--- a/f", "+++ b/f", "@@@ -1,1 -1,1 +1,2 @@@", "++x"), 4, "merges"},
		"bad mode":               {text("diff --git a/f b/f", "old mode 100644", "new mode 99"), 3, "malformed header"},
		"directory mode":         {text("diff --git a/f b/f", "new file mode 040000"), 2, "malformed header"},
		"no names":               {text("diff --git a b c d", "index 1234..5678"), 1, "without names"},
		"no name":                {text("--- ", "+++ b/f", "@@ -1 +1 @@", "-a", "+b"), 1, "malformed file name"},
		"both sides null":        {text("--- /dev/null", "+++ /dev/null", "@@ -1 +1 @@", "-a", "+b"), 1, "both new and deleted"},
		"half a rename":          {text("diff --git a/f b/g", "rename from f"), 1, "incomplete rename"},
		"rename disagrees":       {text("diff --git a/f b/g", "rename from f", "rename to g", "--- a/f", "+++ b/h", "@@ -1 +1 @@", "-a", "+b"), 1, "disagree"},
		"new file with old line": {text("--- /dev/null", "+++ b/f", "@@ -1,1 +1,1 @@", "-a", "+b"), 3, "new file depends on old contents"},
		"corrupt binary": {text("diff --git a/f b/f", "new file mode 100644", "index 0000000..1234567", "GIT binary patch",
			"literal 5", "!!!"), 6, "corrupt data line"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := patch.Parse([]byte(c.diff))
			var failed *patch.ParseError
			require.ErrorAs(t, err, &failed)
			require.Contains(t, failed.Msg, c.msg)
			require.Equal(t, c.line, failed.Line)
		})
	}
}

func TestBlankIsEmptyPatch(t *testing.T) {
	for _, diff := range []string{"", "\n", " \r\n\t\n"} {
		p, err := patch.Parse([]byte(diff))
		require.NoError(t, err)
		require.True(t, p.Empty())
		require.Empty(t, p.Paths())
		require.Empty(t, p.Bytes())
		require.Zero(t, p.Complexity())
	}
}

func TestTooLarge(t *testing.T) {
	var failed *patch.TooLargeError
	_, err := patch.Parse(make([]byte, patch.MaxBytes+1))
	require.ErrorAs(t, err, &failed)
	require.Equal(t, patch.MaxBytes, failed.Limit)
	_, err = patch.Parse([]byte(strings.Repeat("+\n", 5_000_000)))
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "lines", failed.Unit)
}

// TestTooLargeCheap refuses 50 MB without reading it.
func TestTooLargeCheap(t *testing.T) {
	diff := make([]byte, 50<<20)
	allocated := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := patch.Parse(diff); err == nil {
				b.Fatal("not refused")
			}
		}
	}).AllocedBytesPerOp()
	require.Less(t, allocated, int64(1<<10))
}
