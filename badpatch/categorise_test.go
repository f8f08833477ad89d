package badpatch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm"
	"assay/llm/llmtest"
)

const (
	ruleBase = "import re\n\n\ndef load(name, limit=3):\n    text = name\n    if not text:\n        raise ValueError(text)\n    return text\n\n\ndef one(x):\n    return x\n\n\ndef two(x):\n    return x + 1\n\n\ndef three(x):\n    return x + 2\n\n\ndef four(x):\n    return x + 3\n"

	ruleGold = "import re\n\n\ndef load(name, limit=3):\n    if name is None:\n        raise TypeError(name)\n    text = name.strip()\n    size = len(text)\n    if not text:\n        raise ValueError(text)\n    if size > limit:\n        text = text[:limit]\n    return text\n\n\ndef one(x):\n    return x\n\n\ndef two(x):\n    return x + 1\n\n\ndef three(x):\n    return x + 2\n\n\ndef four(x):\n    return x + 3\n"
)

// changing replaces pairs of texts, all of which must be there.
func changing(t testing.TB, text string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		require.Contains(t, text, pairs[i])
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func TestCategoryOf(t *testing.T) {
	gold := func(pairs ...string) string { return changing(t, ruleGold, pairs...) }
	base := func(pairs ...string) string { return changing(t, ruleBase, pairs...) }
	for name, tt := range map[string]struct {
		bad  string
		want Category
		kind Kind
	}{
		"another function":      {base("return x\n", "return str(x)\n"), WrongLayer, KindIncorrect},
		"nothing but comments":  {base("    text = name\n", "    # name\n    text = name\n"), WrongLayer, KindIncorrect},
		"an import":             {base("import re", "import os"), WrongLayer, KindIncorrect},
		"something else there":  {base("text = name", "text = str(name).lower()"), WrongLayer, KindIncorrect},
		"a part":                {base("    text = name\n", "    if name is None:\n        raise TypeError(name)\n    text = name\n"), Partial, KindPartial},
		"all but one statement": {gold("    size = len(text)\n", ""), Partial, KindPartial},
		"a part in other words": {base("    text = name\n", "    text = name.strip()\n    size = len(text)\n    text = text[:limit] or text\n"), Guard, KindIncorrect},
		"gold and another":      {gold("x + 1", "x - 1"), Undiscipline, KindUnnecessary},
		"gold and more":         {gold("    size = len(text)\n", "    size = len(text)\n    limit = max(limit, 1)\n"), Undiscipline, KindUnnecessary},
		"many others":           {base("    text = name\n", "    text = str(name)\n", "x + 1", "x - 1", "x + 2", "x - 2", "x + 3", "x - 3"), Undiscipline, KindUnnecessary},
		"another order":         {gold("    size = len(text)\n", "", "        raise ValueError(text)\n", "        raise ValueError(text)\n    size = len(text)\n"), Contract, KindIncorrect},
		"another default":       {gold("limit=3", "limit=4"), Contract, KindIncorrect},
		"another parameter":     {gold("limit=3", "most=3", "> limit", "> most", ":limit", ":most"), Contract, KindIncorrect},
		"another exception":     {gold("TypeError(name)", "KeyError(name)"), Contract, KindIncorrect},
		"another result":        {gold("    return text\n", "    return [text]\n"), Contract, KindIncorrect},
		"the limit itself":      {gold("size > limit", "size >= limit"), EdgeCase, KindIncorrect},
		"a text":                {gold("name.strip()", "name.strip(' ')"), Partial, KindPartial},
		"inverted":              {gold("name is None", "name is not None"), Guard, KindIncorrect},
		"a guard of base's":     {gold("    if not text:\n        raise ValueError(text)\n", "    text = text or name\n"), Guard, KindIncorrect},
		"another condition":     {base("    text = name\n", "    if name == 'None':\n        name = ''\n    text = name\n"), Guard, KindIncorrect},
		"a statement of gold's": {gold("size = len(text)", "size = len(name)"), Partial, KindPartial},
	} {
		t.Run(name, func(t *testing.T) {
			s := subject(t, "python", texts{"m.py": ruleBase}, texts{"m.py": ruleGold})
			c, k := CategoryOf(s, between(texts{"m.py": ruleBase}, texts{"m.py": tt.bad}))
			require.Equal(t, tt.want, c)
			require.Equal(t, tt.kind, k)
		})
	}
}

func TestCategoryOfFiles(t *testing.T) {
	base := texts{"a.py": "def a(x):\n    return x\n", "b.py": "def b(x):\n    return x\n", "c.py": "def c(x):\n    return 1\n\n\ndef d(x):\n    return 2\n\n\ndef e(x):\n    return 3\n"}
	s := subject(t, "python", base, texts{"a.py": "def a(x):\n    return x + 1\n", "n.py": "def n(x):\n    return x\n"})
	for name, tt := range map[string]struct {
		bad  texts
		want Category
	}{
		"none of gold's files": {texts{"b.py": "def b(x):\n    return x + 1\n"}, WrongLayer},
		"one of gold's files":  {texts{"a.py": "def a(x):\n    return x + 1\n"}, Partial},
		"and many others": {texts{
			"a.py": "def a(x):\n    return x * 2\n",
			"c.py": "def c(x):\n    return 7\n\n\ndef d(x):\n    return 8\n\n\ndef e(x):\n    return 9\n"}, Undiscipline},
		"a file gone": {texts{"a.py": "-"}, WrongLayer},
		"data only":   {texts{"x.json": "{}\n"}, WrongLayer},
		"nothing":     {texts{}, WrongLayer},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := CategoryOf(s, between(base, tt.bad))
			require.Equal(t, tt.want, got)
		})
	}
	for _, diff := range []string{"no patch", "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-nowhere\n+here\n"} {
		c, k := CategoryOf(s, diff)
		require.Empty(t, c)
		require.Empty(t, k)
	}
}

