// Package badpatchtest helps to test what makes, runs and measures bad patches:
// made-up fixes, trees of files, outcomes of runs and trials.
package badpatchtest

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/bench"
	"assay/internal/patch"
)

// CheckPatch checks that a diff between two texts gives the second.
func CheckPatch(t *testing.T, before, after []byte) {
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

// Texts are files by path.
type Texts map[string]string

// Subject makes an instance of two states of some files; files of base alone
// stay as they are.
func Subject(t testing.TB, language string, base, gold Texts, failures ...badpatch.Failure) *badpatch.Subject {
	s, err := badpatch.NewSubject(badpatch.Input{
		Instance: &bench.Instance{ID: "a__b-1", Language: language, Patch: Between(base, gold)},
		Base:     Tree(base), Seed: 7, Failures: failures,
	})
	require.NoError(t, err)
	return s
}

// Tree is a tree of files.
func Tree(files Texts) patch.Tree {
	entries := map[string]patch.Entry{}
	for p, text := range files {
		entries[p] = patch.Entry{Data: []byte(text), Mode: patch.ModeFile}
	}
	return patch.MapTree(entries)
}

// Between is the diff of two states. Gold without a file deletes it only where
// its text there is "-".
func Between(base, gold Texts) string {
	var out strings.Builder
	for _, p := range Keys(gold) {
		var before, after []byte
		if text, ok := base[p]; ok {
			before = code.Present([]byte(text))
		}
		if gold[p] != "-" {
			after = code.Present([]byte(gold[p]))
		}
		out.Write(patch.Between(p, before, after))
	}
	return out.String()
}

// Collect lists all candidates of a source.
func Collect(t testing.TB, source badpatch.Source, s *badpatch.Subject) []badpatch.Candidate {
	var out []badpatch.Candidate
	for c, err := range source.Candidates(context.Background(), s) {
		require.NoError(t, err)
		out = append(out, c)
	}
	return out
}

// State applies a candidate to base and gives the text of a file.
func State(t testing.TB, base Texts, diff, path string) string {
	p, err := patch.Parse([]byte(diff))
	require.NoError(t, err, diff)
	changes, err := patch.Apply(Tree(base), p)
	require.NoError(t, err, diff)
	entry, err := changes.Over(Tree(base)).Read(path)
	if err != nil {
		return "-"
	}
	return string(entry.Data)
}

// Keys are the paths, sorted.
func Keys(m Texts) []string { return slices.Sorted(maps.Keys(m)) }
