package languages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

const javaAsserting = `package com.x;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assert.*;
import org.junit.Test;
import org.testng.Assert;
public class ATest {
  @Test public void a() {
    assertEquals(1, 1);
    Assert.assertTrue(true);
    Unknown.assertNothing();
    assertThat(list).hasSize(3).contains(1);
  }
}
`

func TestJavaForms(t *testing.T) {
	var found []string
	for _, f := range javaForms(javaAsserting) {
		found = append(found, f.name())
	}
	require.Equal(t, []string{
		"org.assertj.core.api.Assertions.assertThat", "org.assertj.core.api.Assertions.assertThat().contains",
		"org.assertj.core.api.Assertions.assertThat().hasSize", "org.junit.Assert.assertEquals", "org.testng.Assert.assertTrue",
	}, found)
	n := 0
	next := func() string {
		n++
		return fmt.Sprintf("testn%d", n)
	}
	text, more := javaNonceForms("class N {\n}\n", javaAsserting, "org.junit.Test", "com.x.N", next)
	require.Len(t, more, 5)
	require.Equal(t, NonceTest{ID: "com.x.N::testn4", Form: "org.junit.Assert.assertEquals"}, more[3])
	require.Contains(t, text, `@org.junit.Test public void testn4() throws Throwable { tried("org.junit.Assert", "assertEquals", ""); }`)
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	plain, none := javaNonceForms("class N {\n}\n", "class A {}", "org.junit.Test", "N", next)
	require.Equal(t, "class N {\n}\n", plain)
	require.Empty(t, none)
}

func TestSaidOtherwise(t *testing.T) {
	at := func(id string, s bench.Status) bench.Test { return bench.Test{ID: id, Status: s} }
	const one = "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! -- in com.x.ATest\n"
	const total = "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n"
	for name, c := range map[string]struct {
		tests []bench.Test
		text  string
		odd   bool
	}{
		"both fail":                  {[]bench.Test{at("com.x.ATest::a", bench.Failed)}, one + total, false},
		"both pass":                  {[]bench.Test{at("com.x.ATest::a", bench.Passed)}, "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n", false},
		"the reports were rewritten": {[]bench.Test{at("com.x.ATest::a", bench.Passed)}, total, true},
		"one report was rewritten":   {[]bench.Test{at("com.x.ATest::a", bench.Passed), at("com.x.BTest::a", bench.Failed)}, one + total, true},
		// As Surefire 3.0 to 3.2 print and report tests of nested classes.
		"another nested class is named": {
			[]bench.Test{at("com.x.OuterTest$Inner::bad", bench.Failed), at("com.x.OuterTest$Inner$Deep::ok", bench.Passed)},
			"[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.012 s <<< FAILURE! - in com.x.OuterTest$Inner$Deep\n" + total, false,
		},
		"a nested class's report was rewritten": {
			[]bench.Test{at("com.x.OuterTest$Inner::bad", bench.Passed), at("com.x.BTest::a", bench.Failed)},
			"[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.012 s <<< FAILURE! -- in com.x.OuterTest$Inner\n" + total, true,
		},
		"of a class without a report":  {[]bench.Test{at("com.x.BTest::a", bench.Failed)}, one + total, false},
		"a class that is flaky":        {[]bench.Test{at("com.x.ATest::a", bench.Passed)}, one + "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Flakes: 1\n", false},
		"an old Surefire's error":      {[]bench.Test{at("ATest::a", bench.Passed)}, "Tests run: 1, Failures: 0, Errors: 1, Skipped: 0\n", true},
		"what a test prints otherwise": {[]bench.Test{at("ATest::a", bench.Passed)}, "Tests run: many\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			odd := saidOtherwise(reports.Report{Tests: c.tests}, nil, harness.Output{Head: []byte(c.text)})
			require.Equal(t, c.odd, len(odd) > 0, odd)
		})
	}
	ours := []bench.Test{at("N::a", bench.Failed), at("N::b", bench.Passed)}
	printed := func(failures int) harness.Output {
		return harness.Output{Head: fmt.Appendf(nil, "Tests run: 3, Failures: %d, Errors: 0, Skipped: 0\n", failures)}
	}
	rest := reports.Report{Tests: []bench.Test{at("A::a", bench.Passed)}}
	require.Empty(t, saidOtherwise(rest, ours, printed(1)), "the failure is ours")
	require.NotEmpty(t, saidOtherwise(rest, ours, printed(2)), "one more than ours")
}

// TestStartedAgain: a run that reports nothing of nonce tests is suspect,
// unless a process of the tests died before all of them ran.
func TestStartedAgain(t *testing.T) {
	repo := javaRepo{"a/ATest.java": "class ATest { }", "a/BTest.java": "class BTest { }"}
	s := Suite{Repo: repo, Files: []string{"a/ATest.java", "a/BTest.java"}}
	beside := &Nonce{Beside: true, Script: "x"}
	one := reports.Report{Tests: []bench.Test{{ID: "ATest::a", Status: bench.Passed}}}
	both := reports.Report{Tests: append([]bench.Test{{ID: "BTest::a", Status: bench.Passed}}, one.Tests...)}
	died := harness.Output{Tail: []byte("[ERROR] The forked VM terminated without properly saying goodbye.\n")}
	require.Len(t, startedAgain(s, beside, both, nil, harness.Output{}), 1)
	require.Len(t, startedAgain(s, beside, one, nil, harness.Output{}), 1)
	require.Len(t, startedAgain(s, beside, both, nil, died), 1, "it died after them")
	require.Empty(t, startedAgain(s, beside, one, nil, died))
	require.Empty(t, startedAgain(s, beside, both, one.Tests, harness.Output{}))
	require.Empty(t, startedAgain(s, &Nonce{Script: "x"}, both, nil, harness.Output{}), "they have a start of their own")
}

