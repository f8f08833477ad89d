package imports

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/syntax"
)

type repo map[string]string

func (r repo) Paths() []string { return slices.Sorted(maps.Keys(r)) }

func (r repo) Read(p string) ([]byte, error) {
	if text, ok := r[p]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
}

func pythonRepo() repo {
	return repo{
		"src/tide/__init__.py":    "from .rule import Rule\nfrom .walk import iterate\n",
		"src/tide/rule.py":        "import re\n\nclass Rule:\n    pass\n\nclass RuleError(ValueError):\n    pass\n",
		"src/tide/walk.py":        "from collections import deque\n\ndef iterate(rule):\n    pass\n",
		"src/tide/io/__init__.py": "",
		"src/tide/io/ical.py":     "def dumps(x):\n    import json\n    return json.dumps(x)\n",
		"tests/test_walk.py":      "import numpy as np\nimport pytest\nfrom datetime import date, timedelta\nfrom tide import Rule\nfrom gone.rule import Old\n",
		"tests/test_rule.py":      "from tide import Rule\nfrom unittest.mock import (\n    patch,\n    Mock as M,\n)\n",
		"setup.py":                "from setuptools import setup\n",
	}
}

func TestPythonFor(t *testing.T) {
	f := NewFinder("python", pythonRepo(), "tests/test_new.py")
	for name, want := range map[string]string{
		"Rule":      "from tide import Rule", // as the tests spell it
		"np":        "import numpy as np",
		"pytest":    "import pytest",
		"timedelta": "from datetime import timedelta",
		"patch":     "from unittest.mock import patch",
		"M":         "from unittest.mock import Mock as M",
		"RuleError": "from tide.rule import RuleError", // defined
		"dumps":     "from tide.io.ical import dumps",
		"ical":      "from tide.io import ical", // a module
		"deque":     "from collections import deque",
		"tide":      "import tide",
		"setup":     "from setuptools import setup",
	} {
		got, ok := f.For(name)
		require.True(t, ok, name)
		require.Equal(t, want, got)
	}
	for _, name := range []string{"Nothing", "Mock", ""} {
		_, ok := f.For(name)
		require.False(t, ok, name)
	}
	require.Equal(t, "import Nothing", f.Fallback("Nothing"))
}

func TestPythonCorrect(t *testing.T) {
	f := NewFinder("python", pythonRepo(), "tests/test_new.py")
	for text, want := range map[string][]string{
		"import os, sys":                             {"import os, sys"},
		"from tide import Rule":                      {"from tide import Rule"},
		"from tide.rule import Rule, RuleError":      {"from tide.rule import Rule, RuleError"},
		"from tide.rules import Rule":                {"from tide import Rule"},
		"from tide.rules import RuleError as E":      {"from tide.rule import RuleError as E"},
		"from tide.walk import Rule, iterate":        {"from tide import Rule", "from tide.walk import iterate"},
		"from tide.io import ical":                   {"from tide.io import ical"},
		"import tide.ruel":                           {"import tide.rule"},
		"from tide.nothing import nothing":           {"from tide.nothing import nothing"},
		"from tide.rule import *":                    {"from tide.rule import *"},
		"from . import helpers":                      {"from . import helpers"},
		"from django.test import TestCase, override": {"from django.test import TestCase, override"},
		"not an import":                              {"not an import"},
		"from __future__ import annotations":         nil,
	} {
		require.Equal(t, want, f.Correct(text), text)
	}
}

// TestPythonFileNames: files whose names are not identifiers are not modules.
func TestPythonFileNames(t *testing.T) {
	r := pythonRepo()
	for _, p := range []string{"docs/01_intro.py", "some-tool.py", "src/tide/v2.0.py", "src/tide/naïve.py"} {
		r[p] = "class Odd:\n    pass\n"
	}
	f := NewFinder("python", r, "tests/test_new.py")
	got, ok := f.For("Odd")
	require.True(t, ok)
	require.Equal(t, "from tide.naïve import Odd", got)
	for _, name := range []string{"01_intro", "some-tool"} {
		_, ok := f.For(name)
		require.False(t, ok, name)
	}
	require.Equal(t, []string{"from tide.naïve import Odd"}, f.Correct("from tide.odd import Odd"))
}

