package badpatch

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

// checkPatch holds that a diff between two texts gives the second.
func checkPatch(t *testing.T, before, after []byte) {
	diff := patch.Between("f", before, after)
	if diff == nil {
		return
	}
	p, err := patch.Parse(diff)
	require.NoError(t, err)
	changes, err := patch.Apply(patch.MapTree(map[string]patch.Entry{"f": {Data: before}}), p)
	require.NoError(t, err)
	require.Equal(t, string(after), string(changes.Write["f"].Data))
}

// texts are files by path.
type texts map[string]string

// subject makes an instance of two states of some files; files of base alone
// stay as they are.
func subject(t testing.TB, language string, base, gold texts, failures ...Failure) *Subject {
	s, err := NewSubject(Input{
		Instance: &bench.Instance{ID: "a__b-1", Language: language, Patch: between(base, gold)},
		Base:     tree(base), Seed: 7, Failures: failures,
	})
	require.NoError(t, err)
	return s
}

func tree(files texts) patch.Tree {
	entries := map[string]patch.Entry{}
	for p, text := range files {
		entries[p] = patch.Entry{Data: []byte(text), Mode: patch.ModeFile}
	}
	return patch.MapTree(entries)
}

// between is the diff of two states. Gold without a file deletes it only where
// its text there is "-".
func between(base, gold texts) string {
	var out strings.Builder
	for _, p := range keys(gold) {
		var before, after []byte
		if text, ok := base[p]; ok {
			before = present([]byte(text))
		}
		if gold[p] != "-" {
			after = present([]byte(gold[p]))
		}
		out.Write(patch.Between(p, before, after))
	}
	return out.String()
}

func collect(t testing.TB, source Source, s *Subject) []Candidate {
	var out []Candidate
	for c, err := range source.Candidates(context.Background(), s) {
		require.NoError(t, err)
		out = append(out, c)
	}
	return out
}

// state applies a candidate to base and gives the text of a file.
func state(t testing.TB, base texts, diff, path string) string {
	p, err := patch.Parse([]byte(diff))
	require.NoError(t, err, diff)
	changes, err := patch.Apply(tree(base), p)
	require.NoError(t, err, diff)
	entry, err := changes.Over(tree(base)).Read(path)
	if err != nil {
		return "-"
	}
	return string(entry.Data)
}

func keys(m texts) []string { return slices.Sorted(maps.Keys(m)) }
