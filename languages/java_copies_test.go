package languages

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
	"assay/languages/syntax"
)

const javaCopied4 = `package com.x;
import static org.junit.Assert.assertEquals;
import org.junit.Assert;
import org.junit.Test;
public class ATest {
  @Test public void plain() { assertEquals(1, 1); Assert.assertTrue(true); }
  @Test(expected = IllegalStateException.class)
  public void throwing() throws Exception { throw new IllegalStateException(); }
  @Test(timeout = 100) public void lambda() { Runnable r = () -> { return; }; r.run(); }
  @Test public void returns() { if (true) return; }
  @Override @Test public void overrides() { }
  public void helper() { }
  public static class Inner {
    @Test public void inner() { }
  }
  @org.junit.experimental.theories.Theory public void theory(int x) { }
}
`

const javaCopied5 = `package com.x;
import static org.assertj.core.api.Assertions.assertThat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
class BTest {
  @Test
  @DisplayName("one")
  void one() { assertThat(1).isEqualTo(1); }
  @ParameterizedTest void many(int x) { }
}
`

func TestJavaSource(t *testing.T) {
	var found []string
	s := readJavaSource("ATest.java", javaCopied4)
	for _, x := range s.tests {
		found = append(found, x.id)
	}
	require.Equal(t, []string{"com.x.ATest::plain", "com.x.ATest::throwing", "com.x.ATest::lambda", "com.x.ATest$Inner::inner"}, found)
	for word, text := range map[string]string{
		"an order of names":   strings.Replace(javaCopied4, "public class ATest", "@FixMethodOrder(MethodSorters.NAME_ASCENDING) public class ATest", 1),
		"an order of JUnit 5": strings.Replace(javaCopied5, "class BTest", "@TestMethodOrder(OrderAnnotation.class) class BTest", 1),
		"tests that depend":   strings.Replace(javaCopied4, "(timeout = 100)", "(dependsOnMethods = \"plain\")", 1),
		"broken code":         javaCopied4 + "}",
		"no code":             "",
	} {
		require.Empty(t, readJavaSource("ATest.java", text).tests, word)
	}
}

func javaCopiesSuite() Suite {
	a, b := "core/src/test/java/com/x/ATest.java", "core/src/test/java/com/x/BTest.java"
	return Suite{
		Repo: javaRepo{"core/pom.xml": "x", a: javaCopied4, b: javaCopied5}, Files: []string{a, b}, Changed: []string{a, b}, Nonce: "n0123456789",
		Decisive: []string{"com.x.ATest.plain", "com.x.ATest::throwing", "com.x.BTest"},
	}
}

func TestJavaCopies(t *testing.T) {
	in := func(string) string { return "core" }
	suite := javaCopiesSuite()
	c := javaCopiesOf(suite, in)
	require.Len(t, c.files, 2)
	var of []string
	for _, x := range c.all() {
		of = append(of, x.Of)
		class, name, _ := strings.Cut(x.ID, "::")
		require.Equal(t, strings.Split(x.Of, "::")[0], class)
		require.Regexp(t, `^test[A-Z]\w+$`, name)
		require.Contains(t, c.files[0].text+c.files[1].text, "void "+name+"()")
	}
	require.ElementsMatch(t, []string{"com.x.ATest::plain", "com.x.ATest::plain", "com.x.ATest::throwing", "com.x.BTest::one", "com.x.BTest::one"}, of)
	four, five := c.files[0].text, c.files[1].text
	require.True(t, strings.HasPrefix(four, javaCopied4[:strings.LastIndex(javaCopied4, "}")]), "no line above moves")
	require.Contains(t, four, `() { if (true) { assertEquals(1, 1); Assert.assertTrue(true); } int failed = 0;`+
		` try { org.junit.Assert.assertEquals((Object) "a", (Object) "b"); } catch (Throwable e) { failed++; }`+
		` try { org.junit.Assert.assertTrue(false); } catch (Throwable e) { failed++; }`+
		` if (failed == 2) throw new AssertionError("expected: 1 but was: 2"); }`)
	require.Regexp(t, `@Test\n  public void test\w+\(\) throws Exception \{ if \(true\) \{ throw`, four)
	require.Regexp(t, `@Test\n  \n  void test\w+\(\) \{ if \(true\) \{ assertThat\(1\).isEqualTo\(1\); \} int failed = 0; try \{ org.assertj.core.api.Assertions.assertThat\("a"\).isEqualTo\("b"\); \}`, five)
	for _, text := range []string{four, five} {
		_, broken, err := syntax.Nodes(Java, []byte(text))
		require.NoError(t, err)
		require.Zero(t, broken)
	}
	require.Equal(t, []harness.File{{Path: "/assay/n0123456789/copies/0.java", Data: []byte(four)}, {Path: "/assay/n0123456789/copies/1.java", Data: []byte(five)}}, c.put())

	other := suite
	other.Nonce = "n9876543210"
	require.ElementsMatch(t, of, copiedOf(javaCopiesOf(other, in)), "gold's run has copies of the same tests")
	require.NotEqual(t, four, javaCopiesOf(other, in).files[0].text)
	for name, change := range map[string]func(*Suite){
		"nothing decides":           func(s *Suite) { s.Decisive = nil },
		"some tests alone":          func(s *Suite) { s.Select = []string{"com.x.ATest::plain"} },
		"files that did not change": func(s *Suite) { s.Changed = nil },
		"tests that are not there":  func(s *Suite) { s.Decisive = []string{"com.y.ZTest"} },
	} {
		s := javaCopiesSuite()
		change(&s)
		require.Nil(t, javaCopiesOf(s, in), name)
	}
	var none *javaCopies
	require.Equal(t, "x\n", none.around("x\n"))
	require.Empty(t, none.put())
	require.Empty(t, none.all())
}

