package category

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/antipattern"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/mutation"
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
		want badpatch.Category
		kind badpatch.MistakeKind
	}{
		"another function":      {base("return x\n", "return str(x)\n"), badpatch.WrongLayer, badpatch.KindIncorrect},
		"nothing but comments":  {base("    text = name\n", "    # name\n    text = name\n"), badpatch.WrongLayer, badpatch.KindIncorrect},
		"an import":             {base("import re", "import os"), badpatch.WrongLayer, badpatch.KindIncorrect},
		"something else there":  {base("text = name", "text = str(name).lower()"), badpatch.WrongLayer, badpatch.KindIncorrect},
		"a part":                {base("    text = name\n", "    if name is None:\n        raise TypeError(name)\n    text = name\n"), badpatch.Partial, badpatch.KindPartial},
		"all but one statement": {gold("    size = len(text)\n", ""), badpatch.Partial, badpatch.KindPartial},
		"a part in other words": {base("    text = name\n", "    text = name.strip()\n    size = len(text)\n    text = text[:limit] or text\n"), badpatch.Guard, badpatch.KindIncorrect},
		"gold and another":      {gold("x + 1", "x - 1"), badpatch.Undiscipline, badpatch.KindUnnecessary},
		"gold and more":         {gold("    size = len(text)\n", "    size = len(text)\n    limit = max(limit, 1)\n"), badpatch.Undiscipline, badpatch.KindUnnecessary},
		"many others":           {base("    text = name\n", "    text = str(name)\n", "x + 1", "x - 1", "x + 2", "x - 2", "x + 3", "x - 3"), badpatch.Undiscipline, badpatch.KindUnnecessary},
		"another order":         {gold("    size = len(text)\n", "", "        raise ValueError(text)\n", "        raise ValueError(text)\n    size = len(text)\n"), badpatch.Contract, badpatch.KindIncorrect},
		"another default":       {gold("limit=3", "limit=4"), badpatch.Contract, badpatch.KindIncorrect},
		"another parameter":     {gold("limit=3", "most=3", "> limit", "> most", ":limit", ":most"), badpatch.Contract, badpatch.KindIncorrect},
		"another exception":     {gold("TypeError(name)", "KeyError(name)"), badpatch.Contract, badpatch.KindIncorrect},
		"another result":        {gold("    return text\n", "    return [text]\n"), badpatch.Contract, badpatch.KindIncorrect},
		"the limit itself":      {gold("size > limit", "size >= limit"), badpatch.EdgeCase, badpatch.KindIncorrect},
		"a text":                {gold("name.strip()", "name.strip(' ')"), badpatch.Partial, badpatch.KindPartial},
		"inverted":              {gold("name is None", "name is not None"), badpatch.Guard, badpatch.KindIncorrect},
		"a guard of base's":     {gold("    if not text:\n        raise ValueError(text)\n", "    text = text or name\n"), badpatch.Guard, badpatch.KindIncorrect},
		"another condition":     {base("    text = name\n", "    if name == 'None':\n        name = ''\n    text = name\n"), badpatch.Guard, badpatch.KindIncorrect},
		"a statement of gold's": {gold("size = len(text)", "size = len(name)"), badpatch.Partial, badpatch.KindPartial},
	} {
		t.Run(name, func(t *testing.T) {
			s := badpatchtest.Subject(t, "python", badpatchtest.Texts{"m.py": ruleBase}, badpatchtest.Texts{"m.py": ruleGold})
			c, k := Of(s, badpatchtest.Between(badpatchtest.Texts{"m.py": ruleBase}, badpatchtest.Texts{"m.py": tt.bad}))
			require.Equal(t, tt.want, c)
			require.Equal(t, tt.kind, k)
		})
	}
}

func TestCategoryOfFiles(t *testing.T) {
	base := badpatchtest.Texts{"a.py": "def a(x):\n    return x\n", "b.py": "def b(x):\n    return x\n", "c.py": "def c(x):\n    return 1\n\n\ndef d(x):\n    return 2\n\n\ndef e(x):\n    return 3\n"}
	s := badpatchtest.Subject(t, "python", base, badpatchtest.Texts{"a.py": "def a(x):\n    return x + 1\n", "n.py": "def n(x):\n    return x\n"})
	for name, tt := range map[string]struct {
		bad  badpatchtest.Texts
		want badpatch.Category
	}{
		"none of gold's files": {badpatchtest.Texts{"b.py": "def b(x):\n    return x + 1\n"}, badpatch.WrongLayer},
		"one of gold's files":  {badpatchtest.Texts{"a.py": "def a(x):\n    return x + 1\n"}, badpatch.Partial},
		"and many others": {badpatchtest.Texts{
			"a.py": "def a(x):\n    return x * 2\n",
			"c.py": "def c(x):\n    return 7\n\n\ndef d(x):\n    return 8\n\n\ndef e(x):\n    return 9\n"}, badpatch.Undiscipline},
		"a file gone": {badpatchtest.Texts{"a.py": "-"}, badpatch.WrongLayer},
		"data only":   {badpatchtest.Texts{"x.json": "{}\n"}, badpatch.WrongLayer},
		"nothing":     {badpatchtest.Texts{}, badpatch.WrongLayer},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := Of(s, badpatchtest.Between(base, tt.bad))
			require.Equal(t, tt.want, got)
		})
	}
	for _, diff := range []string{"no patch", "--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-nowhere\n+here\n"} {
		c, k := Of(s, diff)
		require.Empty(t, c)
		require.Empty(t, k)
	}
}

// TestCategoryOfOperators compares the rule with the operators' own
// categories, where the text can show them: A and C are said about what a
// change is for.
func TestCategoryOfOperators(t *testing.T) {
	same, all := 0, 0
	for _, f := range badpatchtest.Fixtures(t) {
		s := f.Subject(t)
		for _, source := range []badpatch.Source{mutation.Operators{}, antipattern.Subsets{}} {
			for _, c := range badpatchtest.Collect(t, source, s) {
				if c.Category == badpatch.WrongLayer || c.Category == badpatch.Undiscipline {
					continue
				}
				all++
				if got, _ := Of(s, c.Patch); got == c.Category {
					same++
				}
			}
		}
	}
	t.Logf("%d of %d", same, all)
	require.Greater(t, same*100, all*60)
}
