package review

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"assay/bench"
	"assay/internal/patch"
)

// source draws a module of functions made of few names, among them words that
// the deterministic reviewer uses itself.
func source(t *rapid.T, label string) string {
	words := []string{"patch", "issue", "change", "The", "test", "file", "value_of", "limitFor", "x", "12", "47", "\"take it back\"", "\"is not needed\"", "\"`a`\"", "(", ")", "+", ".", "=", "# fails", "``", "in `pkg/mod.py`"}
	names := []string{"patch", "behaviour", "left", "change_of"}
	var out strings.Builder
	for _, name := range names {
		if rapid.IntRange(0, 4).Draw(t, label+" has") == 0 {
			continue
		}
		out.WriteString("def " + name + "():\n")
		for _, line := range rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(words), 1, 7), 1, 3).Draw(t, label) {
			out.WriteString("    " + strings.Join(line, " ") + "\n")
		}
	}
	return out.String()
}

func drawnInput(t *rapid.T) Input {
	in := smallInput("x", source(t, "base"), source(t, "gold"), source(t, "bad"))
	messages := rapid.SampledFrom([]string{"", "assert 12 == 47", "assert 'take it back' == value_of(limitFor)", "x.limitForError: no", "expected: <`47`> but was: <patch>"})
	id := rapid.SampledFrom([]string{"t.py::test_value_of", "t.py::limitFor[47]", "t.py::take it back"})
	for range rapid.IntRange(0, 3).Draw(t, "failing") {
		test := bench.Test{ID: id.Draw(t, "id"), Status: bench.Failed, Message: messages.Draw(t, "message")}
		in.FailToPass = append(in.FailToPass, test)
		in.Instance.FailToPass = append(in.Instance.FailToPass, test.ID)
	}
	return in
}

// TestDeterministicNeverLeaks is the promise of the deterministic reviewer.
func TestDeterministicNeverLeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Study(drawnInput(t))
		require.NoError(t, err)
		for _, level := range []DetailLevel{L0, L1, L2, L3} {
			r := s.Deterministic(level)
			require.NotEmpty(t, r.Text)
			require.Empty(t, s.Leaks(r.Text), r.Text)
			require.Equal(t, r, s.Deterministic(level))
		}
	})
}

// TestCopiesAreFound: a line of gold that holds something new is a leak, as
// code and in prose.
func TestCopiesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawnInput(t)
		s, err := Study(in)
		require.NoError(t, err)
		for _, line := range goldLinesOf(t, in) {
			fresh := secrets{words: map[string]bool{}, numbers: map[string]bool{}, literals: map[string]bool{}, grams: map[gram]bool{}}
			fresh.learn(lex([]byte(line), pythonLike))
			for g := range fresh.grams {
				if s.secret.grams[g] && !strings.Contains(line, "`") {
					require.NotEmpty(t, s.Leaks("Write "+line+" there."), line)
					require.NotEmpty(t, s.Leaks("Write `"+line+"` there."), line)
				}
			}
		}
	})
}

func goldLinesOf(t *rapid.T, in Input) []string {
	p, err := patch.Parse([]byte(in.Instance.Patch))
	require.NoError(t, err)
	if p.Empty() {
		return nil
	}
	var out []string
	for _, line := range strings.Split(in.Instance.Patch, "\n") {
		if code, ok := strings.CutPrefix(line, "+"); ok && !strings.HasPrefix(line, "+++") {
			out = append(out, strings.TrimSpace(code))
		}
	}
	return out
}

// TestNothingNewNothingLeaks: where gold is the bad patch, no name or code of
// it is a secret.
func TestNothingNewNothingLeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawnInput(t)
		in.Instance.Patch = in.Bad.Patch
		s, err := Study(in)
		require.NoError(t, err)
		require.False(t, s.Checkable())
		require.Empty(t, s.Places())
		require.Empty(t, s.Leaks("See `"+strings.ReplaceAll(source(t, "text"), "`", "")+"`"))
	})
}
