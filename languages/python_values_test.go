package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/syntax"
)

// TestPythonOther: of assertions that two values are equal the constant is
// changed, and nothing else.
func TestPythonOther(t *testing.T) {
	for statement, want := range map[string]string{
		`self.assertEqual(f(1), 2)`:                   `self.assertEqual(f(1), (2 * 3 + 7919))`,
		`self.assertEqual(-1.5, f(1), "m")  # why`:    `self.assertEqual((-1.5 * 3 + 7919), f(1), "m")`,
		`assert f(1) == "a", "m"`:                     `assert f(1) == ("a" "test_other"), "m"`,
		`assert b"a" == f(1)`:                         `assert (b"a" b"test_other") == f(1)`,
		`self.assertEqual(f(), [1, None, (2, True)])`: `self.assertEqual(f(), ["test_other", 1, None, (2, True)])`,
		`self.assertEqual(f(), {"a": 1})`:             `self.assertEqual(f(), {"test_other": 0, "a": 1})`,
		`self.assertEqual(f(), {})`:                   `self.assertEqual(f(), {"test_other": 0, })`,
		`np.testing.assert_allclose(f(), (1, 2))`:     `np.testing.assert_allclose(f(), ("test_other", 1, 2))`,
		`self.assertEqual(f(1), g(2))`:                "",
		`self.assertEqual(f(), f"{x}")`:               "",
		`self.assertEqual(f(), None)`:                 "",
		`self.assertNotEqual(f(), 1)`:                 "",
		`self.assertEqual(1, 2)`:                      "",
		`assert f(1)`:                                 "",
		`assert f(1) != 2`:                            "",
		`assert 1 < f(1) == 2`:                        "",
		`x = 1; self.assertEqual(f(), 1)`:             "",
		`f(1)`:                                        "",
		`call(lambda: self.assertEqual(f(), 1))`:      "",
	} {
		text := "class ATest:\n    def test_one(self):\n        " + statement + "\n"
		root, broken, err := syntax.Nodes(Python, []byte(text))
		require.NoError(t, err)
		require.Zero(t, broken, statement)
		got := pythonOther(pythonDefinition(root, []byte(text), []string{"ATest", "test_one"}), text, "test_other")
		if want == "" {
			require.Empty(t, got, statement)
			continue
		}
		require.Contains(t, got, "    def test_other(self):\n        _wrong_held = []\n        try:\n            "+want+"\n        except Exception:\n            pass\n        else:\n            _wrong_held.append(1)", statement)
		require.Contains(t, got, "\n        if not _wrong_held:\n            raise AssertionError('[1] != [2]')\n")
		_, broken, err = syntax.Nodes(Python, []byte("class ATest:\n"+got))
		require.NoError(t, err)
		require.Zero(t, broken, got)
	}
}
