package modelsource

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/searchreplace"
	"assay/llm"
	"assay/llm/llmtest"
)

func clampSubject(t testing.TB) *badpatch.Subject {
	return badpatchtest.Subject(t, "python", badpatchtest.Texts{"lib/m.py": badpatchtest.ClampBase}, badpatchtest.Texts{"lib/m.py": badpatchtest.ClampGold})
}

// editAnswer is a right answer for clampSubject.
func editAnswer() string {
	return block("lib/m.py", "    if x > LIMIT:", "    if x >= LIMIT + 1:")
}

func TestEdits(t *testing.T) {
	for _, f := range badpatchtest.Fixtures(t) {
		t.Run(f.Language, func(t *testing.T) {
			pair := map[string][2]string{
				"python": {"    if len(text) > limit and limit > 0:", "    if len(text) > limit + 1 and limit > 0:"},
				"java":   {"            width = size;", "            width = size - 1;"},
				"cpp":    {"      width = size;", "      width = size - 1;"},
			}[f.Language]
			old, new := pair[0], pair[1]
			a, fake := asker(t, always("Here it is.\n\n```\n"+block(f.Path, old, new)+"```\n"))
			s := f.Subject(t)
			got := badpatchtest.Collect(t, Edits{Asker: a, Samples: 1}, s)
			require.Len(t, got, 5)
			require.Len(t, fake.Requests(), 5)
			var operators []string
			for _, c := range got {
				operators = append(operators, c.Operator+" "+string(c.Category))
				require.Equal(t, "llm", c.Source)
				require.Equal(t, strings.Replace(f.Gold[f.Path], old, new, 1), badpatchtest.State(t, f.Base, c.Patch, f.Path))
				require.Equal(t, f.Path, c.Detail.Path)
				require.Equal(t, 1+strings.Count(f.Gold[f.Path][:strings.Index(f.Gold[f.Path], old)], "\n"), c.Detail.Line)
				require.Equal(t, badpatch.Lines, c.Tier)
			}
			require.Equal(t, []string{"edits/contract D", "edits/boundary F", "edits/shape F", "edits/state E", "edits/expectation B"}, operators)
			filter, err := badpatch.NewFilter(s)
			require.NoError(t, err)
			defer filter.Close()
			cause, err := filter.Check(got[0])
			require.NoError(t, err)
			require.Empty(t, cause)
		})
	}
}

// TestEditsAsksAgain checks that an answer that cannot be used is counted,
// and asked for again with the reason.
func TestEditsAsksAgain(t *testing.T) {
	at := "lib/m.py"
	for name, tt := range map[string]struct {
		answer     llmtest.Answer
		cause, why string
	}{
		"prose":              {llmtest.Answer{Text: "I would rather change the condition."}, noBlock, "there is no search/replace block in it"},
		"nothing":            {llmtest.Answer{Text: " \n"}, noBlock, "there is no search/replace block in it"},
		"cut in a block":     {llmtest.Answer{Text: strings.TrimSuffix(editAnswer(), ">>>>>>> REPLACE\n")}, noBlock, "block 1 is cut off"},
		"cut by the limit":   {llmtest.Answer{Text: editAnswer() + "lib/m", Stop: llm.StopLength}, truncated, "cut off by the limit on its length"},
		"no such line":       {llmtest.Answer{Text: block(at, "    if x > 4:", "    if x > 5:")}, searchreplace.NotFound, `block 1: lib/m.py has no line "    if x > 4:"`},
		"blanks differ":      {llmtest.Answer{Text: block(at, "if x > LIMIT:", "if x > 5:")}, searchreplace.NotFound, `has no line "if x > LIMIT:"`},
		"lines apart":        {llmtest.Answer{Text: block(at, "    if x > LIMIT:\n    y = x", "    y = x")}, searchreplace.NotFound, "but not one after the other"},
		"twice":              {llmtest.Answer{Text: block(at, "    y = x", "    y = 2")}, searchreplace.Ambiguous, "occur 2 times in lib/m.py: take more lines"},
		"another function":   {llmtest.Answer{Text: block(at, "        x = 1", "        x = 2")}, searchreplace.OutOfRange, "line 16 of lib/m.py is outside"},
		"an import":          {llmtest.Answer{Text: block(at, "import re", "import os")}, searchreplace.OutOfRange, "line 1 of lib/m.py is outside"},
		"another file":       {llmtest.Answer{Text: block("lib/n.py", "    y = x", "    y = 2")}, searchreplace.OutOfRange, `no edits are allowed in "lib/n.py", only in lib/m.py`},
		"one of two wrong":   {llmtest.Answer{Text: editAnswer() + block(at, "nowhere", "here")}, searchreplace.NotFound, "block 2: lib/m.py has no line"},
		"the same twice":     {llmtest.Answer{Text: editAnswer() + editAnswer()}, searchreplace.Overlapping, "block 2: it changes lines that another block changes"},
		"a comment":          {llmtest.Answer{Text: block(at, "    if x > LIMIT:", "    if x > LIMIT:  # wrong?")}, likeGold, "the same as with the correct patch"},
		"base":               {llmtest.Answer{Text: block(at, "    if x > LIMIT:\n        x = LIMIT\n    y = x\n    y = x\n    return y", "    return x")}, likeBase, "the same as before the correct patch"},
		"no syntax":          {llmtest.Answer{Text: block(at, "    if x > LIMIT:", "    if x > (LIMIT:")}, noSyntax, `lib/m.py does not parse any more, from line 7 on: "if x > (LIMIT:"`},
		"no block at a mark": {llmtest.Answer{Text: at + "\n>>>>>>> REPLACE\n"}, noBlock, "before block 1 has begun"},
	} {
		t.Run(name, func(t *testing.T) {
			script := []llmtest.Answer{tt.answer}
			for range 5 {
				script = append(script, llmtest.Answer{Text: editAnswer()})
			}
			a, fake := asker(t, script...)
			refused := tally{}
			got := badpatchtest.Collect(t, Edits{Asker: a, Samples: 1, Refused: refused.add}, clampSubject(t))
			require.Len(t, got, 5)
			require.Equal(t, tally{tt.cause: 1}, refused)
			first, second := fake.Requests()[0], fake.Requests()[1]
			require.NotContains(t, first.Messages[0].Text, "turned down")
			require.Contains(t, second.Messages[0].Text, "Your last answer was turned down: ")
			require.Contains(t, second.Messages[0].Text, tt.why)
			require.NotEqual(t, first.Sample, second.Sample, "the cache must not give the same answer again")
		})
	}
}