func TestNewPackages(t *testing.T) {
	repo := pythonTree{
		"src/main/java/com/x/A.java": "package com.x;\n", "src/main/java/com/x/B.java": "package com.x;\n",
		"src/main/java/org/hamcrest/M.java": "package org.hamcrest;\n", "notes/Z.md": "package z;\n",
	}
	s := Suite{Repo: repo, Nonce: "n1", Added: []string{"src/main/java/com/x/B.java", "src/main/java/org/hamcrest/M.java", "notes/Z.md"}}
	require.Equal(t, []string{"org.hamcrest"}, newPackages(s))
	require.Contains(t, shadowCheck(s), "{24})org/hamcrest/'")
	require.Empty(t, shadowCheck(Suite{Repo: repo}))
	said := shadowsSaid(s, harness.Output{Head: []byte("x\nassay-n1 shadows org.hamcrest\nassay-n2 shadows a\n")})
	require.Len(t, said, 1)
	require.Equal(t, "shadow org.hamcrest", said[0].kind)
}

const pomWith = `<project><parent><version>1</version></parent><properties><skipTests>%s</skipTests><encoding>x</encoding></properties>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>%s</version><configuration><argLine>%s</argLine></configuration></plugin></plugins></build></project>`

func TestTestSettings(t *testing.T) {
	pom := func(skip, version, line string) Settings {
		text := strings.Replace(strings.Replace(strings.Replace(pomWith, "%s", skip, 1), "%s", version, 1), "%s", line, 1)
		return testSettingsOf(javaLanguage{}, pythonTree{"pom.xml": text, "src/test/resources/pom.xml": "<project/>"})
	}
	base := pom("false", "1", "")
	require.Empty(t, base.Unlike(base))
	require.Empty(t, pom("false", "2", "").Unlike(base), "another version is no other setting")
	require.Contains(t, pom("true", "1", "").Unlike(base), "property skipTests")
	require.Contains(t, pom("false", "1", "-javaagent:x").Unlike(base), "plugin maven-surefire-plugin")
	require.Contains(t, testSettingsOf(javaLanguage{}, pythonTree{"pom.xml": "<project/>"}).Unlike(base), "parent")
	require.Len(t, base, 3)
	for name, text := range map[string]string{
		"repositories": "<repositories><repository><url>file:repo</url></repository></repositories>", "enableAssertions": "<properties><enableAssertions>false</enableAssertions></properties>",
	} {
		plain := testSettingsOf(javaLanguage{}, pythonTree{"pom.xml": "<project/>"})
		require.Contains(t, testSettingsOf(javaLanguage{}, pythonTree{"pom.xml": "<project>" + text + "</project>"}).Unlike(plain), name)
	}

	archives := func(text string) Settings { return testSettingsOf(javaLanguage{}, pythonTree{"libs/a.jar": text}) }
	require.Empty(t, archives("x").Unlike(archives("x")))
	require.Contains(t, archives("x").Unlike(archives("y")), "libs/a.jar")
	require.Contains(t, archives("x").Unlike(testSettingsOf(javaLanguage{}, pythonTree{})), "libs/a.jar")
	require.Empty(t, testSettingsOf(javaLanguage{}, pythonTree{}).Unlike(archives("x")))

	services := func(more ...string) Settings {
		tree := pythonTree{"src/main/resources/META-INF/services/com.x.Spi": "com.x.A\n", "src/main/resources/META-INF/services/javax.annotation.processing.Processor": "com.x.P\n"}
		for _, p := range more {
			tree[p] = "com.x.Q\n"
		}
		return testSettingsOf(javaLanguage{}, tree)
	}
	require.Empty(t, services("src/main/resources/META-INF/services/com.x.Other").Unlike(services()), "no tool's")
	for _, p := range []string{"src/main/resources/META-INF/services/javax.annotation.processing.Processor", "META-INF/services/org.junit.platform.launcher.TestExecutionListener", "a/mockito-extensions/org.mockito.plugins.MockMaker"} {
		require.Contains(t, services(p).Unlike(services()), p)
	}

	ini := func(text string) Settings { return testSettingsOf(pythonLanguage{}, pythonTree{"setup.cfg": text}) }
	plain := ini("[tool:pytest]\naddopts = -q\nmarkers = a\n")
	require.Empty(t, ini("[tool:pytest]\naddopts = -q\nmarkers = b\n").Unlike(plain))
	require.Contains(t, ini("[tool:pytest]\naddopts = -p x\n").Unlike(plain), "addopts")
	require.Contains(t, ini("[tool:pytest]\n").Unlike(plain), "all settings")
	require.Contains(t, ini("[tool:pytest]\naddopts = -q\n[options.entry_points]\npytest11 =\n  x = y\n").Unlike(plain), "plugins of setup.cfg")
	require.NotEmpty(t, testSettingsOf(pythonLanguage{}, pythonTree{"pytest.ini": "[pytest]\naddopts = -q\n"}).Unlike(plain))
}
