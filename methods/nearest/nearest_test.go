package nearest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTo(t *testing.T) {
	files := []string{"tests/test_agenda.py", "tests/test_engine.py", "tests/test_parser.py"}
	for name, want := range map[string]string{
		"tests/test_parser.py":   "tests/test_parser.py",
		"test_parser.py":         "tests/test_parser.py",
		"tests/test_parsers.py":  "tests/test_parser.py",
		"tests/test_engines.py":  "tests/test_engine.py",
		"tests/unit/test_agenda": "tests/test_agenda.py",
		"":                       "tests/test_agenda.py", // even: the first
	} {
		got, ok := To(name, files)
		require.True(t, ok)
		require.Equal(t, want, got, name)
	}
	_, ok := To("a", nil)
	require.False(t, ok)
}

func TestClose(t *testing.T) {
	names := []string{"TestPolyFit.test_one_grouper", "TestPolyFit.test_no_grouper"}
	got, ok := Close("TestPolyFit.test_one_groupers", names)
	require.True(t, ok)
	require.Equal(t, names[0], got)
	_, ok = Close("test_something_else_entirely", names)
	require.False(t, ok)
	_, ok = Close("x", nil)
	require.False(t, ok)
}

// TestToIsLeast compares with looking at every distance.
func TestToIsLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[abü]{0,6}`)
		name, list := text.Draw(t, "name"), rapid.SliceOfN(text, 1, 6).Draw(t, "list")
		got, ok := To(name, list)
		require.True(t, ok)
		for _, other := range list {
			require.LessOrEqual(t, distance(name, got), distance(name, other))
		}
	})
}

// distance is the edit distance by its definition.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) == 0 || len(y) == 0 {
		return len(x) + len(y)
	}
	if x[0] == y[0] {
		return distance(string(x[1:]), string(y[1:]))
	}
	return 1 + min(distance(string(x[1:]), b), distance(a, string(y[1:])), distance(string(x[1:]), string(y[1:])))
}