func TestEditsGivesUp(t *testing.T) {
	a, fake := asker(t, always("no"))
	refused := tally{}
	require.Empty(t, badpatchtest.Collect(t, Edits{Asker: a, Samples: 2, Tries: 4, Refused: refused.add}, clampSubject(t)))
	require.Len(t, fake.Requests(), 2*5*4)
	require.Equal(t, tally{noBlock: 40}, refused)
	samples := map[string]bool{}
	for _, r := range fake.Requests() {
		samples[fmt.Sprint(r.Sample, r.Messages[0].Text)] = true
	}
	require.Len(t, samples, 40, "no two requests are the same")
}

func TestEditsFailureOfOneCall(t *testing.T) {
	for class, cause := range map[llm.Class]string{llm.Refused: byModel, llm.TooLong: tooLong, llm.Malformed: unreadable} {
		right := llmtest.Answer{Text: editAnswer()}
		a, fake := asker(t, trouble(class), right, right, right, right)
		refused := tally{}
		got := badpatchtest.Collect(t, Edits{Asker: a, Samples: 1, Refused: refused.add}, clampSubject(t))
		require.Len(t, got, 4)
		require.Equal(t, "edits/boundary", got[0].Operator)
		require.Equal(t, tally{cause: 1}, refused)
		require.Len(t, fake.Requests(), 5, "it is not asked again")
	}
}

func TestEditsFatalFailure(t *testing.T) {
	for _, class := range fatalClasses() {
		a, fake := asker(t, llmtest.Answer{Text: editAnswer()}, trouble(class), llmtest.Answer{Text: editAnswer()})
		endsFatally(t, Edits{Asker: a}, clampSubject(t), class, 1)
		require.Len(t, fake.Requests(), 2)
	}
}

func TestEditsIsLazyAndTheSameTwice(t *testing.T) {
	run := func(seed uint64) (candidates []badpatch.Candidate, asked []llm.Request) {
		a, fake := asker(t, always(editAnswer()))
		s := clampSubject(t)
		s.Seed = seed
		return badpatchtest.Collect(t, Edits{Asker: a}, s), fake.Requests()
	}
	one, asked := run(1)
	again, askedAgain := run(1)
	require.Equal(t, one, again)
	require.Equal(t, asked, askedAgain)
	_, other := run(2)
	require.NotEqual(t, asked, other, "the seed draws the hints")
	require.Len(t, asked, 10)
	require.NotEqual(t, asked[0].Messages, asked[5].Messages, "samples have different hints")

	a, fake := asker(t, always(editAnswer()))
	for range (Edits{Asker: a}).Candidates(t.Context(), clampSubject(t)) {
		break
	}
	require.Len(t, fake.Requests(), 1)
}
