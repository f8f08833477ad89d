package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const testList = `# a comment
ok there is none
mend|mends => fix
is none => rewrite
`

// TestRun counts comments only, across line breaks, and leaves testdata out.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	list := write("words.txt", testList)
	write("src/a.go", "package a\n\n// f mends a file. It is\n// none, where there is none.\nfunc f() { _ = \"mend\" }\n")
	write("src/b.go", "package a\n\n//go:generate mend\n\nvar x = 1 // amends nothing\n")
	write("src/testdata/c.go", "package a\n\n// Mend.\n")
	var out bytes.Buffer
	rate, err := run(&out, list, []string{filepath.Join(dir, "src")}, true)
	require.NoError(t, err)
	require.InDelta(t, 2000.0/3, rate, 0.001)
	require.Equal(t, "666.7 per 1,000 comment lines (2 hits, 3 lines, 2 files)\n"+
		"    2  "+filepath.Join(dir, "src", "a.go")+"\n"+
		"         3: \"mends\": write fix\n"+
		"         3: \"is none\": write rewrite\n", out.String())
}

func TestReadListErrors(t *testing.T) {
	for text, want := range map[string]string{
		"mend":         "words.txt:1: expected PATTERN => WHAT TO WRITE",
		"\nmend =>":    "words.txt:2: expected PATTERN => WHAT TO WRITE",
		"me(nd => fix": "words.txt:1: pattern: ",
		"ok (":         "words.txt:1: pattern: ",
		"# fine\n\nok": "words.txt:3: expected PATTERN",
	} {
		path := filepath.Join(t.TempDir(), "words.txt")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := readList(path)
		require.ErrorContains(t, err, want)
	}
}
