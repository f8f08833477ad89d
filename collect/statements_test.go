package collect

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// author writes the texts that it was given, by instance.
type author struct {
	texts map[string]string
	asked []Untold
	fails bool
}

func (a *author) Name() string { return "fake/one" }

func (a *author) Write(_ context.Context, u Untold) (string, bench.LeakReport, error) {
	if a.fails {
		return "", bench.LeakReport{}, errors.New("the budget is spent")
	}
	a.asked = append(a.asked, u)
	text := a.texts[u.Instance.ID]
	if text == "" {
		return "", bench.LeakReport{Refused: []string{"leaks"}}, nil
	}
	return text, bench.LeakReport{Checkable: true}, nil
}

func (c *collection) instances() map[string]bench.Instance {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, instancesFile))
	require.NoError(c.t, err)
	list, err := readLines[bench.Instance](filepath.Join(c.dir, instancesFile))
	require.NoError(c.t, err, string(data))
	by := map[string]bench.Instance{}
	for _, i := range list {
		by[i.ID] = i
	}
	return by
}

// TestWriteStatements: instances without an issue get a statement, which says
// that a model wrote it; one whose own words say too little is an instance only
// with it.
func TestWriteStatements(t *testing.T) {
	c := newCollection(t, "valid", "valid")
	c.made.commit("Fixes #901", "src/short.py", "x = new_short\n", "tests/test_short.py", "# scenario valid\nnew_short\n")
	c.made.commit("Fixes #902", "src/shorter.py", "x\n", "tests/test_shorter.py", "# scenario valid\n")
	plain, _, err := c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Len(t, plain, 2, "two say too little")

	ids, folder, err := c.complete(Plan{Jobs: 1, Short: true}, 1)
	require.NoError(t, err)
	require.Equal(t, plain, ids, "they wait for their statements")
	var short, shorter string
	for _, p := range folder.Parts {
		if p.Dropped == NoStatement && short != "" {
			short, shorter = p.ID, short
		} else if p.Dropped == NoStatement {
			short = p.ID
		}
	}
	a := &author{fails: true}
	sources := []Source{c.made.source()}
	require.ErrorContains(t, folder.WriteStatements(t.Context(), a, sources), "the budget is spent")
	require.Len(t, c.instances(), 2)

	a = &author{texts: map[string]string{short: "It does not do what new_short is for", "owner__name-1": "It breaks when one looks at it"}}
	require.NoError(t, folder.WriteStatements(t.Context(), a, sources))
	require.Len(t, a.asked, 4)
	require.Equal(t, []bench.Test{{ID: "tests/t.py::test_new", Status: bench.Failed}}, a.asked[0].Failing)
	base, err := a.asked[0].Base("src/a.py")
	require.NoError(t, err)
	require.Equal(t, "a\n", string(base))

	got := c.instances()
	require.Len(t, got, 3)
	valid := map[Reason]int{}
	for _, n := range folder.Funnel() {
		if n.Stage == StageValidate {
			valid[n.Reason] += n.N
		}
	}
	require.Equal(t, map[Reason]int{"": 3, NoStatement: 1}, valid, "one that has no statement is no instance")
	require.NotContains(t, got, shorter)
	require.Equal(t, "It breaks when one looks at it", got["owner__name-1"].ProblemStatement)
	require.Contains(t, got["owner__name-1"].Provenance.Notes, "written by a model (fake/one)")
	about := func(id string) (c Collected) {
		require.NoError(t, json.Unmarshal(got[id].Extra[extraField], &c))
		return c
	}
	require.Equal(t, []StatementSource{FromModel}, about("owner__name-1").Statement)
	require.Equal(t, "fake/one", about("owner__name-1").Author)
	require.True(t, about("owner__name-1").Leak.Checkable)
	require.Empty(t, about(short).Names, "the text mentions what it must")
	require.Equal(t, []StatementSource{FromPull}, about("owner__name-2").Statement, "no draft could be taken")

	// An author is not asked twice, and later steps keep the statements.
	require.NoError(t, folder.WriteStatements(t.Context(), a, sources))
	require.Len(t, a.asked, 4)
	again, _, err := c.complete(Plan{Jobs: 1}, 1)
	require.NoError(t, err)
	require.Len(t, again, 3)
	require.Equal(t, got, c.instances())
}

// TestStatementsOfIssues: where there is an issue no model is asked.
func TestStatementsOfIssues(t *testing.T) {
	c := newCollection(t, "valid")
	folder, err := OpenFolder(c.dir, Filter{})
	require.NoError(t, err)
	s := c.made.source()
	is := Issues{byRepo: map[string]map[string]Issue{"": {"100": {Key: "100", Title: "It breaks when one looks"}}}}
	require.NoError(t, folder.Gather(t.Context(), s, is))
	require.NotNil(t, folder.Parts[0].Instance)
	folder.Checked = []Checked{{ID: folder.Parts[0].ID}}
	require.NoError(t, writeLines(filepath.Join(c.dir, validatedFile), folder.Checked))
	a := &author{}
	require.NoError(t, folder.WriteStatements(t.Context(), a, []Source{s}))
	require.Empty(t, a.asked)
}
