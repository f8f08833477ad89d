package style

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestMatchIsTheSameEachTime: a rename onto a path that an old file has leaves
// two old files with one new path; which of them the new file is compared with
// must not depend on the order of a map.
func TestMatchIsTheSameEachTime(t *testing.T) {
	change := Change{
		Before:  map[string][]byte{"a.py": []byte("one\ntwo\n"), "b.py": []byte("two\nthree\n")},
		After:   map[string][]byte{"b.py": []byte("zero\ntwo\n")},
		Renamed: map[string]string{"a.py": "b.py"},
	}
	at := func(path string, line int) bench.Finding {
		return bench.Finding{Rule: "r", Path: path, Range: bench.Range{Line: line}}
	}
	before := []bench.Finding{at("a.py", 2), at("b.py", 1), at("b.py", 2)}
	after := []bench.Finding{at("b.py", 1), at("b.py", 2)}
	want := newSurvey(change).news["b.py"].to
	for range 50 {
		require.Equal(t, want, newSurvey(change).news["b.py"].to)
		require.Equal(t, MatchBy(Cascade, before, after, change), MatchBy(Cascade, before, after, change))
	}
}