func copiedOf(c *javaCopies) []string {
	var out []string
	for _, x := range c.all() {
		out = append(out, x.Of)
	}
	return out
}

// TestJavaCopyNames: JUnit orders tests by their names' hashes.
func TestJavaCopyNames(t *testing.T) {
	require.EqualValues(t, 99162322, javaHash("hello"))
	require.EqualValues(t, 18186449, javaHash("testOrderEmpty"))
	s := readJavaSource("ATest.java", javaCopied4)
	names := newJavaNames(javaCopiesSuite(), "core/src/test/java/com/x/ATest.java")
	free := func(string) bool { return false }
	first, second := s.name(names, free), s.name(names, free)
	require.Greater(t, javaHash(first), s.highest)
	require.Greater(t, javaHash(second), s.highest)
	require.NotEqual(t, first, second)
	again := newJavaNames(javaCopiesSuite(), "core/src/test/java/com/x/ATest.java")
	require.NotEqual(t, first, s.name(again, func(word string) bool { return word == first }))
	require.NotEmpty(t, s.name(again, func(string) bool { return true }))
}

// TestCopiesAround: the run is repeated without the copies where the code was
// compiled and the tests were not.
func TestCopiesAround(t *testing.T) {
	for name, c := range map[string]struct {
		build string
		runs  string
		code  int
	}{
		"all is compiled":      {"mkdir -p core/target/classes core/target/test-classes; touch core/target/classes/A.class core/target/test-classes/ATest.class core/target/test-classes/BTest.class; exit 1", "copies\n", 1},
		"with Gradle":          {"mkdir -p core/build/classes/java/main core/build/classes/java/test; touch core/build/classes/java/main/A.class core/build/classes/java/test/ATest.class core/build/classes/java/test/BTest.class; exit 0", "copies\n", 0},
		"tests do not compile": {"mkdir -p core/target/classes; touch core/target/classes/A.class; exit 3", "copies\noriginal\n", 3},
		"code does not":        {"mkdir -p core/target/classes; exit 1", "copies\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			suite := javaCopiesSuite()
			copies := javaCopiesOf(suite, func(string) string { return "core" })
			copies.dir = dir + "/copies"
			tree := map[string]string{"core/src/main/java/A.java": "", suite.Files[0]: javaCopied4, suite.Files[1]: javaCopied5}
			for _, f := range copies.put() {
				tree[strings.TrimPrefix(f.Path, dir+"/")] = string(f.Data)
			}
			for p, text := range tree {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte(text), 0o644))
			}
			run := "if grep -q 'expected: 1' " + suite.Files[0] + "; then echo copies; else echo original; fi >>runs\n( sleep 0.01; " + c.build + " )\n"
			cmd := exec.Command("/bin/sh", "-c", copies.around(run))
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput()
			require.Equal(t, c.code, cmd.ProcessState.ExitCode(), string(out))
			runs, err := os.ReadFile(filepath.Join(dir, "runs"))
			require.NoError(t, err)
			require.Equal(t, c.runs, string(runs))
		})
	}
}

// TestCopiesBesideASecondStart: where the nonce class has a start of its own,
// the copies still run along with the suite's tests.
func TestCopiesBesideASecondStart(t *testing.T) {
	n := &Nonce{Pass: "N::p", Fail: "N::f", Copies: []NonceCopy{{Of: "A::a", ID: "A::c"}}, Reports: []string{"/n.xml"}, Format: reports.Gradle}
	all := []bench.Test{{ID: "A::a", Status: bench.Passed}, {ID: "A::c", Status: bench.Failed}}
	rest, ours := splitNonce(n, reports.Report{Tests: all, Complete: true})
	require.Equal(t, all[:1], rest.Tests)
	require.Equal(t, all[1:], ours)
	xml := []byte(`<testsuite name="N"><testcase classname="N" name="p"/><testcase classname="N" name="f"><failure/></testcase></testsuite>`)
	odd := func(ours []bench.Test) []oddity {
		return oddities(Command{Nonce: n}, rest, ours, 1, map[string][]byte{"/n.xml": xml})
	}
	require.Empty(t, odd(ours))
	require.Equal(t, []oddity{{"copy A::a", "a copy of A::a that must fail does not"}}, odd([]bench.Test{{ID: "A::c", Status: bench.Passed}}))
}