func TestSplit(t *testing.T) {
	for name, tt := range map[string]struct {
		language, code string
		statements     []string
		rest           string
	}{
		"python":         {"python", "    import os\n    from a import (\n        b,\n    )\n\n    def test_a(self):\n        import inner\n", []string{"import os", "from a import (\n    b,\n)"}, "def test_a(self):\n    import inner"},
		"java":           {"java", "import a.B;\nimport static a.C.d;\n\n@Test\nvoid x() {}\n", []string{"import a.B;", "import static a.C.d;"}, "@Test\nvoid x() {}"},
		"cpp":            {"cpp", "#include <vector>\n#include \"a.h\"\n\nTEST(A, B) {}\n", []string{"#include <vector>", "#include \"a.h\""}, "TEST(A, B) {}"},
		"none":           {"python", "def f():\n    pass", nil, "def f():\n    pass"},
		"not a language": {"cobol", "import x", nil, "import x"},
	} {
		t.Run(name, func(t *testing.T) {
			statements, rest := Split(tt.language, tt.code)
			require.Equal(t, tt.statements, statements)
			require.Equal(t, tt.rest, rest)
		})
	}
}

func TestAddToPython(t *testing.T) {
	src := "\"\"\"Doc.\"\"\"\nimport os\n\ndef test_a():\n    \"\"\"Says Rule.\"\"\"\n    x = Rule()\n    assert x\n\ndef test_b(): assert np\n"
	all := []syntax.Range{{Start: 4, End: 9}}
	got := Add("python", []byte(src), all, true, []string{"from tide import Rule"})
	require.Equal(t, strings.Replace(src, "    x = Rule", "    from tide import Rule\n    x = Rule", 1), string(got))
	got = Add("python", []byte(src), all, true, []string{"import numpy as np"})
	require.Equal(t, strings.Replace(src, "import os\n", "import os\nimport numpy as np\n", 1), string(got), "a function of one line has no room")
	got = Add("python", []byte(src), all, false, []string{"import os", "import sys"})
	require.Equal(t, strings.Replace(src, "import os\n", "import os\nimport sys\n", 1), string(got))
	require.Equal(t, "\"\"\"Doc.\"\"\"\nimport a\nx = 1\n", string(Add("python", []byte("\"\"\"Doc.\"\"\"\nx = 1\n"), nil, false, []string{"import a"})))
	require.Equal(t, "#!x\nimport a\nx = 1\n", string(Add("python", []byte("#!x\nx = 1\n"), nil, false, []string{"import a", ""})))
}

// TestAddToCpp: includes go where they always count, and not where a condition
// further down has some.
func TestAddToCpp(t *testing.T) {
	src := "#include \"a.h\"\n\n#ifdef X\n#  include <locale>\n#endif\n\nTEST(A, B) {\n}\n\n#ifndef Y\n#  include <map>\nTEST(A, C) {\n}\n#endif\n"
	got := Add("cpp", []byte(src), nil, false, []string{"#include <map>", "#include <set>"})
	require.Equal(t, strings.Replace(src, "a.h\"\n", "a.h\"\n#include <set>\n", 1), string(got))
	guarded := "#ifndef A_H\n#define A_H\n#include <map>\n#endif\n"
	require.Equal(t, strings.Replace(guarded, "<map>\n", "<map>\n#include <set>\n", 1), string(Add("cpp", []byte(guarded), nil, false, []string{"#include <set>"})))
}

func TestInner(t *testing.T) {
	src := []byte("import top\n\ndef f():\n    import a\n    if f:\n        from b import c\n\ndef g():\n    import d\n")
	inner := Inner("python", src, []syntax.Range{{Start: 3, End: 6}})
	require.Len(t, inner, 2)
	require.Equal(t, "from b import c", inner[1].Text)
	require.Equal(t, "import top\n\ndef f():\n    import a\n    if f:\n        import x\n        import y\n\ndef g():\n    import d\n", string(inner[1].Replaced(src, []string{"import x", "import y"})))
	require.Empty(t, Inner("java", src, []syntax.Range{{Start: 1, End: 9}}))
}