// TestCategoryOfOperators compares the rule with the operators' own categories,
// where the text can tell them: A and C are said of what a change is for.
func TestCategoryOfOperators(t *testing.T) {
	same, all := 0, 0
	for _, f := range fixtures(t) {
		s := f.subject(t)
		for _, source := range []Source{Operators{}, Subsets{}} {
			for _, c := range collect(t, source, s) {
				if c.Category == WrongLayer || c.Category == Undiscipline {
					continue
				}
				all++
				if got, _ := CategoryOf(s, c.Patch); got == c.Category {
					same++
				}
			}
		}
	}
	t.Logf("%d of %d", same, all)
	require.Greater(t, same*100, all*60)
}

func TestCategorise(t *testing.T) {
	f := fixtures(t)[0]
	s := f.subject(t)
	s.instance.ProblemStatement = "Names must be cleaned."
	own := collect(t, Operators{}, s)[0]
	bare := own
	bare.Category, bare.Kind = "", ""
	ruled, kind := CategoryOf(s, own.Patch)
	good := "Category: E\nKind: Unnecessary"
	for name, tt := range map[string]struct {
		candidate Candidate
		script    []llmtest.Answer
		want      Label
	}{
		"at once":          {own, []llmtest.Answer{{Text: good}}, Label{Guard, KindUnnecessary, ""}},
		"in bold":          {own, []llmtest.Answer{{Text: "I think:\n**Category:** B.\n**Kind:** partial\n"}}, Label{Partial, KindPartial, ""}},
		"then":             {own, []llmtest.Answer{{Text: "It is wrong."}, {Text: good}}, Label{Guard, KindUnnecessary, ""}},
		"empty, then":      {own, []llmtest.Answer{{Text: " "}, {Text: good}}, Label{Guard, KindUnnecessary, ""}},
		"never":            {own, []llmtest.Answer{{Text: "Category: Z"}, {Text: "Category: A"}}, Label{own.Category, own.Kind, "no line \"Kind: Partial\", Unnecessary or Incorrect in the answer (found \"\")"}},
		"never, by rule":   {bare, []llmtest.Answer{{Text: "Kind: Partial"}, {Text: "Kind: Partial"}}, Label{ruled, kind, "no line \"Category: A\" to F in the answer (found \"\")"}},
		"refused":          {own, []llmtest.Answer{trouble(llm.Refused)}, Label{own.Category, own.Kind, byModel}},
		"too long":         {bare, []llmtest.Answer{trouble(llm.TooLong)}, Label{ruled, kind, tooLong}},
		"unread, too long": {own, []llmtest.Answer{{Text: "?"}, trouble(llm.TooLong)}, Label{own.Category, own.Kind, tooLong}},
	} {
		t.Run(name, func(t *testing.T) {
			a, fake := asker(t, tt.script...)
			got, err := a.Categorise(t.Context(), s, tt.candidate)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
			require.Empty(t, fake.Unused())
			first := fake.Requests()[0].Messages[0].Text
			require.Contains(t, first, "Names must be cleaned.")
			require.Contains(t, first, s.instance.Patch)
			require.Contains(t, first, tt.candidate.Patch)
		})
	}
	a, fake := asker(t, llmtest.Answer{Text: "It is wrong."}, llmtest.Answer{Text: good})
	_, err := a.Categorise(t.Context(), s, own)
	require.NoError(t, err)
	require.Len(t, fake.Requests()[1].Messages, 3)
	require.Contains(t, fake.Requests()[1].Messages[2].Text, "That cannot be read: no line")
	for _, class := range fatalClasses() {
		a, _ := asker(t, trouble(class))
		_, err := a.Categorise(t.Context(), s, own)
		var fatal *FatalError
		require.ErrorAs(t, err, &fatal)
	}
}
