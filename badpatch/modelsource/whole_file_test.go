package modelsource

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/code"
	"assay/llm"
	"assay/llm/llmtest"
)

// storeFix is the Python fixture, and a version of gold with a mistake.
func storeFix(t testing.TB) (f badpatchtest.Fixture, wrong string) {
	f = badpatchtest.Fixtures(t)[0]
	wrong = strings.Replace(f.Gold[f.Path], "text[:limit]", "text[:limit - 1]", 1)
	require.NotEqual(t, f.Gold[f.Path], wrong)
	return f, wrong
}

// TestWholeFile checks that a file is found in an answer, with any text
// around it.
func TestWholeFile(t *testing.T) {
	f, wrong := storeFix(t)
	for name, answer := range map[string]string{
		"bare":              wrong,
		"no last newline":   strings.TrimSpace(wrong),
		"blank lines round": "\n\n" + wrong + "\n\n",
		"CRLF":              strings.ReplaceAll(wrong, "\n", "\r\n"),
		"fence":             "```python\n" + wrong + "```",
		"fence and prose":   "Here is the file:\n\n```python\n" + wrong + "```\n\nThe bug is at the end.",
		"open fence":        "```\n" + wrong,
		"frame":             "--- begin of lib/store.py ---\n" + wrong + "--- end of lib/store.py ---\n",
		"other comments":    "# a store\n" + strings.Replace(strings.Replace(wrong, "\"\"\"Cleans.\"\"\"", "\"\"\"Bug!\"\"\"", 1), "\n\n\nclass", "\n\nclass", 1),
		"blanks at ends":    strings.ReplaceAll(wrong, ":\n", ":  \n"),
	} {
		t.Run(name, func(t *testing.T) {
			a, fake := asker(t, llmtest.Answer{Text: answer})
			got := badpatchtest.Collect(t, WholeFile{Asker: a}, f.Subject(t))
			require.Len(t, got, 1)
			require.Len(t, fake.Requests(), 1)
			require.Equal(t, wrong, badpatchtest.State(t, f.Base, got[0].Patch, f.Path))
			got[0].Patch = ""
			require.Equal(t, badpatch.Candidate{
				Source: "llm", Operator: "whole-file", Category: badpatch.Contract, Kind: badpatch.KindIncorrect, Tier: badpatch.Around,
				Detail: badpatch.Detail{Path: f.Path, Line: 14, What: "rewritten by fake/model"},
			}, got[0])
		})
	}
}

func TestWholeFileAsksAgain(t *testing.T) {
	f, wrong := storeFix(t)
	gold := f.Gold[f.Path]
	half := wrong[:len(wrong)/2] // within an expression
	for name, tt := range map[string]struct {
		answer     llmtest.Answer
		cause, why string
	}{
		"prose":                  {llmtest.Answer{Text: "The file looks correct to me. I can not put a bug into it."}, noFile, "the answer is not the file"},
		"nothing":                {llmtest.Answer{Text: "\n"}, noFile, "the answer is not the file"},
		"empty fence":            {llmtest.Answer{Text: "```\n```"}, noFile, "the answer is not the file"},
		"a diff":                 {llmtest.Answer{Text: "--- a/lib/store.py\n+++ b/lib/store.py\n@@ -1 +1 @@\n-x\n+y\n"}, noFile, "the answer is not the file"},
		"limit":                  {llmtest.Answer{Text: wrong[:len(wrong)-9], Stop: llm.StopLength}, truncated, "cut off by the limit on its length"},
		"cut":                    {llmtest.Answer{Text: half[:strings.LastIndex(half, "(")+1]}, truncated, "ends too early"},
		"left out":               {llmtest.Answer{Text: strings.Replace(wrong, "    def other(self, key, value):\n", "    # ... rest of the class is unchanged ...\n    def other(self, key, value):\n", 1)}, truncated, "leaves out a part of the file"},
		"most is not there":      {llmtest.Answer{Text: wrong[:strings.Index(wrong, "class Store")]}, truncated, "the answer has only"},
		"no syntax":              {llmtest.Answer{Text: strings.Replace(wrong, "return text.split()", "return text.split(", 1)}, noSyntax, "does not parse any more, from line"},
		"gold":                   {llmtest.Answer{Text: gold}, likeGold, "the same as with the correct patch"},
		"gold, reworded comment": {llmtest.Answer{Text: strings.Replace(gold, "Cleans.", "Cleans it.", 1)}, likeGold, "the same as with the correct patch"},
		"base":                   {llmtest.Answer{Text: f.Base[f.Path]}, likeBase, "the same as before the correct patch"},
	} {
		t.Run(name, func(t *testing.T) {
			a, fake := asker(t, tt.answer, tt.answer, llmtest.Answer{Text: wrong})
			refused := tally{}
			got := badpatchtest.Collect(t, WholeFile{Asker: a, Refused: refused.add}, f.Subject(t))
			require.Len(t, got, 1)
			require.Equal(t, tally{tt.cause: 2}, refused)
			require.NotContains(t, fake.Requests()[0].Messages[0].Text, "Earlier tries")
			require.Equal(t, 2, strings.Count(fake.Requests()[2].Messages[0].Text, tt.why))
		})
	}
}

