package agents

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents/worktree"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/internal/patch"
)

// TestImageFiles: tracked files whose content did not fit the first listing are
// read, those of others are not asked for again.
func TestImageFiles(t *testing.T) {
	const room = 4 // files of which a listing returns the content
	var all []harness.Entry
	want := map[string]patch.Entry{}
	start := worktree.Start{Tracked: map[string]bool{}}
	for i := range 20 {
		e := fileEntry(fmt.Sprintf("%02d", i), []byte{byte(i)}, 0o644)
		if i%2 == 1 {
			start.Tracked[e.Path] = true
			want[e.Path] = patch.Entry{Data: e.Data, Mode: patch.ModeFile}
		}
		all = append(all, e)
	}
	large := harness.Entry{Path: "large", Mode: 0o644, Size: 1 << 40, Omitted: true}
	start.Tracked[large.Path] = true
	all = append(all, large)
	start.Entries = worktree.Index(all)
	var listings int
	list := func(_ context.Context, job harness.Job) (harness.Result, error) {
		listings++
		var res harness.Result
		given := 0
		for _, e := range all {
			if e.SHA256 != "" && job.Tree.Known[e.Path] == e.SHA256 {
				e.Data = nil
			} else if given++; given > room {
				e.Data, e.Omitted = nil, true
			}
			res.Tree = append(res.Tree, e)
		}
		return res, nil
	}
	job := harness.Job{Tree: &harness.TreeQuery{Dir: "/x"}}
	first, err := list(t.Context(), job)
	require.NoError(t, err)
	fake := &harnesstest.Fake{Handle: list}
	files, err := imageFiles(t.Context(), fake, job, first.Tree, start)
	require.NoError(t, err)
	require.Equal(t, 3, listings, "two files came with the first, eight were left")
	got, err := readFrom(files)(t.Context(), []string{"00", "01", "03", "05", "07", "09", "11", "13", "15", "17", "19", "large"})
	require.NoError(t, err)
	require.Equal(t, want, got)

	none := func(_ context.Context, job harness.Job) (harness.Result, error) { return first, nil }
	_, err = imageFiles(t.Context(), &harnesstest.Fake{Handle: none}, job, first.Tree, start)
	require.EqualError(t, err, "the repository has more content than can be read: 8 files are left")
}
