package dataset

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/review"
)

const (
	gold = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1,2 +1,3 @@\n def find(chain, key):\n-    return chain[0].get(key)\n+    layers = reversed_layers(chain)\n+    return next(v for v in layers if v.holds(key))\n"
	half = "--- a/lib/a.py\n+++ b/lib/a.py\n@@ -1,2 +1,2 @@\n def find(chain, key):\n-    return chain[0].get(key)\n+    return chain[-1].get(key)\n"
)

func subjectOf(t *testing.T) *review.Subject {
	s, err := review.Study(review.Input{
		Instance: &bench.Instance{ID: "o__r-1", Language: "python", Patch: gold},
		Bad:      bench.BadPatch{Patch: half},
		Base: func(path string) ([]byte, error) {
			if path != "lib/a.py" {
				return nil, fs.ErrNotExist
			}
			return []byte("def find(chain, key):\n    return chain[0].get(key)\n"), nil
		},
	})
	require.NoError(t, err)
	return s
}

const clean = "The patch looks at one layer only, so a value that another layer holds is still not found."

// TestPublishedReviews: a published review is kept when it is clean, and one
// that quotes gold is refused.
func TestPublishedReviews(t *testing.T) {
	s := subjectOf(t)
	r, ok := published(s, bench.BadPatch{Index: 3, Review: clean})
	require.True(t, ok)
	require.Equal(t, bench.Review{BadPatch: 3, Text: clean, Source: "published", Leak: &bench.LeakReport{Checkable: true}}, r)
	_, ok = published(s, bench.BadPatch{Index: 3})
	require.False(t, ok)
	leaking, ok := published(s, bench.BadPatch{Index: 3, Review: "Do this instead:\n```diff\n" + gold + "```\n"})
	require.False(t, ok)
	require.NotEmpty(t, leaking.Leak.Leaks)
	written := bench.Review{Text: clean, Leak: &bench.LeakReport{Checkable: true, Refused: []string{"draft 1"}}}
	noteRefused(&written, leaking.Leak)
	require.Len(t, written.Leak.Refused, len(leaking.Leak.Leaks)+1)
	require.Equal(t, RefusedPublished+leaking.Leak.Leaks[0], written.Leak.Refused[0])
	require.Equal(t, "draft 1", written.Leak.Refused[len(leaking.Leak.Leaks)])
	bare := bench.Review{Text: clean}
	noteRefused(&bare, leaking.Leak)
	require.Len(t, bare.Leak.Refused, len(leaking.Leak.Leaks))
	noteRefused(&bare, nil)
	require.Len(t, bare.Leak.Refused, len(leaking.Leak.Leaks))
}

// TestRecheck: what an instance says about its own reviews is not trusted.
func TestRecheck(t *testing.T) {
	s := subjectOf(t)
	r := bench.Review{Text: "Call reversed_layers first.", Leak: &bench.LeakReport{Refused: []string{"draft 1"}}}
	recheck(s, &r)
	require.NotEmpty(t, r.Leak.Leaks)
	require.Equal(t, []string{"draft 1"}, r.Leak.Refused)
	unchecked := bench.Review{Text: clean}
	recheck(s, &unchecked)
	require.Empty(t, unchecked.Leak.Leaks)
	require.True(t, unchecked.Leak.Checkable)
}

// TestPublishedReviewsComeFirst: every reviewable bad patch that was published
// with a review is reviewed, and others only up to the number asked for.
func TestPublishedReviewsComeFirst(t *testing.T) {
	bad := []bench.BadPatch{
		{Index: 0, Level: bench.LevelFailsF2P}, {Index: 1, Level: bench.LevelBreaksP2P, Review: "r"},
		{Index: 2, Level: bench.LevelPassesAll, Review: "r"}, {Index: 3, Level: bench.LevelFailsF2P, Review: "r"},
	}
	for most, want := range map[int][]int{0: {3, 1, 0}, 1: {3, 1}, 2: {3, 1}, 3: {3, 1, 0}} {
		var got []int
		for _, b := range reviewable(bad, most) {
			got = append(got, b.Index)
		}
		require.Equal(t, want, got, most)
	}
	_, ok := badPatch(&bench.Instance{BadPatches: bad}, 4)
	require.False(t, ok)
	_, ok = badPatch(&bench.Instance{BadPatches: bad}, 3)
	require.True(t, ok)
}