func TestWholeFileFailure(t *testing.T) {
	f, wrong := storeFix(t)
	for class, cause := range map[llm.Class]string{llm.Refused: byModel, llm.TooLong: tooLong, llm.Malformed: unreadable} {
		a, fake := asker(t, trouble(class), llmtest.Answer{Text: wrong})
		refused := tally{}
		require.Len(t, badpatchtest.Collect(t, WholeFile{Asker: a, Samples: 2, Refused: refused.add}, f.Subject(t)), 1)
		require.Equal(t, tally{cause: 1}, refused)
		require.Len(t, fake.Requests(), 2)
	}
	for _, class := range fatalClasses() {
		a, _ := asker(t, llmtest.Answer{Text: wrong}, trouble(class))
		endsFatally(t, WholeFile{Asker: a, Samples: 3}, f.Subject(t), class, 1)
	}
}

// TestWholeFileOnlyGoldsCode checks which files are asked for.
func TestWholeFileOnlyGoldsCode(t *testing.T) {
	long := strings.Repeat("x = 1\n", maxWhole/6+1)
	base := badpatchtest.Texts{"a.py": "x = 1\n", "gone.py": "y = 1\n", "long.py": long, "data.json": "{}\n", "rest.py": "z = 1\n", "moved.py": "v = 1\n"}
	gold := badpatchtest.Texts{"a.py": "x = 2\n", "gone.py": "-", "long.py": long + "x = 2\n", "data.json": "[]\n", "new.py": "w = 1\n"}
	a, fake := asker(t, llmtest.Answer{When: "begin of a.py", Text: "x = 3\n"}, llmtest.Answer{When: "begin of new.py", Text: "w = 7\n"})
	got := badpatchtest.Collect(t, WholeFile{Asker: a}, badpatchtest.Subject(t, "python", base, gold))
	require.Len(t, fake.Requests(), 2)
	require.Len(t, got, 2)
	require.Equal(t, "w = 7\n", badpatchtest.State(t, base, got[1].Patch, "new.py"))
	require.Equal(t, "x = 2\n", badpatchtest.State(t, base, got[1].Patch, "a.py"))
	require.Equal(t, "[]\n", badpatchtest.State(t, base, got[1].Patch, "data.json"))
	require.Equal(t, long+"x = 2\n", badpatchtest.State(t, base, got[1].Patch, "long.py"))
	require.Equal(t, "-", badpatchtest.State(t, base, got[1].Patch, "gone.py"))
}

// TestWholeFileOwnFences checks that fences in the file itself stay.
func TestWholeFileOwnFences(t *testing.T) {
	gold := "def f(x):\n    \"\"\"Use:\n\n    ```\n    f(1)\n    ```\n    \"\"\"\n    if x:\n        return 1\n    return 2\n"
	wrong := strings.Replace(gold, "if x:", "if not x:", 1)
	base := badpatchtest.Texts{"m.py": "def f(x):\n    return 2\n"}
	for name, answer := range map[string]string{"bare": wrong, "fenced": "```python\n" + wrong + "```\n"} {
		a, _ := asker(t, llmtest.Answer{Text: answer})
		got := badpatchtest.Collect(t, WholeFile{Asker: a}, badpatchtest.Subject(t, "python", base, badpatchtest.Texts{"m.py": gold}))
		require.Len(t, got, 1, name)
		require.Equal(t, wrong, badpatchtest.State(t, base, got[0].Patch, "m.py"))
	}
}

func TestWholeFileKeepsLineEnds(t *testing.T) {
	base := badpatchtest.Texts{"m.py": "def f(x):\r\n    return 2\r\n"}
	gold := badpatchtest.Texts{"m.py": "def f(x):\r\n    if x:\r\n        return 1\r\n    return 2\r\n"}
	a, fake := asker(t, llmtest.Answer{Text: "def f(x):\n    if x:\n        return 3\n    return 2\n"})
	got := badpatchtest.Collect(t, WholeFile{Asker: a}, badpatchtest.Subject(t, "python", base, gold))
	require.Len(t, got, 1)
	require.Equal(t, strings.Replace(gold["m.py"], "return 1", "return 3", 1), badpatchtest.State(t, base, got[0].Patch, "m.py"))
	require.Nil(t, fake.Requests()[0].Temperature)
	require.Equal(t, defaultTokens, fake.Requests()[0].MaxTokens)
}

// FuzzWholeFile checks that of any answer comes a file that says the same, or
// a reason.
func FuzzWholeFile(f *testing.F) {
	fix, wrong := storeFix(f)
	s := fix.Subject(f)
	f.Add(wrong)
	f.Add("```\n" + wrong + "```")
	f.Add("--- begin of lib/store.py ---\n```\n```")
	f.Fuzz(func(t *testing.T, answer string) {
		c := s.Files[0]
		text, no := wholeFile(s, c, answerOf(answer))
		if no != nil {
			require.NotEmpty(t, no.Cause)
			require.NotEmpty(t, no.Why)
			return
		}
		require.Equal(t, code.Normalise(s.Language, fileIn(c, answer)), code.Normalise(s.Language, text))
		require.Equal(t, string(text), string(settled(s.Language, c.After, text)), "it is settled")
	})
}
