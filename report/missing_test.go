package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestMissingTasksAreShown: tasks without a submission are counted, also in a
// language in which the model submitted nothing, and are in the rate over all.
func TestMissingTasksAreShown(t *testing.T) {
	s := &Summary{}
	s.Add(bench.Result{Task: "bugfix", Language: "java", Model: "m", Verdict: bench.Resolved})
	s.Add(bench.Result{Task: "bugfix", Language: "java", Model: "m", Verdict: bench.Infra})
	s.Miss("bugfix", "java", "m", 2)
	s.Miss("bugfix", "cpp", "m", 3)
	s.Sort([]string{"bugfix"})
	require.Len(t, s.Rows, 2)
	cpp, java := s.Rows[0], s.Rows[1]
	require.Equal(t, []int{0, 0, 0, 3, 3}, []int{cpp.Submitted, cpp.Judged, cpp.Resolved, cpp.Missing, cpp.All})
	require.Equal(t, []int{2, 1, 1, 2, 4}, []int{java.Submitted, java.Judged, java.Resolved, java.Missing, java.All})
	require.Equal(t, []int{2, 1, 1, 5, 7}, []int{s.Total.Submitted, s.Total.Judged, s.Total.Resolved, s.Total.Missing, s.Total.All})
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| bugfix | java | m | 1/1 | 100.0 % | 25.0 % |  |  |  |  | 1 | 2 |")
	require.Contains(t, md.String(), "| bugfix | cpp | m | 0/0 | n/a | 0.0 % |  |  |  |  |  | 3 |")
	data, err := json.Marshal(s.Rows[1])
	require.NoError(t, err)
	require.Contains(t, string(data), `"missing":2,"all":4`)
}

// TestNothingMissing: where every task was judged both rates are the same, and
// one is enough.
func TestNothingMissing(t *testing.T) {
	s := &Summary{}
	s.Add(bench.Result{Task: "bugfix", Language: "java", Model: "m", Verdict: bench.Resolved})
	s.Sort([]string{"bugfix"})
	var md bytes.Buffer
	require.NoError(t, s.Markdown(&md))
	require.Contains(t, md.String(), "| task | language | submission | resolved | rate | gold | bad | killed | paper | not judged |\n")
	require.Contains(t, md.String(), "| bugfix | java | m | 1/1 | 100.0 % |  |  |  |  |  |\n")
}
