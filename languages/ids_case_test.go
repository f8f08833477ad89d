package languages

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUnknownCase: an id with a case that no test has stands for none, not for
// the other cases.
func TestUnknownCase(t *testing.T) {
	for language, c := range map[string][2]string{
		Python: {"a/test_x.py::test_x::inner", "a/test_x.py::test_x[9]"},
		Java:   {"a.XTest::x::inner", "a.XTest::x[9]"},
	} {
		require.Empty(t, newDottedIDs(language, []string{c[0]}).find(c[1]), language)
	}
	for _, published := range []string{"a.XTest[9]", "a.XTest.x[9]"} {
		require.Empty(t, newDottedIDs(Java, []string{"a.XTest::x", "a.XTest::x[1]"}).find(published), published)
	}
}
