package badpatch

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
	"assay/llm"
	"assay/llm/llmtest"
	"assay/llm/prompts"
)

const (
	llmBase = "def size(items):\n    return len(items)\n\n\ndef clip(x, top):\n    return x\n"
	llmGold = "def size(items):\n    return len(items)\n\n\ndef clip(x, top):\n    if x > top:\n        return top\n    return x\n"
)

func asked(t *testing.T, script ...llmtest.Answer) (Asker, *llmtest.Fake) {
	set, err := prompts.Load("")
	require.NoError(t, err)
	fake := llmtest.NewFake(script...)
	return Asker{Client: fake, Model: "openai/m", Prompts: set}, fake
}

func block(path, search, replace string) string {
	return path + "\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + "\n>>>>>>> REPLACE\n"
}

func TestEdits(t *testing.T) {
	good := block("lib/a.py", "    if x > top:", "    if x >= top + 1:")
	for name, c := range map[string]struct {
		answers []llmtest.Answer // of the first sample
		text    string           // what is wrong in the end; empty for no candidate
		causes  []string
	}{
		"a real edit":          {[]llmtest.Answer{{Text: good}}, "if x >= top + 1:", nil},
		"prose":                {[]llmtest.Answer{{Text: "I would rather not."}, {Text: "Sorry."}, {Text: "No."}}, "", []string{"no search/replace blocks", "no search/replace blocks", "no search/replace blocks"}},
		"right in the end":     {[]llmtest.Answer{{Text: "Sure!"}, {Text: block("lib/a.py", "    if y:", "    pass")}, {Text: good}}, "if x >= top + 1:", []string{"no search/replace blocks", "blocks that do not fit"}},
		"outside the function": {[]llmtest.Answer{{Text: block("lib/a.py", "    return len(items)", "    return 0")}, {Text: good}}, "if x >= top + 1:", []string{"blocks that do not fit"}},
		"another file":         {[]llmtest.Answer{{Text: block("lib/b.py", "x = 1", "x = 2")}, {Text: good}}, "if x >= top + 1:", []string{"blocks that do not fit"}},
		"does not parse":       {[]llmtest.Answer{{Text: block("lib/a.py", "    if x > top:", "    if x > > top:")}, {Text: good}}, "if x >= top + 1:", []string{"does not parse"}},
		"says the same":        {[]llmtest.Answer{{Text: block("lib/a.py", "    if x > top:", "    if x > top:  # same")}, {Text: good}}, "if x >= top + 1:", []string{"same code as gold"}},
		"the model refuses":    {[]llmtest.Answer{{Err: &llm.Error{Class: llm.Refused}}}, "", []string{"the model gave no answer"}},
	} {
		t.Run(name, func(t *testing.T) {
			asker, fake := asked(t, c.answers...)
			defer func() { require.Empty(t, fake.Unused()) }()
			var causes []string
			s := subject(t, languages.Python, texts{"lib/a.py": llmBase}, texts{"lib/a.py": llmGold})
			e := Edits{Asker: asker, Samples: 1, Refused: func(c string) { causes = append(causes, c) }}
			files := s.editables()
			got, ok, err := e.sample(context.Background(), s, files, strategies()[1], strategies()[1].hints[:3], 0)
			require.NoError(t, err)
			require.Equal(t, c.text != "", ok)
			require.Equal(t, c.causes, causes)
			if ok {
				require.Contains(t, state(t, texts{"lib/a.py": llmBase}, got.Patch, "lib/a.py"), c.text)
				require.Equal(t, Candidate{Patch: got.Patch, Source: "llm", Operator: "edits/boundary", Category: EdgeCase, Kind: KindIncorrect,
					Detail: Detail{What: "a missed boundary, by openai/m"}}, got)
			}
		})
	}
}

// Each strategy is asked for in its turn, a retry tells the reason, and what
// would meet every call ends the source.
func TestEditsAsk(t *testing.T) {
	s := subject(t, languages.Python, texts{"lib/a.py": llmBase}, texts{"lib/a.py": llmGold})
	asker, fake := asked(t, llmtest.Answer{When: "Strategy", Text: "no"})
	require.Empty(t, collect(t, Edits{Asker: asker, Samples: 2, Tries: 2}, s))
	requests := fake.Requests()
	require.Len(t, requests, 20)
	for i, r := range requests {
		require.Contains(t, r.Messages[0].Text, strategies()[i/2%5].Name)
		require.Equal(t, i%2 == 1, strings.Contains(r.Messages[0].Text, "turned down: there is no search/replace block"))
		require.Contains(t, r.Messages[0].Text, "lib/a.py: 5 to 8")
	}
	asker, _ = asked(t, llmtest.Answer{When: "Strategy", Err: &llm.Error{Class: llm.OverBudget}})
	for _, err := range (Edits{Asker: asker}).Candidates(context.Background(), s) {
		var fatal *FatalError
		require.ErrorAs(t, err, &fatal)
		var e *llm.Error
		require.True(t, errors.As(err, &e) && e.Class == llm.OverBudget)
	}
}

