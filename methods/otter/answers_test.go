package otter

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFileLines(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		want   []string
	}{
		"as asked":     {"tests/test_a.py\ntests/test_b.py\n", []string{"tests/test_a.py", "tests/test_b.py"}},
		"with answer":  {"I think these.\nAnswer:\ntests/test_a.py\n", []string{"tests/test_a.py"}},
		"same line":    {"Answer: tests/test_a.py", []string{"tests/test_a.py"}},
		"numbered":     {"1. a.py\n2) `b.py`\n- **c.py**\n* ./d.py,\n", []string{"a.py", "b.py", "c.py", "d.py"}},
		"tagged":       {"<Filename>a.py</Filename>\n", []string{"a.py"}},
		"prose":        {"The best file is this one.\n\na.py\n", []string{"a.py"}},
		"Windows":      {"tests\\test_a.py\r\n", []string{"tests/test_a.py"}},
		"empty":        {"", nil},
		"only a fence": {"```\na.py\n```\n", []string{"a.py"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, fileLines(tt.answer)) })
	}
}

func TestChoices(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		want   []choice
	}{
		"as asked":     {"<Filename>a.py</Filename> <Function>f, C.g</Function>\n<Filename>b.py</Filename> <Function>h</Function>", []choice{{"a.py", []string{"f, C.g"}}, {"b.py", []string{"h"}}}},
		"several tags": {"<Filename>a.py</Filename> <Function>f</Function>, <Function>g</Function>", []choice{{"a.py", []string{"f", "g"}}}},
		"other case":   {"<filename>a.py</FILENAME><function>f</function>", []choice{{"a.py", []string{"f"}}}},
		"no functions": {"<Filename>a.py</Filename>", []choice{{"a.py", nil}}},
		"not closed":   {"<Filename>a.py <Function>f", []choice{{"a.py", []string{"f"}}}},
		"no file":      {"<Filename></Filename> <Function>f</Function>\n<Function>g</Function>", nil},
		"prose":        {"Change f in a.py.", nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, choices(tt.answer)) })
	}
}

func TestListed(t *testing.T) {
	known := func(name string) bool { return name == "sizes, big and small" || name == "f" }
	require.Equal(t, []string{"f", "sizes, big and small", "g"}, listed("f, sizes, big and small , g", known))
	require.Equal(t, []string{"sizes, big and small"}, listed("\"sizes, big and small\"", known))
	require.Equal(t, []string{"f"}, listed("`f`, None, , n/a", known))
	require.Empty(t, listed("", known))
}

func TestActions(t *testing.T) {
	plan := "Answer:\n<Action>Read</Action> <Filename>a.py</Filename> <Function>f</Function>\n" +
		"1. <Action>write:</Action> <Filename>`t.py`</Filename> <Function>test_new</Function> because\n" +
		"<Action>delete</Action>\nread a.py\n<Thought>Satisfied</Thought>\n"
	require.Equal(t, []Action{{Read, "a.py", "f"}, {Write, "t.py", "test_new"}, {"delete", "", ""}}, actions(plan))
	require.Empty(t, actions("I would read the file first."))
	for answer, want := range map[string]bool{
		plan: true, "<Thought>satisfied.</Thought>": true, "<Thought>**Satisfied**": true,
		"<Thought>Unsatisfied</Thought>": false, "<Thought>Unsure</Thought>": false, "Satisfied": false, "": false,
		"<Thought>Satisfied</Thought> no: <Thought>Unsure</Thought>": false,
	} {
		require.Equal(t, want, satisfied(answer), answer)
	}
}

func TestGenerated(t *testing.T) {
	for name, tt := range map[string]struct {
		answer string
		want   written
	}{
		"as asked":         {"<PriorFunction>TestA.test_b</PriorFunction>\n<COMPLETE_FUNC>\n    def test_c(self):\n        pass\n</COMPLETE_FUNC>", written{"TestA.test_b", "    def test_c(self):\n        pass"}},
		"fenced inside":    {"<COMPLETE_FUNC>\n```python\ndef f():\n    pass\n```\n</COMPLETE_FUNC>", written{"", "def f():\n    pass"}},
		"fence only":       {"Here:\n```java\n@Test\nvoid x() {}\n```\nDone.", written{"", "@Test\nvoid x() {}"}},
		"longest fence":    {"```\na\n```\nor\n```\na\nb\n```\n", written{"", "a\nb"}},
		"not closed":       {"<COMPLETE_FUNC>\ndef f():\n    pass\n", written{"", "def f():\n    pass"}},
		"thought of twice": {"First <COMPLETE_FUNC> is needed.\n<COMPLETE_FUNC>\ndef f(): pass\n</COMPLETE_FUNC>", written{"", "def f(): pass"}},
		"nothing between":  {"<COMPLETE_FUNC>\n</COMPLETE_FUNC>", written{}},
		"prose":            {"I cannot write that test.", written{}},
		"empty":            {"", written{}},
		"prior none":       {"<PriorFunction>None</PriorFunction><COMPLETE_FUNC>x</COMPLETE_FUNC>", written{"", "x"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, generated(tt.answer)) })
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add("Answer:\n1. a.py\n<Filename>a</Filename> <Function>b, c</Function>\n<Action>read</Action><Thought>Satisfied</Thought>")
	f.Add("<COMPLETE_FUNC>\n```\nx\n```\n</COMPLETE_FUNC><PriorFunction>p</PriorFunction>")
	f.Add("<Function><Function></Function\n<İ>")
	f.Fuzz(func(t *testing.T, answer string) {
		for _, name := range fileLines(answer) {
			require.NotEmpty(t, name)
			require.NotContains(t, name, "\n")
		}
		for _, c := range choices(answer) {
			require.NotEmpty(t, c.File)
			for _, list := range c.Functions {
				listed(list, func(name string) bool { return len(name)%2 == 0 })
			}
		}
		actions(answer)
		satisfied(answer)
		w := generated(answer)
		require.NotContains(t, w.Prior, "\n")
		require.Contains(t, answer, w.Code)
	})
}
