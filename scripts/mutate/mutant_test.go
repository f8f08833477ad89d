package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	got, err := parse("# a note\n\na/b.go\n- if x {\n- \ty\n+ if true {\n\nc.go\n- z\n")
	require.NoError(t, err)
	require.Equal(t, []mutant{{line: 3, file: "a/b.go", old: "if x {\n\ty", now: "if true {"}, {line: 8, file: "c.go", old: "z"}}, got)
	_, err = parse("a.go\n+ x\n")
	require.ErrorContains(t, err, `expected a line with "- "`)
	_, err = parse("a.go\nx\n")
	require.ErrorContains(t, err, `2: expected "- "`)
}

// TestList: every mutant is of a file that is there, and the packages whose
// tests try it are there, too: go test fails on others, which looks like a
// mutant that does not compile.
func TestList(t *testing.T) {
	data, err := os.ReadFile("mutants.txt")
	require.NoError(t, err)
	all, err := parse(string(data))
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, m := range all {
		require.FileExists(t, filepath.Join("../..", m.file))
		for _, p := range importers("./" + filepath.ToSlash(filepath.Dir(m.file))) {
			require.DirExists(t, filepath.Join("../..", p))
		}
	}
}
