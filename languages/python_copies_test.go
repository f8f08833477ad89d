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
	all := copiesOf(got)
	for i, c := range got {
		of = append(of, c.Of)
		place := c.Of[:strings.LastIndex(c.Of, "::")+2]
		require.Equal(t, []NonceCopy{{Of: c.Of, ID: place + c.Name}, {Of: c.Of, ID: place + c.Values, Values: true}}, all[2*i:2*i+2])
		require.NotContains(t, s.Repo.Text("tests/test_a.py"), c.Name)
		require.NotContains(t, s.Repo.Text("tests/test_a.py"), c.Values)
	}
	require.ElementsMatch(t, []string{"tests/test_a.py::ATest::test_one", "tests/test_a.py::test_three"}, of)
	other := s
	other.Nonce = "n2"
	require.NotEqual(t, got, pythonCopies(other))
	s.Select = []string{"tests/test_a.py::ATest::test_one"}
	require.Empty(t, pythonCopies(s), "a run of some tests alone")
}

func TestNamedCopies(t *testing.T) {
	names := func(nonce string) *nonceNames { return namesOf(map[string]bool{"a": true, "b": true}, nonce) }
	got := namedCopies([]string{"a", "b", "c", "d"}, names("n"), "")
	seen := map[string]bool{}
	for i, c := range got {
		require.Equal(t, []string{"a", "b", "c", "d"}[i], c.Of)
		require.False(t, seen[c.Name])
		require.False(t, seen[c.Values])
		seen[c.Name], seen[c.Values] = true, true
		require.NotEqual(t, c.Name, c.Values)
	}
	require.NotEqual(t, got, namedCopies([]string{"a", "b", "c", "d"}, names("m"), ""))
	text := "def " + got[0].Name + "():"
	require.NotEqual(t, got[0].Name, namedCopies([]string{"a"}, names("n"), text)[0].Name)
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

// TestSwallowedValues: a copy that expects other values must not pass, but need
// not be there.
func TestSwallowedValues(t *testing.T) {
	n := Nonce{Beside: true, Pass: "p", Fail: "f", Copies: []NonceCopy{{Of: "t::one", ID: "t::copy", Values: true}}}
	tests := func(id string, s bench.Status) []bench.Test { return []bench.Test{{ID: id, Status: s}} }
	for name, c := range map[string]struct {
		theirs, ours []bench.Test
		odd          bool
	}{
		"it fails":         {tests("t::one", bench.Passed), tests("t::copy", bench.Failed), false},
		"it passes":        {tests("t::one", bench.Passed), tests("t::copy", bench.Passed), true},
		"a case passes":    {tests("t::one[1]", bench.Passed), tests("t::copy[1]", bench.Passed), true},
		"it is skipped":    {tests("t::one", bench.Passed), tests("t::copy", bench.Skipped), false},
		"it was not made":  {tests("t::one", bench.Passed), nil, false},
		"its test fails":   {tests("t::one", bench.Failed), tests("t::copy", bench.Passed), false},
		"one of two fails": {tests("t::one", bench.Passed), []bench.Test{{ID: "t::copy[1]", Status: bench.Passed}, {ID: "t::copy[2]", Status: bench.Failed}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := swallowed(n, c.theirs, c.ours)
			if !c.odd {
				require.Empty(t, got)
				return
			}
			require.Equal(t, []oddity{{"values t::one", "t::one holds for other values than those it expects, too"}}, got)
		})
	}
}

func TestNonceHolds(t *testing.T) {
	n := &Nonce{Pass: "p", Fail: "f", More: []NonceTest{{ID: "m"}}, Copies: []NonceCopy{{Of: "o", ID: "c"}, {Of: "A::o", ID: "A::testCopy"}}}
	for _, id := range []string{"p", "f", "m", "c", "c[1]", "A::testCopy", "B::testCopy", "B::testCopy[1]"} {
		require.True(t, n.holds(id), id)
	}
	same := &Nonce{Pass: "N::testSame", Fail: "N::f", More: []NonceTest{{ID: "N::testMore"}}, Copies: []NonceCopy{{Of: "A::o", ID: "A::testSame"}, {Of: "A::p", ID: "A::testMore"}}}
	nonce := []bench.Test{{ID: "N::testSame", Status: bench.Passed}, {ID: "N::testMore", Status: bench.Failed}}
	require.Equal(t, nonce, same.withoutCopies(append([]bench.Test{{ID: "A::testSame"}, {ID: "B::testMore"}}, nonce...)), "a nonce test may have the name of a copy")
	for _, id := range []string{"o", "x", "p[1]", "m[1]", "", "A::o", "A::Copy", "testCopy::a"} {
		require.False(t, n.holds(id), id)
	}
}
