package tolerant

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// memory is a tree in memory.
type memory map[string]string

func (m memory) Paths() []string { return slices.Sorted(maps.Keys(m)) }

func (m memory) Read(p string) ([]byte, error) {
	text, ok := m[p]
	if !ok {
		return nil, fmt.Errorf("reading %s: %w", p, fs.ErrNotExist)
	}
	return []byte(text), nil
}

// TestGolden applies answers to files. Each case is an archive: files below
// "old/", the answer, and what is expected: the outcomes of its blocks and the
// changed files below "new/".
func TestGolden(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			got, want := outcome(t, archive, name)
			if *update {
				require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
				return
			}
			require.Equal(t, want, got)
		})
	}
}

// outcome is an archive with what its answer gives, and as it is.
func outcome(t *testing.T, archive *txtar.Archive, name string) (got, want string) {
	t.Helper()
	files, answer := memory{}, ""
	out := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if p, ok := strings.CutPrefix(f.Name, "old/"); ok {
			files[p] = string(f.Data)
		} else if f.Name == "answer" {
			answer = string(f.Data)
		} else {
			continue
		}
		out.Files = append(out.Files, f)
	}
	language, _, _ := strings.Cut(filepath.Base(name), "_")
	blocks, wrong, err := Read(answer, false)
	var said strings.Builder
	if err != nil {
		fmt.Fprintln(&said, err)
	}
	for _, w := range wrong {
		fmt.Fprintf(&said, "left out: %v\n", w)
	}
	result, err := Apply(language, files, blocks)
	require.NoError(t, err)
	for _, b := range result.Blocks {
		fmt.Fprintf(&said, "%s: %s%s\n", b.Path, b.How, b.Refused)
	}
	out.Files = append(out.Files, txtar.File{Name: "outcome", Data: []byte(said.String())})
	for _, p := range slices.Sorted(maps.Keys(result.Files)) {
		out.Files = append(out.Files, txtar.File{Name: "new/" + p, Data: result.Files[p]})
	}
	return string(txtar.Format(out)), string(txtar.Format(archive))
}