func javaRepo() repo {
	return repo{
		"src/main/java/a/b/Cache.java":       "package a.b;\n\nimport java.util.concurrent.locks.ReentrantLock;\n\npublic class Cache {}\n",
		"src/main/java/a/b/io/Loader.java":   "package a.b.io;\npublic class Loader {}\n",
		"src/test/java/a/b/CacheTest.java":   "package a.b;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport static org.junit.jupiter.api.Assertions.assertThrows;\nimport org.junit.jupiter.api.Test;\nimport com.google.common.collect.ImmutableList;\n\nclass CacheTest {}\n",
		"src/test/java/a/b/io/LoadTest.java": "package a.b.io;\n\nimport org.junit.jupiter.api.Test;\nimport java.util.*;\n\nclass LoadTest {\n    void old() {}\n\n    @Test\n    void x() {\n    }\n}\n",
	}
}

func TestJavaUnknown(t *testing.T) {
	r := javaRepo()
	path := "src/test/java/a/b/io/LoadTest.java"
	f := NewFinder("java", r, path)
	src := strings.Replace(r[path], "    void x() {\n", `    @Nested
    <T> void x(Strange s) throws IOException {
        List<String> list = new ArrayList<>();
        ImmutableList<Cache> caches = ImmutableList.of(new Cache());
        Loader l = new Loader();
        Local local = null;
        T t = null;
        ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
        assertThrows(Error.class, () -> old());
        helper();
        BigDecimal.valueOf(1);
        Math.abs(1);
    }
    class Local {
`, 1)
	lines := []syntax.Range{{Start: 8, End: 40}}
	require.Equal(t, []string{"BigDecimal", "Cache", "IOException", "ImmutableList", "ReentrantLock", "assertThrows"}, f.Unknown([]byte(src), lines))
	for name, want := range map[string]string{
		"assertThrows": "import static org.junit.jupiter.api.Assertions.assertThrows;", "Cache": "import a.b.Cache;",
		"ImmutableList": "import com.google.common.collect.ImmutableList;", "BigDecimal": "import java.math.BigDecimal;",
		"ReentrantLock": "import java.util.concurrent.locks.ReentrantLock;", "IOException": "import java.io.IOException;",
	} {
		got, ok := f.For(name)
		require.True(t, ok, name)
		require.Equal(t, want, got)
	}
	require.Empty(t, f.Unknown([]byte(r[path]), lines))
	require.Empty(t, f.Fallback("Strange"))
	heir := strings.Replace(src, "class LoadTest", "class LoadTest extends TestCase", 1)
	require.NotContains(t, f.Unknown([]byte(heir), lines), "assertThrows", "a superclass may have it")
	got := Add("java", []byte(src), lines, true, []string{"import a.b.Cache;", "import  java.util.*;"})
	require.Equal(t, strings.Replace(src, "import java.util.*;\n", "import java.util.*;\nimport a.b.Cache;\n", 1), string(got))
	require.Equal(t, "package p;\nimport a.B;\n\nclass C {}\n", string(Add("java", []byte("package p;\n\nclass C {}\n"), nil, true, []string{"import a.B;"})))
}

func TestJavaCorrect(t *testing.T) {
	f := NewFinder("java", javaRepo(), "src/test/java/a/b/io/LoadTest.java")
	for text, want := range map[string]string{
		"import a.b.cache.Cache;":       "import a.b.Cache;",
		"import a.b.Cache;":             "import a.b.Cache;",
		"import a.b.Nothing;":           "import a.b.Nothing;",
		"import org.other.Cache;":       "import org.other.Cache;",
		"import java.util.*;":           "import java.util.*;",
		"import static a.b.Cache.make;": "import static a.b.Cache.make;",
		"import":                        "import",
	} {
		require.Equal(t, []string{want}, f.Correct(text))
	}
}

func cppRepo() repo {
	return repo{
		"include/wire/reader.h": "#pragma once\n#include \"wire/bytes.h\"\nnamespace wire {\nclass Reader { public: void feed(const Bytes&); };\n}\n",
		"include/wire/bytes.h":  "#pragma once\n#include <vector>\nnamespace wire {\nusing Bytes = std::vector<unsigned char>;\nBytes to_bytes(const char*);\n}\n",
		"include/wire/writer.h": "#pragma once\nnamespace wire {\nstruct Writer { int frame(); };\nint checksum(int);\nenum class Mode { A };\n#define WIRE_MAX 3\n}\n",
		"src/writer.cpp":        "#include \"wire/writer.h\"\n",
		"tests/helpers/fake.h":  "struct Fake { int x; };\n",
		"tests/reader_test.cpp": "#include <gtest/gtest.h>\n#include \"wire/reader.h\"\n\nTEST(A, B) {\n  EXPECT_TRUE(true);\n}\n",
	}
}

