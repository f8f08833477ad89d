package measure

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/badpatchtest"
	"assay/bench"
	"assay/internal/patch"
)

func TestControls(t *testing.T) {
	for _, c := range []struct {
		language, path, base, copied, failing string
	}{
		{
			"python", "tests/test_a.py", "class TestA:\n    @mark\n    def test_one(self):\n        assert f() == 1\n",
			"+    @mark\n+    def test_oneAgain(self):\n+        assert f() == 1\n", "+    def test_oneNever(self):\n+        assert False\n",
		},
		{
			"python", "tests/test_a.py", "def test_one():\n    assert f() == 1", // no newline at the end
			"+def test_oneAgain():\n+    assert f() == 1\n", "+def test_oneNever():\n+    assert False\n",
		},
		{
			"java", "src/test/java/a/ATest.java", "package a;\nclass ATest {\n    @Test\n    void one() {\n        assertEquals(1, f());\n    }\n}\n",
			"+    @Test\n+    void oneAgain() {\n", "+    void oneNever() {\n+        throw new AssertionError(\"never\");\n",
		},
		{
			"cpp", "test/a_test.cc", "TEST(one, one) {\n  EXPECT_EQ(1, f());\n}\n",
			"+TEST(one, oneAgain) {\n", "+TEST(one, oneNever) {\n+    FAIL() << \"never\";\n+}\n",
		},
		{
			"cpp", "test/a_test.cc", "TEST_CASE(\"adds numbers\", \"[a]\") {\n  CHECK(1 == f());\n}\n",
			"+TEST_CASE(\"adds numbersAgain\", \"[a]\") {\n", "+    FAIL(\"never\");\n+}\n",
		},
	} {
		t.Run(c.language+" "+c.path, func(t *testing.T) {
			inst := &bench.Instance{ID: "i", Language: c.language, TestPatch: string(patch.Between(c.path, []byte(c.base), []byte(c.base+"\n\n")))}
			got, err := Controls(inst, badpatchtest.Tree(badpatchtest.Texts{c.path: c.base}))
			require.NoError(t, err)
			require.Len(t, got, 3)
			require.Equal(t, Weak{WholeSuite, inst.TestPatch}, got[0])
			require.Equal(t, CopiedSuite, got[1].Name)
			require.Contains(t, got[1].Patch, c.copied)
			require.Contains(t, got[2].Patch, c.failing)
		})
	}
}

func TestControlsWithoutModel(t *testing.T) {
	inst := &bench.Instance{ID: "i", Language: "python", TestPatch: string(patch.Between("tests/test_new.py", nil, []byte("def test_a(): pass\n")))}
	got, err := Controls(inst, badpatchtest.Tree(nil))
	require.NoError(t, err)
	require.Equal(t, []Weak{{WholeSuite, inst.TestPatch}}, got)
}
