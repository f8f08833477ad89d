package languages

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestFailureKinds: the messages of runners about a failing test, and what they
// mean.
func TestFailureKinds(t *testing.T) {
	python, java, cpp := Default().Named(Python), Default().Named(Java), Default().Named(Cpp)
	deep := "\n    def test_x():\n>       lib.f()\n\ntests/test_a.py:3: \n_ _ _ _ _ _ _\n\n    def f():\n>       x.y\nE       "
	for name, c := range map[string]struct {
		language Language
		status   bench.Status
		said     string
		want     bench.FailureKind
	}{
		"pytest's assert":            {python, bench.Failed, "assert 1 == 2\ndef test_x():\n>   assert f() == 2\nE   assert 1 == 2", bench.ByAssertion},
		"assert with a message":      {python, bench.Failed, "AssertionError: odd\nassert 1 == 2\ndef test_x():", bench.ByAssertion},
		"a subclass":                 {python, bench.Failed, "numpy.testing.AssertionError: odd", bench.ByAssertion},
		"pytest.raises":              {python, bench.Failed, "Failed: DID NOT RAISE <class 'ValueError'>\ndef test_x():", bench.ByAssertion},
		"unittest":                   {python, bench.Failed, "Traceback (most recent call last):\n  File \"t.py\", line 3, in test_x\n    self.assertEqual(1, 2)\nAssertionError: 1 != 2", bench.ByAssertion},
		"another exception":          {python, bench.Failed, "ValueError: no\ndef test_x():\n>   f()\nE   ValueError: no", bench.ByException},
		"one without a message":      {python, bench.Failed, "NotImplementedError\ndef test_x():\n>   f()\nE   NotImplementedError\n\nt.py:3: NotImplementedError", bench.ByException},
		"one of unittest":            {python, bench.Error, "Traceback (most recent call last):\n  File \"t.py\", line 3, in test_x\n    f()\n  File \"a.py\", line 9, in f\nKeyError: 'x'", bench.ByException},
		"a name to import":           {python, bench.Error, "ImportError while importing test module 't.py'.\nTraceback:\nt.py:1: in <module>\n    from a import b\nE   ImportError: cannot import name 'b' from 'a'", bench.ByMissing},
		"a module":                   {python, bench.Error, "ImportError while importing test module 't.py'.\nE   ModuleNotFoundError: No module named 'a.b'", bench.ByMissing},
		"a function of a module":     {python, bench.Failed, "AttributeError: module 'a' has no attribute 'f'\ndef test_x():\n>   a.f()\nE   AttributeError: module 'a' has no attribute 'f'", bench.ByMissing},
		"a method":                   {python, bench.Failed, "AttributeError: 'Parser' object has no attribute 'feed'\ndef test_x():\n>   p.feed()\nE   AttributeError: 'Parser' object has no attribute 'feed'", bench.ByMissing},
		"a method, in unittest":      {python, bench.Error, "Traceback (most recent call last):\n  File \"t.py\", line 3, in test_x\n    p.feed()\nAttributeError: 'Parser' object has no attribute 'feed'", bench.ByMissing},
		"an argument":                {python, bench.Failed, "TypeError: f() got an unexpected keyword argument 'deep'\ndef test_x():\n>   f(deep=1)\nE   TypeError: f() got an unexpected keyword argument 'deep'", bench.ByMissing},
		"a member of None":           {python, bench.Failed, "AttributeError: 'NoneType' object has no attribute 'group'\ndef test_x():\n>   f().group()\nE   AttributeError: 'NoneType' object has no attribute 'group'", bench.ByException},
		"a member, inside the code":  {python, bench.Failed, "AttributeError: 'Parser' object has no attribute 'y'" + deep + "AttributeError: 'Parser' object has no attribute 'y'", bench.ByException},
		"an argument, inside":        {python, bench.Failed, "TypeError: g() got an unexpected keyword argument 'y'" + deep + "TypeError: g() got an unexpected keyword argument 'y'", bench.ByException},
		"JUnit 4":                    {java, bench.Failed, "java.lang.AssertionError: expected:<1> but was:<2>\n\tat p.T.m(T.java:5)", bench.ByAssertion},
		"JUnit 5":                    {java, bench.Failed, "org.opentest4j.AssertionFailedError: expected: <1> but was: <2>", bench.ByAssertion},
		"the message first":          {java, bench.Failed, "expected:<1> but was:<2>\njunit.framework.ComparisonFailure: expected:<1> but was:<2>", bench.ByAssertion},
		"an exception in Java":       {java, bench.Error, "java.lang.IllegalStateException: no\n\tat p.A.f(A.java:5)", bench.ByException},
		"as Gradle reports it":       {java, bench.Failed, "java.lang.NullPointerException: no\n\tat p.A.f(A.java:5)", bench.ByException},
		"its message first":          {java, bench.Failed, "no\njava.lang.NullPointerException: no\n\tat p.A.f(A.java:5)", bench.ByException},
		"a method by reflection":     {java, bench.Error, "java.lang.NoSuchMethodException: p.A.f()\n\tat x", bench.ByMissing},
		"GoogleTest":                 {cpp, bench.Failed, "/testbed/t.cc:7\nExpected equality of these values:\n  1\n  2", bench.ByAssertion},
		"an exception in GoogleTest": {cpp, bench.Failed, "unknown file\nC++ exception with description \"no\" thrown in the test body.", bench.ByException},
		"Catch2":                     {cpp, bench.Failed, "t.cpp:9: REQUIRE\noriginal: f() == 2\nexpanded: 1 == 2", bench.ByAssertion},
		"an exception in doctest":    {cpp, bench.Failed, "exception: no", bench.ByException},
		"a signal":                   {cpp, bench.Error, "SIGSEGV - Segmentation violation signal", bench.ByCrash},
	} {
		o := Outcome{Language: c.language, Said: map[string]string{"t::x": c.said}, Run: bench.Run{State: bench.RunDone}}
		require.Equal(t, c.want, o.Failure("t::x", c.status), name)
		require.Equal(t, c.want, o.Failure("t::x[1]", c.status), "%s: a case", name)
	}
}

