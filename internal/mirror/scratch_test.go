package mirror

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

func file(text string) patch.Entry { return patch.Entry{Data: []byte(text), Mode: patch.ModeFile} }

// TestDiffApplies: for trees that differ in every way, the patch gives the new
// tree when it is applied to the old one.
func TestDiffApplies(t *testing.T) {
	binary := patch.Entry{Data: []byte("\x00\x01\xff\n\x00"), Mode: patch.ModeFile}
	tests := map[string]struct{ old, new map[string]patch.Entry }{
		"nothing":        {map[string]patch.Entry{"a": file("1\n")}, map[string]patch.Entry{"a": file("1\n")}},
		"changed":        {map[string]patch.Entry{"a": file("1\n2\n")}, map[string]patch.Entry{"a": file("1\n3\n")}},
		"new":            {map[string]patch.Entry{}, map[string]patch.Entry{"d/e/f": file("1\n")}},
		"new and empty":  {map[string]patch.Entry{}, map[string]patch.Entry{"d/__init__.py": file("")}},
		"deleted":        {map[string]patch.Entry{"a": file("1\n"), "b": file("2\n")}, map[string]patch.Entry{"b": file("2\n")}},
		"renamed":        {map[string]patch.Entry{"a": file("1\n2\n3\n")}, map[string]patch.Entry{"b": file("1\n2\n3\n")}},
		"binary":         {map[string]patch.Entry{"a": binary}, map[string]patch.Entry{"a": {Data: []byte("\x00\x02"), Mode: patch.ModeFile}}},
		"new binary":     {map[string]patch.Entry{}, map[string]patch.Entry{"a": binary}},
		"binary deleted": {map[string]patch.Entry{"a": binary}, map[string]patch.Entry{}},
		"executable":     {map[string]patch.Entry{"a": file("1\n")}, map[string]patch.Entry{"a": {Data: []byte("1\n"), Mode: patch.ModeExecutable}}},
		"link":           {map[string]patch.Entry{"b": file("1\n")}, map[string]patch.Entry{"b": file("1\n"), "a": {Data: []byte("b"), Mode: patch.ModeSymlink}}},
		"link to file":   {map[string]patch.Entry{"b": file("1\n"), "a": {Data: []byte("b"), Mode: patch.ModeSymlink}}, map[string]patch.Entry{"b": file("1\n"), "a": file("2\n")}},
		"CRLF":           {map[string]patch.Entry{"a": file("1\r\n2\r\n")}, map[string]patch.Entry{"a": file("1\r\n3\r\n")}},
		"to CRLF":        {map[string]patch.Entry{"a": file("1\n2\n")}, map[string]patch.Entry{"a": file("1\r\n2\r\n")}},
		"no end of line": {map[string]patch.Entry{"a": file("1\n2")}, map[string]patch.Entry{"a": file("1\n2\n")}},
		"odd names":      {map[string]patch.Entry{"a b": file("1\n")}, map[string]patch.Entry{"a b": file("2\n"), "ä\"ö\tü": file("3\n"), "-x": file("4\n")}},
		"Latin-1":        {map[string]patch.Entry{"a": file("caf\xe9\n1\n"), "b": file("x\n")}, map[string]patch.Entry{"a": file("caf\xe9\n2\n"), "b": file("y\n"), "c/d": file("\xff\xfe\n")}},
		"to UTF-8":       {map[string]patch.Entry{"a": file("caf\xe9\n")}, map[string]patch.Entry{"a": file("café\n")}},
		"Latin-1 gone":   {map[string]patch.Entry{"a": file("caf\xe9\n")}, map[string]patch.Entry{"a/b": file("1\n")}},
		"file to folder": {map[string]patch.Entry{"a": file("1\n")}, map[string]patch.Entry{"a/b": file("2\n")}},
		"attributes": {
			map[string]patch.Entry{".gitattributes": file("* -diff\n*.txt text eol=crlf\n"), "a.txt": file("1\n")},
			map[string]patch.Entry{".gitattributes": file("* -diff\n*.txt text eol=crlf\n"), "a.txt": file("2\n")},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text, err := Diff(t.Context(), tt.old, tt.new)
			require.NoError(t, err)
			require.True(t, utf8.Valid(text))
			p, err := patch.Parse(text)
			require.NoError(t, err, string(text))
			changes, err := patch.Apply(patch.MapTree(tt.old), p)
			require.NoError(t, err, string(text))
			got := map[string]patch.Entry{}
			for p, e := range tt.old {
				got[p] = e
			}
			for _, p := range changes.Remove {
				delete(got, p)
			}
			for p, e := range changes.Write {
				got[p] = e
			}
			require.Equal(t, texts(tt.new), texts(got))
		})
	}
}

