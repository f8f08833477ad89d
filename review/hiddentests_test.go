package review

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// hiddenInput is a bad patch that fails a hidden test, whose name and value
// base does not have, and a test that base has.
func hiddenInput() Input {
	in := smallInput("f is wrong for keys", "def f(a):\n    return a\n", "def f(a):\n    return a + a\n", "def f(a):\n    return -a\n")
	in.Instance.TestPatch = `--- a/test_f.py
+++ b/test_f.py
@@ -1,2 +1,5 @@
 def test_old():
     assert f(1) == 1
+
+def test_cbc_decrypt():
+    assert f("a secret value") == "another 8731"
`
	base := in.Base
	in.Base = func(path string) ([]byte, error) {
		if path == "test_f.py" {
			return []byte("def test_old():\n    assert f(1) == 1\n"), nil
		}
		return base(path)
	}
	in.Instance.FailToPass, in.Instance.PassToPass = bench.TestIDs{"test_f.py::test_cbc_decrypt", "x"}, bench.TestIDs{"test_f.py::test_old"}
	in.FailToPass = []bench.Test{{ID: "test_f.py::test_cbc_decrypt", Status: bench.Failed, Message: `AssertionError: assert 'a secret value' == 'another 8731'`}}
	in.PassToPass = []bench.Test{{ID: "test_f.py::test_old", Status: bench.Failed, Message: "AssertionError: assert -1 == 1"}}
	return in
}

func TestHiddenTestsAreNotNamed(t *testing.T) {
	s := study(t, hiddenInput())
	for _, level := range []DetailLevel{L0, L1, L2, L3} {
		r := s.Deterministic(level)
		require.NotContains(t, r.Text, "test_cbc_decrypt")
		require.NotContains(t, r.Text, "secret value")
		require.NotContains(t, r.Text, "8731")
		require.Contains(t, r.Text, "`test_old`", "base has this test, and the review may name it")
		require.Contains(t, r.Text, "A case that the issue describes does not give what it asks for.")
		require.False(t, r.QuotesTests)
	}
}

func TestHiddenTestsLeak(t *testing.T) {
	s := study(t, hiddenInput())
	require.Equal(t, []Class{LeakIdentifier}, classes(s, "In `test_cbc_decrypt`, two values differ."))
	require.Equal(t, []Class{LeakLiteral}, classes(s, `It should give "a secret value" there.`))
	require.NotEmpty(t, s.Leaks("The result has to end in 8731."))
	require.Empty(t, s.Leaks("`test_old` fails, and so does the case of the issue."))
}

func TestQuoteTestsNamesThem(t *testing.T) {
	in := hiddenInput()
	in.QuoteTests = true
	r := study(t, in).Deterministic(L2)
	require.Contains(t, r.Text, "In `test_cbc_decrypt`, `'a secret value'` and `'another 8731'` should be equal")
	require.True(t, r.QuotesTests)
	require.Empty(t, r.Leak.Leaks)
}

func TestHiddenExceptions(t *testing.T) {
	in := hiddenInput()
	in.FailToPass[0].Message = "ValueError: another 8731"
	require.Contains(t, study(t, in).Deterministic(L0).Text, "ends in `ValueError`.")
	in.FailToPass[0].Status, in.FailToPass[0].Message = bench.Missing, ""
	require.Contains(t, study(t, in).Deterministic(L0).Text, "cannot even be run")
}
