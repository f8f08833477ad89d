package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages/syntax"
)

// functions parses a Python file before and after a patch.
func functions(t *testing.T, before, after string) contribution {
	c, err := contributedIn(pythonLanguage{}, "test_a.py", before, after)
	require.NoError(t, err)
	return c
}

// TestContributionCounts: the test that says most about an id decides.
func TestContributionCounts(t *testing.T) {
	test := func(id string) syntax.Test { return syntax.Test{ID: id} }
	mine := func(id string, onlyParams bool) syntax.Contribution {
		return syntax.Contribution{Test: test(id), OnlyParams: onlyParams}
	}
	for name, c := range map[string]struct {
		tests []syntax.Contribution
		rest  []syntax.Test
		old   map[string]bool
		want  map[string]bool
	}{
		"a function": {
			[]syntax.Contribution{mine("a.py::f", false)}, []syntax.Test{test("a.py::g")}, nil,
			map[string]bool{"a.py::f": true, "a.py::f[1]": true, "a.py::g": false, "a.py::h": false, "": false},
		},
		"a function of which only the cases changed": {
			[]syntax.Contribution{mine("a.py::f", true)}, nil, map[string]bool{"a.py::f[1]": true},
			map[string]bool{"a.py::f[1]": false, "a.py::f[2]": true},
		},
		"a changed function's old cases count": {
			[]syntax.Contribution{mine("a.py::f", false)}, nil, map[string]bool{"a.py::f[1]": true},
			map[string]bool{"a.py::f[1]": true, "a.py::f[2]": true},
		},
		"the one that says most, in any order": {
			[]syntax.Contribution{mine("a.py::f", false), mine("a.py::f[1]", true)}, nil, map[string]bool{"a.py::f[1]": true},
			map[string]bool{"a.py::f[1]": false, "a.py::f[2]": true},
		},
		"the same, turned round": {
			[]syntax.Contribution{mine("a.py::f[1]", true), mine("a.py::f", false)}, nil, map[string]bool{"a.py::f[1]": true},
			map[string]bool{"a.py::f[1]": false, "a.py::f[2]": true},
		},
		"a case that stays, in a function that changed": {
			[]syntax.Contribution{mine("a.py::f", false)}, []syntax.Test{test("a.py::f[1]")}, nil,
			map[string]bool{"a.py::f[1]": false, "a.py::f[2]": true},
		},
		"a new case in a function that stays": {
			[]syntax.Contribution{mine("a.py::f[2]", false)}, []syntax.Test{test("a.py::f")}, nil,
			map[string]bool{"a.py::f[1]": false, "a.py::f[2]": true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := contribution{tests: c.tests, rest: c.rest}
			for id, want := range c.want {
				require.Equal(t, want, got.counts(id, c.old), id)
			}
		})
	}
}

// TestContributionKeeps: what counts stays in the outcome, and a test that did
// not run is missing.
func TestContributionKeeps(t *testing.T) {
	c := functions(t, "def test_old():\n    pass\n", "def test_old():\n    pass\n\n\ndef test_new():\n    pass\n\n\ndef test_lost():\n    pass\n")
	require.Equal(t, []string{"test_a.py::test_new", "test_a.py::test_lost"}, c.ids())
	require.False(t, c.onlyCases())
	var rest []string
	for _, r := range c.rest {
		rest = append(rest, r.ID)
	}
	require.Equal(t, []string{"test_a.py::test_old"}, rest, "what is contributed is not among the rest")
	o := Outcome{Run: bench.Run{Tests: []bench.Test{
		{ID: "test_a.py::test_old", Status: bench.Failed}, {ID: "test_a.py::test_new[1]", Status: bench.Passed}, {ID: "test_b.py::test_new", Status: bench.Passed},
	}}}
	c.keep(&o, nil)
	require.Equal(t, []bench.Test{{ID: "test_a.py::test_new[1]", Status: bench.Passed}, {ID: "test_a.py::test_lost", Status: bench.Missing}}, o.Tests)
	require.Equal(t, []string{"test_a.py::test_new[1]", "test_a.py::test_lost"}, o.Contributed)
	empty := Outcome{Run: bench.Run{Tests: []bench.Test{{ID: "x", Status: bench.Passed}}}}
	contribution{}.keep(&empty, nil)
	require.Equal(t, []bench.Test{}, empty.Tests)
	require.Equal(t, []string{}, empty.Contributed)
}

// TestContributedFiles: each file is compared with itself at base.
func TestContributedFiles(t *testing.T) {
	base := tree(map[string]string{"test_a.py": "def test_a():\n    pass\n"})
	after := texts{"test_a.py": "def test_a():\n    assert 1\n", "test_b.py": "def test_b():\n    pass\n"}
	c, err := contributed(pythonLanguage{}, base, after, []string{"test_a.py", "test_b.py"})
	require.NoError(t, err)
	require.Equal(t, []string{"test_a.py::test_a", "test_b.py::test_b"}, c.ids())
	none, err := contributed(pythonLanguage{}, base, texts{"test_a.py": "def test_a():\n    pass\n"}, []string{"test_a.py"})
	require.NoError(t, err)
	require.Empty(t, none.ids())
	require.Nil(t, none.ids())
	require.Len(t, none.rest, 1)
	_, err = contributed(genericLanguage{"cobol"}, base, after, []string{"test_a.py"})
	require.Error(t, err)
}

// TestContributionByHelper: a test that uses what changed in its file counts,
// unless it failed without the change on the same code.
func TestContributionByHelper(t *testing.T) {
	before := "def check(x):\n    assert x\n\n\ndef test_a():\n    check(1)\n\n\ndef test_b():\n    check(2)\n\n\ndef test_lost():\n    check(3)\n\n\ndef test_c():\n    pass\n"
	after := texts{"test_a.py": strings.Replace(before, "assert x", "assert x > 1", 1)}
	c, err := contributed(pythonLanguage{}, tree(map[string]string{"test_a.py": before}), after, []string{"test_a.py"})
	require.NoError(t, err)
	require.Empty(t, c.ids())
	require.False(t, c.none())
	require.Equal(t, []string{"test_a.py"}, c.again())
	c.before = map[string]bench.Status{"test_a.py::test_a": bench.Passed, "test_a.py::test_b": bench.Failed, "test_a.py::test_lost": bench.Passed, "test_a.py::test_c": bench.Passed}
	o := Outcome{Run: bench.Run{Tests: []bench.Test{
		{ID: "test_a.py::test_a", Status: bench.Failed}, {ID: "test_a.py::test_b", Status: bench.Failed}, {ID: "test_a.py::test_c", Status: bench.Passed},
	}}}
	c.keep(&o, nil)
	require.Equal(t, []bench.Test{{ID: "test_a.py::test_a", Status: bench.Failed}, {ID: "test_a.py::test_lost", Status: bench.Missing}}, o.Tests)

	after["test_a.py"] += "\n\ndef test_new():\n    check(4)\n"
	c, err = contributed(pythonLanguage{}, tree(map[string]string{"test_a.py": before}), after, []string{"test_a.py"})
	require.NoError(t, err)
	require.Equal(t, []string{"test_a.py::test_new"}, c.ids())
	require.Empty(t, c.helped, "what a new test uses belongs to it")
}
