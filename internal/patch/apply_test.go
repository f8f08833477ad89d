package patch_test

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

const noEOL = `\ No newline at end of file`

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// edit is a diff of f, as models write it.
func edit(lines ...string) string { return text("--- a/f", "+++ b/f") + text(lines...) }

// TestContent covers line ends, last lines and bytes that are not UTF-8.
func TestContent(t *testing.T) {
	change := edit("@@ -1,4 +1,5 @@", " one", "-two", "+2", "+2b", " three", " ")
	cases := map[string]struct{ old, diff, want string }{
		"CRLF file, CRLF kept in diff": {crlf(abc), strings.ReplaceAll(edit("@@ -1,3 +1,3 @@", " one#", "-two#", "+2#", " three#"), "#", "\r"),
			crlf(strings.Replace(abc, "two", "2", 1))},
		"CRLF file, CRs lost in diff":      {crlf(abc), change, crlf(strings.Replace(abc, "two", "2\n2b", 1))},
		"CRLF file, CRs lost, stripped":    {crlf(abc), strings.Replace(change, "\n \n", "\n\n", 1), crlf(strings.Replace(abc, "two", "2\n2b", 1))},
		"CRLF diff of CRLF file":           {crlf(abc), crlf(change), crlf(strings.Replace(abc, "two", "2\n2b", 1))},
		"CRLF diff of LF file":             {abc, crlf(change), strings.Replace(abc, "two", "2\n2b", 1)},
		"LF headers, CRLF lines, LF file":  {abc, strings.NewReplacer(" one", " one\r", "-two", "-two\r", "+2\n", "+2\r\n", "+2b", "+2b\r").Replace(change), strings.Replace(abc, "two", "2\n2b", 1)},
		"line ends changed on purpose":     {"a\r\nb\r\n", edit("@@ -1,2 +1,2 @@", "-a\r", "-b\r", "+a", "+b"), "a\nb\n"},
		"mixed file, CRs lost":             {"a\nb\r\nc\r\nd\n", edit("@@ -1,4 +1,5 @@", " a", "+A", " b", "-c", "+C", " d"), "a\nA\nb\r\nC\r\nd\n"},
		"last line end added":              {"a\nb", edit("@@ -1,2 +1,2 @@", " a", "-b", noEOL, "+b"), "a\nb\n"},
		"last line end removed":            {"a\nb\n", edit("@@ -1,2 +1,2 @@", " a", "-b", "+b", noEOL), "a\nb"},
		"no last line end, kept":           {"a\nb", edit("@@ -1,2 +1,2 @@", "-a", "+A", " b", noEOL), "A\nb"},
		"no last line end, marker lost":    {"a\nb", edit("@@ -1,2 +1,2 @@", "-a", "+A", " b"), "A\nb"},
		"line behind unended last line":    {"a\nb", edit("@@ -1,2 +1,3 @@", " a", " b", "+c"), "a\nb\nc\n"},
		"marker where the file has an end": {"a\nb\nc\n", edit("@@ -1,2 +1,3 @@", " a", "+x", " b", noEOL), "a\nx\nb\nc\n"},
		"marker in the middle of the file": {"a\nb\nc\n", edit("@@ -1,2 +1,2 @@", " a", "-b", "+x", noEOL), "a\nx\nc\n"},
		"emptied":                          {"a\n", edit("@@ -1 +0,0 @@", "-a"), ""},
		"filled":                           {"", edit("@@ -0,0 +1,2 @@", "+a", "+b"), "a\nb\n"},
		"no context":                       {abc, edit("@@ -2,0 +3,1 @@", "+x", "@@ -7 +8,0 @@", "-seven"), "one\ntwo\nx\nthree\n\nfive\nsix\n"},
		"bytes that are no UTF-8":          {"a\xff\xfe\nb\n", edit("@@ -1,2 +1,2 @@", " a\xff\xfe", "-b", "+\x80\xc3\x28\x00"), "a\xff\xfe\n\x80\xc3\x28\x00\n"},
		"lone carriage returns":            {"a\rb\nc\n", edit("@@ -1,2 +1,2 @@", " a\rb", "-c", "+d\re"), "a\rb\nd\re\n"},
		"lines that look like headers":     {"-- a\n@@ -1 +1 @@\ndiff --git a/x b/x\n", edit("@@ -1,3 +1,3 @@", "--- a", "+++ b", " @@ -1 +1 @@", " diff --git a/x b/x"), "++ b\n@@ -1 +1 @@\ndiff --git a/x b/x\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, changes := apply(t, entries{"f": file(c.old)}, c.diff)
			require.Equal(t, c.want, string(got["f"].Data))
			require.Equal(t, patch.Strict, changes.Method)
		})
	}
}