func texts(tree map[string]patch.Entry) map[string]string {
	out := map[string]string{}
	for p, e := range tree {
		out[p] = string(rune('0'+e.Mode&0o111)) + string(e.Data)
		if e.Mode == patch.ModeSymlink {
			out[p] = "-> " + string(e.Data)
		}
	}
	return out
}

// TestOneCommit: git finds one commit with the tree, a clean work tree, and
// nothing else.
func TestOneCommit(t *testing.T) {
	tree := map[string]patch.Entry{"a": file("1\n"), "d/b": {Data: []byte("x"), Mode: patch.ModeExecutable}, "l": {Data: []byte("a"), Mode: patch.ModeSymlink}}
	files, err := OneCommit(t.Context(), tree)
	require.NoError(t, err)
	again, err := OneCommit(t.Context(), tree)
	require.NoError(t, err)
	dir := t.TempDir()
	for p, data := range files {
		if p != "index" {
			require.Equal(t, string(data), string(again[p]), p)
		}
		require.NotContains(t, p, "hooks")
		require.NotContains(t, p, "logs")
		name := filepath.Join(dir, ".git", p)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, data, 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("1\n"), 0o644))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "d"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d/b"), []byte("x"), 0o755))
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "l")))
	for args, want := range map[string]string{
		"status --porcelain":                 "",
		"log --all --format=%s|%P|%an":       "base||assay\n",
		"for-each-ref --format=%(refname)":   "refs/heads/main\n",
		"remote":                             "",
		"fsck --full --strict --no-progress": "",
		"cat-file --batch-all-objects --batch-check=%(objecttype)": "blob\nblob\nblob\ncommit\ntree\ntree\n",
	} {
		out, err := git(t.Context(), dir, strings.Fields(args)...)
		require.NoError(t, err)
		lines := strings.Split(string(out), "\n")
		if strings.HasPrefix(args, "cat-file") {
			require.ElementsMatch(t, strings.Split(want, "\n"), lines, args)
			continue
		}
		require.Equal(t, want, string(out), args)
	}
}

func TestIgnored(t *testing.T) {
	rules := map[string][]byte{
		".gitignore":     []byte("*.log\nbuild/\n!keep.log\n"),
		"sub/.gitignore": []byte("/local\n"),
	}
	paths := []string{"a.py", "x.log", "keep.log", "build/x", "src/build/y", "sub/local", "local", "odd \n.log", ":!x", ":!x.log", ":(x", ":/build/:^z", "-x"}
	got, err := Ignored(t.Context(), rules, paths)
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"x.log": ".gitignore:1:*.log", "build/x": ".gitignore:2:build/", "src/build/y": ".gitignore:2:build/",
		"sub/local": "sub/.gitignore:1:/local", "odd \n.log": ".gitignore:1:*.log",
		":!x.log": ".gitignore:1:*.log", ":/build/:^z": ".gitignore:2:build/",
	}, got)
	for _, none := range []map[string][]byte{nil, {".gitignore": []byte("# nothing\n")}} {
		got, err = Ignored(t.Context(), none, paths)
		require.NoError(t, err)
		require.Empty(t, got)
	}
}

// TestSweep: what a killed process left goes later, what is in use stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"assay-git-old": 2 * time.Hour, "assay-git-new": time.Minute, "other-old": 2 * time.Hour} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, name, ".git"), 0o755))
		require.NoError(t, os.Chtimes(filepath.Join(dir, name), now, now.Add(-age)))
	}
	require.NoError(t, os.Symlink(dir, filepath.Join(dir, "assay-git-link")))
	sweep(dir, now)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range left {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"assay-git-link", "assay-git-new", "other-old"}, names)
}