func TestWholeFile(t *testing.T) {
	wrong := strings.ReplaceAll(llmGold, "x > top", "x < top")
	for name, c := range map[string]struct {
		answers []llmtest.Answer
		ok      bool
		causes  []string
	}{
		"the file":           {[]llmtest.Answer{{Text: wrong}}, true, nil},
		"fenced, with prose": {[]llmtest.Answer{{Text: "Here it is:\n```python\n" + wrong + "```\nEnjoy!"}}, true, nil},
		"no last line end":   {[]llmtest.Answer{{Text: strings.TrimSuffix(wrong, "\n")}}, true, nil},
		"cut by its length":  {[]llmtest.Answer{{Text: wrong[:60], Stop: llm.StopLength}, {Text: wrong}}, true, []string{"cut short"}},
		"cut by itself":      {[]llmtest.Answer{{Text: "def size(items):\n    return len(items)\n"}, {Text: wrong}}, true, []string{"cut short"}},
		"gold again":         {[]llmtest.Answer{{Text: llmGold}, {Text: wrong}}, true, []string{"same code as gold"}},
		"a broken file":      {[]llmtest.Answer{{Text: wrong + "def (:\n"}, {Text: wrong + ")"}, {Text: "I cannot do that, since it would be wrong. Sorry for that; ask me for something else, will you? It is against what I stand for."}}, false, []string{"does not parse", "does not parse", "does not parse"}},
	} {
		t.Run(name, func(t *testing.T) {
			asker, fake := asked(t, c.answers...)
			var causes []string
			s := subject(t, languages.Python, texts{"lib/a.py": llmBase}, texts{"lib/a.py": llmGold})
			got := collect(t, WholeFile{Asker: asker, Refused: func(c string) { causes = append(causes, c) }}, s)
			require.Equal(t, c.causes, causes)
			require.Empty(t, fake.Unused())
			require.Equal(t, c.ok, len(got) == 1)
			if c.ok {
				require.Equal(t, wrong, state(t, texts{"lib/a.py": llmBase}, got[0].Patch, "lib/a.py"))
				require.Equal(t, Guard, got[0].Category, "a condition differs")
			}
		})
	}
}

func TestAttempts(t *testing.T) {
	base, gold := texts{"lib/a.py": llmBase}, texts{"lib/a.py": llmGold}
	try := func(condition string) string {
		return between(base, texts{"lib/a.py": strings.ReplaceAll(llmGold, "x > top", condition)})
	}
	var all []bench.Prediction
	add := func(id, model, patch string) {
		all = append(all, bench.Prediction{InstanceID: id, Model: model, Patch: patch})
	}
	add("a__b-1", "m1", try("x > 7"))
	add("a__b-1", "m2", strings.ReplaceAll(try("x > 7"), "+        return top", "+        return top  # seven")+between(base, texts{"tests/test_a.py": "def test(): pass\n"}))
	add("a__b-1", "m1", try("x > 8"))
	add("a__b-1", "m1", try("x > 9"))
	add("a__b-1", "m3", "")
	add("a__b-1", "m3", "no patch at all")
	add("other__b-2", "m3", try("x > 5"))
	add("a__b-1", "m4", between(base, texts{"tests/test_a.py": "def test(): pass\n"}))
	got := collect(t, Attempts{Predictions: all}, subject(t, languages.Python, base, gold))
	require.Len(t, got, 2, "three of m1's, of which two may stay; m2's is one of them")
	for _, c := range got {
		require.NotContains(t, c.Patch, "tests/")
		require.Equal(t, "m1", c.Operator)
		if strings.Contains(c.Patch, "x > 7") {
			require.Equal(t, "submitted by m1, m2", c.Detail.What)
		}
	}
	require.Len(t, collect(t, Attempts{Predictions: all, PerModel: 9}, subject(t, languages.Python, base, gold)), 3)
}

func TestCategoryOf(t *testing.T) {
	base := texts{"lib/a.py": llmBase, "lib/b.py": strings.Repeat("x = 1\n", 60)}
	gold := "def size(items):\n    return len(items)\n\n\ndef clip(x, top=3):\n    low = 0\n    if x > top:\n        x = top\n    return max(x, low)\n"
	as := func(old, new string) texts { return texts{"lib/a.py": strings.ReplaceAll(gold, old, new)} }
	for name, c := range map[string]struct {
		state    texts
		category Category
	}{
		"another file":       {texts{"lib/b.py": "y = 2\n"}, WrongLayer},
		"gold and much else": {texts{"lib/a.py": gold, "lib/b.py": strings.Repeat("y = 2\n", 60)}, Undiscipline},
		"a part of gold":     {as("    low = 0\n", ""), Partial},
		"another condition":  {as("x > top", "x > top and x > 5"), Guard},
		"another number":     {as("low = 0", "low = 1"), EdgeCase},
		"another result":     {as("return max(x, low)", "return min(x, low)"), Contract},
		"without the guard":  {texts{"lib/a.py": llmBase + "\n\nCLIP = 3\n"}, Guard},
	} {
		t.Run(name, func(t *testing.T) {
			category, kind := CategoryOf(subject(t, languages.Python, base, texts{"lib/a.py": gold}), between(base, c.state))
			require.Equal(t, string(c.category), string(category))
			require.NotEmpty(t, kind)
		})
	}
}

func TestCategoriseByModel(t *testing.T) {
	s := subject(t, languages.Python, texts{"lib/a.py": llmBase}, texts{"lib/a.py": llmGold})
	c := Candidate{Patch: "p", Category: Guard, Kind: KindIncorrect}
	for name, k := range map[string]struct {
		answers  []llmtest.Answer
		category Category
		kind     Kind
	}{
		"told":                  {[]llmtest.Answer{{Text: "Category: B\nKind: Partial"}}, Partial, KindPartial},
		"told when asked again": {[]llmtest.Answer{{Text: "hm"}, {Text: "Category: C\nKind: Unnecessary"}}, Undiscipline, KindUnnecessary},
		"never told":            {[]llmtest.Answer{{Text: "hm"}, {Text: "hm"}}, Guard, KindIncorrect},
	} {
		t.Run(name, func(t *testing.T) {
			asker, _ := asked(t, k.answers...)
			category, kind, err := asker.Categorise(context.Background(), s, c)
			require.NoError(t, err)
			require.Equal(t, k.category, category)
			require.Equal(t, k.kind, kind)
		})
	}
}
