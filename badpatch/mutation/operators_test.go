package mutation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
)

func TestOperatorsStopEarlyWithSomeOfAll(t *testing.T) {
	s := badpatchtest.Fixtures(t)[0].Subject(t)
	seen := map[string]bool{}
	n := 0
	for c, err := range (Operators{}).Candidates(t.Context(), s) {
		require.NoError(t, err)
		require.Equal(t, badpatch.Lines, c.Tier)
		require.False(t, seen[c.Operator], "%s comes twice before others came once", c.Operator)
		seen[c.Operator] = true
		if n++; n == 20 {
			break
		}
	}
	require.Len(t, seen, 20)
}

func TestOperatorsBounds(t *testing.T) {
	s := badpatchtest.Fixtures(t)[0].Subject(t)
	counts := map[string]int{}
	for _, c := range badpatchtest.Collect(t, Operators{PerOperator: 1}, s) {
		counts[fmt.Sprint(c.Operator, c.Tier)]++
	}
	for key, n := range counts {
		require.Equal(t, 1, n, key)
	}
}

// TestTwins checks that a function that two files share is mutated in both.
func TestTwins(t *testing.T) {
	base := "int f(int x) {\n  return x;\n}\n"
	gold := "int f(int x) {\n  if (x > 3) return 3;\n  return x;\n}\n"
	s := badpatchtest.Subject(t, "cpp", badpatchtest.Texts{"include/a.hpp": base, "single/all.hpp": "// all\n" + base}, badpatchtest.Texts{"include/a.hpp": gold, "single/all.hpp": "// all\n" + gold})
	for _, c := range badpatchtest.Collect(t, Operators{}, s) {
		a := badpatchtest.State(t, badpatchtest.Texts{"include/a.hpp": base, "single/all.hpp": "// all\n" + base}, c.Patch, "include/a.hpp")
		b := badpatchtest.State(t, badpatchtest.Texts{"include/a.hpp": base, "single/all.hpp": "// all\n" + base}, c.Patch, "single/all.hpp")
		require.Equal(t, "// all\n"+a, b, c.Operator)
		require.NotEqual(t, gold, a)
	}
}

// TestDeletionTakenBack checks that where gold only takes away, what it takes
// is also got wrong in place.
func TestDeletionTakenBack(t *testing.T) {
	base := badpatchtest.Texts{"m.py": "def f(x):\n    if not x:\n        raise ValueError('x')\n    y = x\n    return y\n"}
	gold := badpatchtest.Texts{"m.py": "def f(x):\n    y = x\n    return y\n"}
	s := badpatchtest.Subject(t, "python", base, gold)
	found := false
	for _, c := range badpatchtest.Collect(t, Operators{}, s) {
		found = found || badpatchtest.State(t, base, c.Patch, "m.py") == strings.Replace(base["m.py"], "raise ValueError('x')", "return None", 1)
	}
	require.True(t, found)
}
