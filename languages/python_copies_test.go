package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func copiesSuite() Suite {
	text := "import unittest\n\n\nclass ATest(unittest.TestCase):\n    def test_one(self):\n        pass\n\n    def test_two(self):\n        pass\n\n\ndef test_three():\n    pass\n"
	return Suite{Files: []string{"tests/test_a.py"}, Repo: texts{"tests/test_a.py": text}, Nonce: "n1"}
}

func TestPythonCopies(t *testing.T) {
	s := copiesSuite()
	require.Empty(t, pythonCopies(s), "without tests that decide")
	s.Decisive = []string{"tests/test_a.py::ATest::test_one", "test_three[1]", "test_three[2]", "tests/test_a.py", "gone"}
	got := pythonCopies(s)
	require.Equal(t, got, pythonCopies(s), "the same input gives the same names")
	require.Len(t, got, 2)
	var of []string
	for i, c := range copiesOf(got) {
		of = append(of, c.Of)
		require.Equal(t, c.Of[:strings.LastIndex(c.Of, "::")+2]+got[i].Name, c.ID)
		require.NotContains(t, s.Repo.Text("tests/test_a.py"), got[i].Name)
	}
	require.ElementsMatch(t, []string{"tests/test_a.py::ATest::test_one", "tests/test_a.py::test_three"}, of)
	other := s
	other.Nonce = "n2"
	require.NotEqual(t, got, pythonCopies(other))
	s.Select = []string{"tests/test_a.py::ATest::test_one"}
	require.Empty(t, pythonCopies(s), "a run of some tests alone")
}

func TestNamedCopies(t *testing.T) {
	names := func() *nonceNames { return namesOf(map[string]bool{"a": true, "b": true}, "n") }
	got := namedCopies([]string{"a", "b", "c", "d", "e", "f"}, names(), "")
	require.Len(t, got, mostCopies)
	seen := map[string]bool{}
	for _, c := range got {
		require.False(t, seen[c.Of] || seen[c.Name])
		seen[c.Of], seen[c.Name] = true, true
	}
	of := func(copies []pythonCopy) (out []string) {
		for _, c := range copies {
			out = append(out, c.Of)
		}
		return out
	}
	others := namedCopies([]string{"a", "b", "c", "d", "e", "f"}, namesOf(map[string]bool{"a": true, "b": true}, "m"), "")
	require.Equal(t, of(got), of(others), "gold's run has copies of the same tests")
	text := "def " + got[0].Name + "():"
	require.NotEqual(t, got[0].Name, namedCopies([]string{"a"}, names(), text)[0].Name)
}

func TestSwallowed(t *testing.T) {
	n := Nonce{Beside: true, Pass: "p", Fail: "f", Copies: []NonceCopy{{Of: "t::one", ID: "t::copy"}}}
	tests := func(id string, s bench.Status) []bench.Test { return []bench.Test{{ID: id, Status: s}} }
	for name, c := range map[string]struct {
		theirs, ours []bench.Test
		odd          bool
	}{
		"it fails":                       {tests("t::one", bench.Passed), tests("t::copy", bench.Failed), false},
		"it is an error":                 {tests("t::one", bench.Passed), tests("t::copy", bench.Error), false},
		"a case fails":                   {tests("t::one[1]", bench.Passed), tests("t::copy[1]", bench.Failed), false},
		"it passes":                      {tests("t::one", bench.Passed), tests("t::copy", bench.Passed), true},
		"a case passes":                  {tests("t::one[1]", bench.Passed), tests("t::copy[1]", bench.Passed), true},
		"it is skipped":                  {tests("t::one", bench.Passed), tests("t::copy", bench.Skipped), true},
		"it did not run":                 {tests("t::one", bench.Passed), nil, true},
		"an expected failure":            {tests("t::one", bench.XFail), tests("t::copy", bench.XFail), true},
		"its test fails":                 {tests("t::one", bench.Failed), tests("t::copy", bench.Passed), false},
		"its test is skipped":            {tests("t::one", bench.Skipped), tests("t::copy", bench.Skipped), false},
		"its test did not run":           {nil, nil, false},
		"another test, whose copy is no": {tests("t::two", bench.Passed), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := swallowed(n, c.theirs, c.ours)
			if !c.odd {
				require.Empty(t, got)
				return
			}
			require.Equal(t, []oddity{{"copy t::one", "a copy of t::one that must fail does not"}}, got)
		})
	}
}

func TestNonceHolds(t *testing.T) {
	n := &Nonce{Pass: "p", Fail: "f", More: []NonceTest{{ID: "m"}}, Copies: []NonceCopy{{Of: "o", ID: "c"}}}
	for _, id := range []string{"p", "f", "m", "c", "c[1]"} {
		require.True(t, n.holds(id), id)
	}
	for _, id := range []string{"o", "x", "p[1]", "m[1]", ""} {
		require.False(t, n.holds(id), id)
	}
}