// TestCopiesLeftOut: a class of another module does not compile, with copies or
// without, so that no test has one.
func TestCopiesLeftOut(t *testing.T) {
	n := Nonce{Copies: []NonceCopy{{Of: "A::a", ID: "A::c"}, {Of: "B$In::b", ID: "B$In::c"}}, retried: true}
	a, b := bench.Test{ID: "A::a", Status: bench.Passed}, bench.Test{ID: "B::x", Status: bench.Skipped}
	require.Empty(t, swallowed(n, []bench.Test{a}, nil))
	require.Len(t, swallowed(n, []bench.Test{a, b}, nil), 1, "both classes ran")
	require.Len(t, swallowed(n, []bench.Test{a}, []bench.Test{{ID: "A::c", Status: bench.Passed}}), 1, "a copy ran")
	n.retried = false
	require.Len(t, swallowed(n, []bench.Test{a}, nil), 1, "nothing leaves copies out")
}

// TestCopyNamesOfSeveralFiles: a class may inherit from one of another file.
func TestCopyNamesOfSeveralFiles(t *testing.T) {
	suite := Suite{Repo: javaRepo{}, Nonce: "n0123456789"}
	repo := javaRepo{}
	for _, f := range []string{"A", "B", "C", "D"} {
		p := "src/test/java/com/x/" + f + "Test.java"
		repo[p] = "package com.x;\nimport org.junit.Test;\npublic class " + f + "Test {\n  @Test public void t() { }\n}\n"
		suite.Files, suite.Decisive = append(suite.Files, p), append(suite.Decisive, "com.x."+f+"Test::t")
	}
	suite.Repo, suite.Changed = repo, suite.Files
	names := map[string]bool{}
	for _, c := range javaCopiesOf(suite, func(string) string { return "" }).all() {
		_, name, _ := strings.Cut(c.ID, "::")
		names[name] = true
	}
	require.Len(t, names, 4)
	suite.Bare = true
	require.Nil(t, javaCopiesOf(suite, func(string) string { return "" }), "such a run judges nothing")
}

// TestCopyNamedAsANonceTest: both are named with words of the test file, so that
// a copy may have the name that a test of the nonce class has.
func TestCopyNamedAsANonceTest(t *testing.T) {
	n := &Nonce{Beside: true, Pass: "N::p", Fail: "N::f", More: []NonceTest{{ID: "N::m"}}, Copies: []NonceCopy{{Of: "A::a", ID: "A::f"}, {Of: "A::b", ID: "A::m"}}}
	all := []bench.Test{
		{ID: "A::a", Status: bench.Passed}, {ID: "A::b", Status: bench.Passed}, {ID: "A::f", Status: bench.Failed}, {ID: "A::m", Status: bench.Failed},
		{ID: "N::p", Status: bench.Passed}, {ID: "N::f", Status: bench.Failed}, {ID: "N::m", Status: bench.Failed},
	}
	rest, ours := splitNonce(n, reports.Report{Tests: all, Complete: true})
	require.Equal(t, all[:2], rest.Tests)
	require.Empty(t, oddities(Command{Nonce: n}, rest, ours, 1, nil))
	require.NotEmpty(t, oddities(Command{Nonce: n}, rest, slices.DeleteFunc(ours, func(t bench.Test) bool { return t.ID == "A::f" }), 1, nil))
}

// TestCopiesInCommands: Maven and Gradle run the copies if a failing test keeps no
// other from running and changes no published outcome.
func TestCopiesInCommands(t *testing.T) {
	const file = "src/test/java/com/x/ATest.java"
	for name, c := range map[string]struct {
		tool, build string
		published   []string
		copies      bool
	}{
		"Maven":                          {"maven", "", nil, true},
		"Maven, the first failure ends":  {"maven", "<properties><surefire.skipAfterFailureCount>1</surefire.skipAfterFailureCount></properties>", nil, false},
		"Gradle":                         {"gradle", "test { }", []string{"com.x.ATest"}, true},
		"Gradle, the first failure ends": {"gradle", "test { failFast = true }", nil, false},
		"Gradle's tasks are published":   {"gradle", "test { }", []string{"test"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			repo := javaRepo{"build.gradle": c.build, file: javaCopied4}
			if c.tool == "maven" {
				repo = javaRepo{"pom.xml": pom("a", c.build), file: javaCopied4}
			}
			cmd := javaLanguage{}.Command(bench.Env{Framework: c.tool, JDK: "17"}, Suite{
				Repo: repo, Files: []string{file}, Changed: []string{file}, Nonce: "n0123456789", Decisive: []string{"com.x.ATest"}, Published: c.published,
			})
			require.Equal(t, c.copies, len(cmd.Nonce.Copies) > 0)
			require.Equal(t, c.copies, strings.Contains(cmd.Script, "cp '/assay/n0123456789/copies/0.java' '"+file+"'"))
			put := 0
			for _, f := range cmd.Files {
				if f.Path == "/assay/n0123456789/copies/0.java" {
					put++
				}
			}
			require.Equal(t, c.copies, put == 1)
		})
	}
}
