package measure

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/badpatchtest"
	"assay/bench"
	"assay/languages"
)

func TestWeaken(t *testing.T) {
	for name, c := range map[string]struct {
		language, path, before, after string
		want                          map[string]string // version -> the test's text
	}{
		"python": {
			languages.Python, "tests/test_a.py", "def test_old():\n    assert f() == 0\n",
			"def test_old():\n    assert f() == 0\n\n\ndef test_new():\n    assert f(1) == 1\n    assert f(\n        2) == 2\n    with raises(E):\n        f(3)\n    assert f(4)\n",
			map[string]string{
				"without-2": "def test_old():\n    assert f() == 0\n\n\ndef test_new():\n    assert f(1) == 1\n    pass\n    with raises(E):\n        f(3)\n    assert f(4)\n",
				"only-2":    "def test_old():\n    assert f() == 0\n\n\ndef test_new():\n    pass\n    assert f(\n        2) == 2\n    with raises(E):\n        f(3)\n    pass\n",
			},
		},
		"java": {
			languages.Java, "src/test/java/a/ATest.java", "package a;\nclass ATest {\n}\n",
			"package a;\nclass ATest {\n  @Test public void f() {\n    assertEquals(1, g());\n    int x = h();\n    assertThat(x).isEqualTo(2);\n  }\n}\n",
			map[string]string{"without-1": "package a;\nclass ATest {\n  @Test public void f() {\n    int x = h();\n    assertThat(x).isEqualTo(2);\n  }\n}\n"},
		},
		"cpp": {
			languages.Cpp, "test/a_test.cc", "",
			"TEST(A, b) {\n  EXPECT_EQ(1, f());\n  auto x = g();\n  EXPECT_TRUE(x);\n}\n",
			map[string]string{"without-2": "TEST(A, b) {\n  EXPECT_EQ(1, f());\n  auto x = g();\n}\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			base := badpatchtest.Texts{}
			if c.before != "" {
				base[c.path] = c.before
			}
			weak, err := Weaken(&bench.Instance{Language: c.language, TestPatch: badpatchtest.Between(base, badpatchtest.Texts{c.path: c.after})}, badpatchtest.Tree(base))
			require.NoError(t, err)
			found := map[string]string{}
			for _, w := range weak {
				found[w.Name] = badpatchtest.State(t, base, w.Patch, c.path)
			}
			for version, text := range c.want {
				require.Equal(t, text, found[version], "of %v", badpatchtest.Keys(found))
			}
			for version, text := range found {
				require.NotEqual(t, c.after, text, version)
				require.Positive(t, strings.Count(text, "ssert")+strings.Count(text, "EXPECT"), version)
			}
		})
	}
}
