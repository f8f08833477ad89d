package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/syntax"
)

// TestJavaOther: of assertions that two values are equal the constant is changed,
// and nothing else.
func TestJavaOther(t *testing.T) {
	for statement, want := range map[string]string{
		`assertEquals(1, f(2));`:                                `try { assertEquals((1 * 3 + 7919), f(2)); heldValues++; } catch (Throwable otherValues) { }`,
		`Assertions.assertEquals("a", f());`:                    `try { Assertions.assertEquals("aword", f()); heldValues++; } catch (Throwable otherValues) { }`,
		`assertEquals("a message", 1.5, f(), 0.1);`:             `try { assertEquals("a message", (1.5 * 3 + 7919), f(), 0.1); heldValues++; } catch (Throwable otherValues) { }`,
		`assertEquals(List.of(eur("1"), new Num(-2)), f(3));`:   `try { assertEquals(List.of(eur("1word"), new Num(-(2 * 3 + 7919))), f(3)); heldValues++; } catch (Throwable otherValues) { }`,
		`assertThat(f(1)).isEqualTo("a");`:                      `try { assertThat(f(1)).isEqualTo("aword"); heldValues++; } catch (Throwable otherValues) { }`,
		`assertThat(f(1), is(equalTo(2)));`:                     `try { assertThat(f(1), is(equalTo((2 * 3 + 7919)))); heldValues++; } catch (Throwable otherValues) { }`,
		`if (f() > 1) assertArrayEquals(new int[] {1}, g());`:   `if (f() > 1) try { assertArrayEquals(new int[] {(1 * 3 + 7919)}, g()); heldValues++; } catch (Throwable otherValues) { }`,
		`for (int i = 0; i < 2; i++) { assertEquals(0, g()); }`: `for (int i = 0; i < 2; i++) { try { assertEquals((0 * 3 + 7919), g()); heldValues++; } catch (Throwable otherValues) { } }`,
		`assertEquals(expected, f(2));`:                         "",
		`assertEquals(null, f(2));`:                             "",
		`assertEquals(table.get(1), f(2));`:                     "",
		`assertNotEquals(1, f(2));`:                             "",
		`assertTrue(f(2) == 1);`:                                "",
		`run(() -> assertEquals(1, f(2)));`:                     "",
		`f(1).isEqualTo(2);`:                                    "",
		`assertEquals(12345678901L, f());`:                      "",
	} {
		text := "class A {\n  @Test void one() {\n    " + statement + "\n  }\n}\n"
		s := readJavaSource("A.java", text)
		require.Len(t, s.tests, 1, statement)
		got := s.javaOther(s.tests[0].method, "other", "word")
		if want == "" {
			require.Empty(t, got, statement)
			continue
		}
		require.Equal(t, "@Test void other() { int heldValues = 0; if (true) {\n    "+want+"\n  } if (heldValues == 0) throw new AssertionError(\"expected: 1 but was: 2\"); }", got)
		_, broken, err := syntax.Nodes(Java, []byte(strings.Replace(text, "@Test", got+"\n@Test", 1)))
		require.NoError(t, err)
		require.Zero(t, broken, got)
	}
	expected := readJavaSource("A.java", "class A {\n  @Test(expected = X.class) public void one() { assertEquals(1, f()); }\n}\n")
	require.Empty(t, expected.javaOther(expected.tests[0].method, "other", "word"))
	testNG := readJavaSource("A.java", "import org.testng.annotations.Test;\nclass A {\n  @Test public void one() { assertEquals(f(x), 1); }\n}\n")
	require.Contains(t, testNG.javaOther(testNG.tests[0].method, "other", "word"), "assertEquals(f(x), (1 * 3 + 7919));")
}
