package collect

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/internal/github"
)

// hub answers from lists of pull requests, last updated first, two on a page.
type hub struct {
	pulls  []github.Pull
	issues []github.Issue
	// fails is the number of a question from which on there is no answer, and
	// lost is how often places are not known any more.
	fails int
	lost  int
	asked []string
}

func (h *hub) Pulls(_ context.Context, repo, after string) (github.Page, error) {
	h.asked = append(h.asked, "after "+after)
	switch {
	case h.fails > 0 && len(h.asked) >= h.fails:
		return github.Page{}, errors.New("no answer")
	case h.lost > 0 && after != "":
		h.lost--
		return github.Page{}, &github.CursorError{Err: errors.New("what")}
	}
	from := 0
	if after != "" {
		from = slices.IndexFunc(h.pulls, func(p github.Pull) bool { return p.Title == after }) + 1
	}
	page := github.Page{Repository: github.Repository{Name: repo, Licence: "MIT", Stars: 5}, Pulls: h.pulls[from:min(from+2, len(h.pulls))]}
	if from+2 < len(h.pulls) {
		page.End = h.pulls[from+1].Title
	}
	return page, nil
}

func (h *hub) Issues(_ context.Context, _ string, numbers []int) ([]github.Issue, error) {
	h.asked = append(h.asked, "issues")
	var found []github.Issue
	for _, i := range h.issues {
		if slices.Contains(numbers, i.Number) {
			found = append(found, i)
		}
	}
	return found, nil
}

func (h *hub) add(number, day int) {
	p := github.Pull{Number: number, Title: "p" + string(rune('0'+number)), Updated: time.Date(2024, 1, day, 0, 0, 0, 0, time.UTC)}
	h.pulls = append([]github.Pull{p}, h.pulls...)
}

func openForge(t *testing.T, dir string) *Forge {
	t.Helper()
	f, err := (&Folder{Dir: dir}).OpenForge("owner/name")
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestSync: a list that was cut is continued, and a later one ends where the
// first began.
func TestSync(t *testing.T) {
	dir := t.TempDir()
	h := &hub{fails: 3}
	for n := 1; n <= 7; n++ {
		h.add(n, n)
	}
	f := openForge(t, dir)
	require.ErrorContains(t, f.Sync(t.Context(), h, time.Time{}), "no answer")
	require.Len(t, f.pulls, 4)
	require.NoError(t, f.Close())

	// A process that was killed while it wrote leaves half a line.
	path := filepath.Join(dir, "github", "owner__name.jsonl")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(text, `{"top":"20`...), 0o644))
	h.fails, h.asked = 0, nil
	f = openForge(t, dir)
	require.Len(t, f.pulls, 4)
	require.NoError(t, f.Sync(t.Context(), h, time.Time{}))
	require.Equal(t, []string{"after p4", "after p2", "after "}, h.asked, "what was updated in between is on top")
	require.Len(t, f.pulls, 7)

	h.asked = nil
	h.add(8, 8)
	require.NoError(t, f.Sync(t.Context(), h, time.Time{}))
	require.Equal(t, []string{"after ", "after p7"}, h.asked, "one page more, since equal dates may go on")
	require.Len(t, f.pulls, 8)
	require.NoError(t, f.Close())

	// A place that the server forgot means another beginning.
	g, again := openForge(t, t.TempDir()), &hub{pulls: h.pulls, lost: 1}
	require.NoError(t, g.Sync(t.Context(), again, time.Time{}))
	require.Equal(t, []string{"after ", "after p7", "after ", "after p7", "after p5", "after p3"}, again.asked)
	require.Len(t, g.pulls, 8)

	never := &hub{pulls: h.pulls, lost: 9}
	var unknown *github.CursorError
	require.ErrorAs(t, openForge(t, t.TempDir()).Sync(t.Context(), never, time.Time{}), &unknown)
	require.Equal(t, []string{"after ", "after p7", "after ", "after p7"}, never.asked, "begun again once")

	early, some := openForge(t, t.TempDir()), &hub{pulls: h.pulls}
	require.NoError(t, early.Sync(t.Context(), some, time.Date(2024, 1, 6, 0, 0, 0, 0, time.UTC)))
	require.Equal(t, []string{"after ", "after p7"}, some.asked, "what was not updated since cannot have been merged since")

	empty := &hub{}
	none := openForge(t, t.TempDir())
	require.NoError(t, none.Sync(t.Context(), empty, time.Time{}))
	require.Nil(t, none.open)
}

// TestSyncUpdated: what was updated after a run was killed is read, too.
func TestSyncUpdated(t *testing.T) {
	h, dir := &hub{fails: 2}, t.TempDir()
	for n := 1; n <= 4; n++ {
		h.add(n, n)
	}
	f := openForge(t, dir)
	require.Error(t, f.Sync(t.Context(), h, time.Time{}))
	h.fails = 0
	h.add(5, 5)
	require.NoError(t, f.Sync(t.Context(), h, time.Time{}))
	require.Len(t, f.pulls, 5)
	require.Nil(t, f.open)
}

