package review

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/llm"
	"assay/llm/llmtest"
	"assay/llm/prompts"
)

const (
	countBase = "def count(n):\n    return list(range(n))\n"
	countGold = "--- a/counts.py\n+++ b/counts.py\n@@ -1,2 +1,6 @@\n def count(n):\n-    return list(range(n))\n+    first_number = 1\n+    return list(range(first_number, n + first_number))\n+\n+def countdown(n):\n+    return count(n)[::-1]\n"
	countTest = "--- /dev/null\n+++ b/tests/test_counts.py\n@@ -0,0 +1,5 @@\n+import counts\n+\n+\n+def test_from_one():\n+    assert counts.countdown(7321) == 7321\n"
)

func untold() Untold {
	return Untold{
		Instance: &bench.Instance{ID: "o__n-1", Language: "python", Patch: countGold, TestPatch: countTest, ProblemStatement: "Use first_number"},
		Failing:  []bench.Test{{ID: "tests/test_counts.py::test_from_one", Message: "AttributeError: countdown"}},
		Names:    []string{"countdown"},
		Base: func(path string) ([]byte, error) {
			if path != "counts.py" {
				return nil, fs.ErrNotExist
			}
			return []byte(countBase), nil
		},
	}
}

const goodStatement = "Counting begins at zero\nWhen I count, the list begins at zero, and people begin at one. There is also no way to go backwards: `countdown` should give the same list in reverse."

// TestWriteStatement: a draft with a leak, without a name that is needed, or of
// another form is not accepted, and the next prompt has the reason.
func TestWriteStatement(t *testing.T) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		draft string
		stop  llm.Stop
		why   string // for the data set
		told  string // to the model
	}{
		"good":            {goodStatement, "", "", ""},
		"in a fence":      {"```markdown\n" + goodStatement + "\n```", "", "", ""},
		"names the fix":   {goodStatement + " Add first_number to it.", "", "leaks: identifier (word ", `"first_number"`},
		"names the test":  {goodStatement + " See test_from_one.", "", "leaks: identifier (word ", `"test_from_one"`},
		"quotes a value":  {goodStatement + " It should give 7321.", "", "leaks: number (word ", "7321"},
		"tells of gold":   {goodStatement + " The reference solution does so.", "", "leaks: answer (word ", "reference solution"},
		"misses the name": {"Counting begins at zero, and people who count begin at one as everybody knows.", "", "1 names that a solution must have are not mentioned", `"countdown"`},
		"empty":           {"", "", "empty", "it was empty"},
		"no sentences":    {"- a\n- b", "", "no prose", "hardly any sentences"},
		"cut":             {goodStatement, llm.StopLength, "cut off by the token limit", "write less"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := llmtest.NewFake(llmtest.Answer{Text: c.draft, Stop: c.stop}, llmtest.Answer{Text: goodStatement})
			got, err := WriteStatement(t.Context(), fake, set, untold(), Options{Model: "fake/one"})
			require.NoError(t, err)
			require.Equal(t, goodStatement, got.Text)
			require.True(t, got.Leak.Checkable)
			asked := fake.Requests()
			require.Contains(t, asked[0].Messages[0].Text, "AttributeError: countdown")
			require.NotContains(t, asked[0].Messages[0].Text, "range(first_number", "gold is not shown")
			if c.why == "" {
				require.Len(t, asked, 1)
				require.Empty(t, got.Leak.Refused)
				return
			}
			require.Len(t, asked, 2)
			require.Len(t, got.Leak.Refused, 1)
			require.Contains(t, got.Leak.Refused[0], c.why)
			require.NotContains(t, got.Leak.Refused[0], "first_number")
			require.Contains(t, asked[1].Messages[0].Text, c.told)
		})
	}
}

func TestWriteStatementFails(t *testing.T) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	leak := llmtest.Answer{Text: goodStatement + " Add first_number."}
	none, err := WriteStatement(t.Context(), llmtest.NewFake(leak, leak, leak), set, untold(), Options{})
	require.NoError(t, err)
	require.Empty(t, none.Text)
	require.Len(t, none.Leak.Refused, 3)
	refused := llmtest.Answer{Err: &llm.Error{Class: llm.Refused, Err: errors.New("no")}}
	none, err = WriteStatement(t.Context(), llmtest.NewFake(refused), set, untold(), Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"the model refused to answer"}, none.Leak.Refused)
	spent := llmtest.Answer{Err: &llm.Error{Class: llm.OverBudget, Err: errors.New("spent")}}
	_, err = WriteStatement(t.Context(), llmtest.NewFake(spent), set, untold(), Options{})
	var e *llm.Error
	require.ErrorAs(t, err, &e)
	in := untold()
	in.QuoteTests = true
	quoted, err := WriteStatement(t.Context(), llmtest.NewFake(llmtest.Answer{Text: goodStatement + " It should give 7321."}), set, in, Options{})
	require.NoError(t, err)
	require.Contains(t, quoted.Text, "7321")
}