func TestCppUnknown(t *testing.T) {
	r := cppRepo()
	path := "tests/reader_test.cpp"
	f := NewFinder("cpp", r, path)
	src := strings.Replace(r[path], "  EXPECT_TRUE(true);\n", `  wire::Reader reader;
  reader.feed(wire::to_bytes("x"));
  Writer writer;
  Fake fake;
  Unheard of;
  std::vector<std::string> texts;
  std::map<int, int> m;
  EXPECT_EQ(checksum(3), writer.frame());
  std::chrono::seconds s;
`, 1)
	lines := []syntax.Range{{Start: 4, End: 20}}
	unknown := f.Unknown([]byte(src), lines)
	require.Equal(t, []string{"Fake", "Writer", "checksum", "std::chrono", "std::map", "std::string"}, unknown)
	var statements []string
	for _, name := range unknown {
		s, ok := f.For(name)
		require.True(t, ok, name)
		statements = append(statements, s)
	}
	require.Equal(t, []string{"#include \"helpers/fake.h\"", "#include \"wire/writer.h\"", "#include \"wire/writer.h\"", "#include <chrono>", "#include <map>", "#include <string>"}, statements)
	got := string(Add("cpp", []byte(src), lines, true, statements))
	require.Contains(t, got, "#include \"wire/reader.h\"\n#include \"helpers/fake.h\"\n#include \"wire/writer.h\"\n#include <chrono>\n#include <map>\n#include <string>\n\nTEST")
	require.Empty(t, f.Unknown([]byte(got), lines))
	require.Empty(t, f.Unknown([]byte(r[path]), lines))
}

func TestCppCorrect(t *testing.T) {
	f := NewFinder("cpp", cppRepo(), "tests/reader_test.cpp")
	for text, want := range map[string]string{
		"#include \"wire/reader.h\"":  "#include \"wire/reader.h\"",
		"#include <wire/reader.h>":    "#include <wire/reader.h>",
		"#include \"src/writer.h\"":   "#include \"wire/writer.h\"",
		"#include <wire/readers.h>":   "#include \"wire/reader.h\"",
		"#include \"wire/raeder.h\"":  "#include \"wire/reader.h\"",
		"#include \"wire/readerr.h\"": "#include \"wire/reader.h\"",
		"#include <vector>":           "#include <vector>",
		"#include <foo/bar.h>":        "#include <foo/bar.h>",
		"#include":                    "#include",
	} {
		require.Equal(t, []string{want}, f.Correct(text))
	}
}

func TestRelative(t *testing.T) {
	require.Equal(t, "helpers/fake.h", relative("tests", "tests/helpers/fake.h"))
	require.Equal(t, "../src/a.h", relative("tests", "src/a.h"))
	require.Equal(t, "a/b.h", relative(".", "a/b.h"))
	require.Equal(t, "b.h", relative("a", "a/b.h"))
}

func FuzzRepair(f *testing.F) {
	f.Add("from tide.rules import Rule, x as y", "def f():\n    import a.b\n    from tide import (Rule)\n")
	f.Add("import a.b.c.D;", "class A { void x() { List<B> l = C.d(); } }")
	f.Add("#include <wire/readers.h>", "TEST(A, B) { wire::Reader r; std::map<int,int> m; }")
	f.Fuzz(func(t *testing.T, statement, src string) {
		for language, r := range map[string]repo{"python": pythonRepo(), "java": javaRepo(), "cpp": cppRepo()} {
			finder := NewFinder(language, r, r.Paths()[0])
			finder.Correct(statement)
			statements, rest := Split(language, src)
			lines := []syntax.Range{{Start: 1, End: 1 + strings.Count(rest, "\n")}}
			text := []byte(rest)
			for _, name := range finder.Unknown(text, lines) {
				if s, ok := finder.For(name); ok {
					text = Add(language, text, lines, true, []string{s})
				}
			}
			text = Add(language, text, lines, true, statements)
			for _, i := range Inner(language, text, lines) {
				i.Replaced(text, finder.Correct(i.Text))
			}
		}
	})
}