// TestForgeWords: a text links by closing words, and not by what it mentions.
func TestForgeWords(t *testing.T) {
	p := patterns{repo: "owner/name", pull: func(int) bool { return false }}
	g := &Forge{pulls: map[int]github.Pull{1: {Title: "ABC-1: like #2", Body: "See #3.\r\nFixes #4"}}}
	require.Equal(t, []Link{{"4", ByClosingWord}}, g.named(1, p))
	require.Empty(t, g.named(2, p))
}

// TestForgeIssues: an export comes first, also where it names no repository.
func TestForgeIssues(t *testing.T) {
	g := &Forge{repo: "Owner/name", issues: map[int]github.Issue{1: {Number: 1, Title: "hub"}, 2: {Number: 2, Title: "hub"}, 3: {Number: 3, Title: "hub"}}}
	is := g.with(Issues{byRepo: map[string]map[string]Issue{"": {"1": {Title: "any"}, "2": {Title: "any"}}, "owner/name": {"2": {Title: "own"}}}})
	for key, want := range map[string]string{"1": "any", "2": "own", "3": "hub"} {
		i, ok := is.Find("owner/name", key)
		require.True(t, ok)
		require.Equal(t, want, i.Title)
	}
}

// TestGatherWithForge: GitHub's events, numbers and texts complete what the
// clone says.
func TestGatherWithForge(t *testing.T) {
	r := newRepository(t)
	r.commit("first", "src/a.py", "a\n")
	squash := r.fix("Count in the other direction")
	r.fix("Part one of it")
	rebased := r.fix("Part two of it")
	merge := r.merge("topic", "Merge branch 'topic'", "Sort what comes out")
	named := r.fix("Print what came in, fixes #40")
	opened := time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC)
	updated := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	h := &hub{
		pulls: []github.Pull{
			{Number: 21, Title: "p21", Commit: squash, Commits: 1, Subjects: []string{"Count"}, Updated: updated, Labels: []string{"fix"}, Closes: []github.Issue{{Number: 11, Title: "It counts in the wrong direction", Created: opened, Edited: updated, Labels: []string{"bug"}}}},
			{Number: 22, Title: "p22", Commit: rebased, Commits: 2, Subjects: []string{"Part one of it", "Part two of it"}, Updated: updated, Body: "Closes #12"},
			{Number: 23, Title: "p23", Commit: merge, Commits: 1, Subjects: []string{"Sort what comes out"}, Updated: updated, Closes: []github.Issue{{Number: 13, Title: "It does not sort what comes out", Created: opened}}},
		},
		issues: []github.Issue{{Number: 12, Title: "Both parts of it are wrong", Created: opened}, {Number: 40, Title: "It prints nothing at all", Created: opened}},
	}
	dir := t.TempDir()
	gather := func(api GitHub) *Folder {
		folder, err := OpenFolder(dir, Filter{})
		require.NoError(t, err)
		s := r.source()
		s.API = api
		s.Forge, err = folder.OpenForge(s.Name)
		require.NoError(t, err)
		defer s.Forge.Close()
		if !folder.Searched(s) {
			require.NoError(t, s.Forge.Sync(t.Context(), h, time.Time{}))
		}
		require.NoError(t, folder.Gather(t.Context(), s, Issues{}))
		return folder
	}
	folder := gather(h)
	statements, about := map[string]string{}, map[string]Collected{}
	for _, p := range folder.Parts {
		require.NotNil(t, p.Instance, p.ID)
		var c Collected
		require.NoError(t, json.Unmarshal(p.Instance.Extra["collected"], &c))
		statements[p.ID], about[p.ID] = p.Instance.ProblemStatement, c
	}
	require.Equal(t, map[string]string{
		"owner__name-21": "It counts in the wrong direction", "owner__name-22": "Both parts of it are wrong", "owner__name-23": "It does not sort what comes out",
		"owner__name-" + named[:12]: "It prints nothing at all",
	}, statements)
	one := about["owner__name-21"]
	require.Equal(t, []Link{{"11", ByEvent}}, one.Links)
	require.Equal(t, []Used{{Issue: "11", Lines: 1, EditedLater: true}}, one.Issues)
	require.Equal(t, []string{"bug"}, one.Labels)
	require.Equal(t, []string{"fix"}, one.PullLabels)
	require.Equal(t, "MIT", one.Licence)
	require.Equal(t, Rebase, about["owner__name-22"].Kind)
	require.Equal(t, []Link{{"12", ByClosingWord}}, about["owner__name-22"].Links)
	require.Equal(t, Merge, about["owner__name-23"].Kind)
	require.Equal(t, 5, folder.state.Repositories[0].Stars)

	asked := len(h.asked)
	again := gather(nil)
	require.Equal(t, folder.Parts, again.Parts)
	require.Len(t, h.asked, asked, "nothing is asked without new commits")
}