// TestTrees covers changes other than those within a file.
func TestTrees(t *testing.T) {
	run := patch.Entry{Data: []byte("a\n"), Mode: patch.ModeExecutable}
	cases := map[string]struct {
		tree entries
		diff string
		want entries
	}{
		"new":                             {nil, text("diff --git a/d/f b/d/f", "new file mode 100755", "--- /dev/null", "+++ b/d/f", "@@ -0,0 +1 @@", "+a"), entries{"d/f": run}},
		"new, blank lines without a mark": {nil, text("--- /dev/null", "+++ b/f", "@@ -0,0 +1,4 @@", "+a", "", "+b", ""), entries{"f": file("a\n\nb\n\n")}},
		"new, no last line end":           {nil, text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a", noEOL), entries{"f": file("a")}},
		"new, though it does not say so":  {nil, edit("@@ -0,0 +1 @@", "+a"), entries{"f": file("a\n")}},
		"new, though old side is named":   {nil, text("diff --git a/f b/f", "new file mode 100644", "--- a/f", "+++ b/f", "@@ -0,0 +1 @@", "+a"), entries{"f": file("a\n")}},
		"new, wrong numbers":              {nil, text("--- /dev/null", "+++ b/f", "@@ -1,0 +1,9 @@", "+a", "+b"), entries{"f": file("a\nb\n")}},
		"new, CRLF kept":                  {nil, text("--- /dev/null", "+++ b/f", "@@ -0,0 +1,2 @@", "+a\r", "+b\r"), entries{"f": file("a\r\nb\r\n")}},
		"new and empty":                   {nil, text("diff --git a/f b/f", "new file mode 100644", "index 0000000..e69de29"), entries{"f": file("")}},
		"new, the same is there":          {entries{"f": file("a\n")}, text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a"), entries{"f": file("a\n")}},
		"deleted":                         {entries{"f": file("a\nb")}, text("--- a/f", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b", noEOL), entries{}},
		"deleted, empty":                  {entries{"f": file("")}, text("diff --git a/f b/f", "deleted file mode 100644"), entries{}},
		"deleted, CRs lost":               {entries{"f": file("a\r\n\r\nb\r\n")}, text("--- a/f", "+++ /dev/null", "@@ -1,3 +0,0 @@", "-a", "", "-b"), entries{}},
		"renamed":                         {entries{"f": run}, text("diff --git a/f b/d/g", "similarity index 100%", "rename from f", "rename to d/g"), entries{"d/g": run}},
		"renamed and edited": {entries{"f": file("a\nb\n")}, text("diff --git a/f b/g", "rename from f", "rename to g", "--- a/f", "+++ b/g", "@@ -1,2 +1,2 @@", " a", "-b", "+c"),
			entries{"g": file("a\nc\n")}},
		"copied": {entries{"f": file("a\n")}, text("diff --git a/f b/g", "copy from f", "copy to g"), entries{"f": file("a\n"), "g": file("a\n")}},
		"copied before its edit": {entries{"f": file("a\n")}, edit("@@ -1 +1 @@", "-a", "+b") + text("diff --git a/f b/g", "copy from f", "copy to g"),
			entries{"f": file("b\n"), "g": file("a\n")}},
		"swapped": {entries{"f": file("f\n"), "g": file("g\n")}, text("diff --git a/f b/g", "rename from f", "rename to g", "diff --git a/g b/f", "rename from g", "rename to f"),
			entries{"f": file("g\n"), "g": file("f\n")}},
		"renamed, another in its place": {entries{"f": file("a\n")}, text("diff --git a/f b/f", "new file mode 100644", "--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+b") +
			text("diff --git a/f b/g", "rename from f", "rename to g"), entries{"f": file("b\n"), "g": file("a\n")}},
		"mode":                    {entries{"f": file("a\n")}, text("diff --git a/f b/f", "old mode 100644", "new mode 100755"), entries{"f": run}},
		"mode alone":              {entries{"f": file("a\n")}, text("diff --git a/f b/f", "new mode 100755"), entries{"f": run}},
		"mode is kept":            {entries{"f": run}, edit("@@ -1 +1 @@", "-a", "+b"), entries{"f": {Data: []byte("b\n"), Mode: patch.ModeExecutable}}},
		"link":                    {nil, newLink("l", "d/f"), entries{"l": link("d/f")}},
		"link, line end too many": {nil, strings.Replace(newLink("l", "d/f"), noEOL+"\n", "", 1), entries{"l": link("d/f")}},
		"link retargeted": {entries{"l": link("f")}, text("diff --git a/l b/l", "index 1234567..89abcde 120000", "--- a/l", "+++ b/l", "@@ -1 +1 @@", "-f", noEOL, "+g", noEOL),
			entries{"l": link("g")}},
		"link becomes file": {entries{"l": link("f")}, text("diff --git a/l b/l", "deleted file mode 120000", "--- a/l", "+++ /dev/null", "@@ -1 +0,0 @@", "-f", noEOL,
			"diff --git a/l b/l", "new file mode 100644", "--- /dev/null", "+++ b/l", "@@ -0,0 +1 @@", "+a"), entries{"l": file("a\n")}},
		"file becomes directory": {entries{"f": file("a\n")}, text("--- a/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-a", "--- /dev/null", "+++ b/f/g", "@@ -0,0 +1 @@", "+b"),
			entries{"f/g": file("b\n")}},
		"same file twice":    {entries{"f": file("a\n")}, edit("@@ -1 +1 @@", "-a", "+b") + edit("@@ -1 +1 @@", "-b", "+c"), entries{"f": file("c\n")}},
		"made and edited":    {nil, text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a") + edit("@@ -1 +1 @@", "-a", "+b"), entries{"f": file("b\n")}},
		"made and removed":   {nil, text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a", "--- a/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"), entries{}},
		"edited and renamed": {entries{"f": file("a\n")}, edit("@@ -1 +1 @@", "-a", "+b") + text("diff --git a/f b/g", "rename from f", "rename to g"), entries{"g": file("b\n")}},
		"nothing":            {entries{"f": file("a\n")}, text("diff --git a/f b/f"), entries{"f": file("a\n")}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, changes := apply(t, c.tree, c.diff)
			require.Equal(t, c.want, got)
			require.Equal(t, patch.Strict, changes.Method)
			for path := range changes.Write {
				require.NotContains(t, changes.Remove, path)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	tree := entries{"f": file(abc), "g": file("g\n"), "l": link("f"), "e": file("")}
	cases := map[string]struct {
		diff, path string
		hunk       int
		reason     string
	}{
		"other content":              {edit("@@ -1,2 +1,2 @@", " one", "-zwei", "+2"), "f", 1, `line 2 is "two\n", not "zwei\n"`},
		"blanks differ":              {edit("@@ -1,2 +1,2 @@", " one", "-two ", "+2"), "f", 1, "does not match"},
		"second hunk":                {edit("@@ -1,2 +1,2 @@", " one", "-two", "+2", "@@ -6,2 +6,2 @@", " six", "-sieben", "+7"), "f", 2, "does not match"},
		"beyond the end":             {edit("@@ -7,2 +7,2 @@", " seven", "-eight", "+8"), "f", 1, "ends before line 8"},
		"insertion beyond the end":   {edit("@@ -70,0 +71 @@", "+x"), "f", 1, "outside"},
		"overlap":                    {edit("@@ -1,2 +1,2 @@", " one", "-two", "+2", "@@ -2,2 +2,2 @@", "-two", "+zwei", " three"), "f", 2, "overlaps"},
		"later file":                 {text("--- a/g", "+++ b/g", "@@ -1 +1 @@", "-g", "+G") + edit("@@ -1 +1 @@", "-x", "+y"), "f", 1, "does not match"},
		"no such file":               {text("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"), "x", 0, "no such file"},
		"rename of no such file":     {text("diff --git a/x b/y", "rename from x", "rename to y"), "x", 0, "no such file"},
		"rename onto another":        {text("diff --git a/f b/g", "rename from f", "rename to g"), "g", 0, "already exists"},
		"new onto another":           {text("--- /dev/null", "+++ b/g", "@@ -0,0 +1 @@", "+x"), "g", 0, "already exists"},
		"new onto link":              {text("--- /dev/null", "+++ b/l", "@@ -0,0 +1 @@", "+f", noEOL), "l", 0, "already exists"},
		"new by its hunk, but there": {edit("@@ -0,0 +1 @@", "+x"), "f", 0, "already exists"},
		"new below a file":           {text("--- /dev/null", "+++ b/g/x", "@@ -0,0 +1 @@", "+x"), "g/x", 0, "g is a file"},
		"deletion of other content":  {text("--- a/g", "+++ /dev/null", "@@ -1 +0,0 @@", "-G"), "g", 1, "does not match"},
		"deletion of a part":         {text("--- a/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-one"), "f", 0, "other content"},
		"deletion without content":   {text("diff --git a/g b/g", "deleted file mode 100644"), "g", 0, "other content"},
		"edit of a link as a file":   {text("--- a/l", "+++ b/l", "@@ -1 +1 @@", "-f", noEOL, "+g", noEOL), "l", 0, "symbolic link"},
		"edit of a file as a link":   {text("diff --git a/e b/e", "index 1234567..89abcde 120000", "--- a/e", "+++ b/e", "@@ -0,0 +1 @@", "+g"), "e", 0, "symbolic link"},
		"binary without data":        {text("diff --git a/g b/g", "index 1234567..89abcde 100644", "Binary files a/g and b/g differ"), "g", 0, "no data"},
		"binary deletion, no data":   {text("diff --git a/g b/g", "deleted file mode 100644", "Binary files a/g and /dev/null differ"), "g", 0, "no data"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, err := patch.Parse([]byte(c.diff))
			require.NoError(t, err)
			changes, err := patch.Apply(patch.MapTree(tree), p)
			require.Nil(t, changes)
			var failed *patch.ApplyError
			require.ErrorAs(t, err, &failed)
			require.Equal(t, c.path, failed.Path)
			require.Equal(t, c.hunk, failed.Hunk)
			require.Contains(t, failed.Error(), c.reason)
		})
	}
}

// readFunc is a tree by a function.
type readFunc func(path string) (patch.Entry, error)

func (f readFunc) Read(path string) (patch.Entry, error) { return f(path) }

func TestErrorsOfTheTree(t *testing.T) {
	p, err := patch.Parse([]byte(text("--- /dev/null", "+++ b/d/f", "@@ -0,0 +1 @@", "+a")))
	require.NoError(t, err)

	broken := errors.New("disk on fire")
	_, err = patch.Apply(readFunc(func(string) (patch.Entry, error) { return patch.Entry{}, broken }), p)
	require.ErrorIs(t, err, broken)

	directory := readFunc(func(path string) (patch.Entry, error) {
		if path == "d" {
			return patch.Entry{}, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
		}
		return patch.Entry{}, fs.ErrNotExist
	})
	changes, err := patch.Apply(directory, p)
	require.NoError(t, err)
	require.Contains(t, changes.Write, "d/f")
}

func TestFileNotByParse(t *testing.T) {
	p := &patch.Patch{Files: []*patch.File{{OldPath: "f", NewPath: "f"}}}
	require.Empty(t, p.Bytes())
	_, err := patch.Apply(patch.MapTree(entries{"f": file("")}), p)
	var failed *patch.ApplyError
	require.ErrorAs(t, err, &failed)
}