// TestFailureOfBuilds: a build that fails only for missing names is distinguished
// from one that fails otherwise.
func TestFailureOfBuilds(t *testing.T) {
	java, cpp := Default().Named(Java), Default().Named(Cpp)
	maven, err := os.ReadFile("reports/testdata/tools/maven/j5_nocompile.log")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		language Language
		log      string
		want     bench.FailureKind
	}{
		"Maven, as it prints it": {java, string(maven), bench.ByMissing},
		"a type that does not fit": {java, "[ERROR] /testbed/src/test/java/T.java:[3,9] cannot find symbol\n[ERROR]   symbol:   method f()\n" +
			"[ERROR] /testbed/src/test/java/T.java:[4,9] incompatible types: int cannot be converted to String\n", bench.ByBuild},
		"javac":      {java, "/testbed/T.java:3: error: cannot find symbol\n    a.f();\n     ^\n  symbol:   method f()\n", bench.ByMissing},
		"signature":  {java, "/testbed/T.java:3: error: method f in class A cannot be applied to given types;\n", bench.ByMissing},
		"no error":   {java, "nothing\n", bench.ByBuild},
		"g++":        {cpp, "t.cc:3:5: error: 'f' was not declared in this scope; did you mean 'g'?\nt.cc:3:9: error: expected primary-expression before '>' token\n", bench.ByMissing},
		"clang":      {cpp, "t.cc:3:5: error: no member named 'f' in namespace 'a'\n", bench.ByMissing},
		"a header":   {cpp, "t.cc:1:10: fatal error: a/new.h: No such file or directory\n", bench.ByMissing},
		"a linker":   {cpp, "/usr/bin/ld: t.o: in function `main':\nt.cc:(.text+0x5): undefined reference to `f()'\n", bench.ByMissing},
		"a type":     {cpp, "t.cc:3:5: error: cannot convert 'int' to 'A'\nt.cc:4:5: error: 'f' was not declared in this scope\n", bench.ByBuild},
		"only noise": {cpp, "t.cc:3:9: error: expected primary-expression before '>' token\n", bench.ByBuild},
	} {
		o := Outcome{Language: c.language, Log: []byte(c.log), Run: bench.Run{State: bench.RunUnbuilt}}
		require.Equal(t, c.want, o.Failure("T::x", bench.Missing), name)
	}
	require.Equal(t, bench.ByBuild, Outcome{Run: bench.Run{State: bench.RunUnbuilt}}.Failure("T::x", bench.Missing), "another language")
	require.Equal(t, bench.ByException, Outcome{}.Failure("T::x", bench.Failed))
}
