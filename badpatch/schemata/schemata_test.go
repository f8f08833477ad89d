package schemata

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/code"
	"assay/languages"
)

const javaSource = `package a;

public class Box {
  private final int size;

  Box(int size) {
    this.size = size;
  }

  Box() {
    this(3);
    check();
  }

  int area() { return size * size; }

  int side(final int by) {
    Runnable r = new Runnable() {
      @Override public void run() { check(); }
    };
    r.run();
    return size + by;
  }

  void check() {}
}

interface Other {
  default int one() {
    return 1;
  }
}
`

const cppSource = `#pragma once
constexpr int twice(int x) { return 2 * x; }

struct Box {
  int size = 3;
  Box() : size(4) {}
  int area() const {
#ifdef SQUARE
    return size * size;
#else
    return size;
#endif
  }
};
`

func fileOf(t testing.TB, language, text string) *File {
	c, err := code.Parse(language, "a", []byte(text))
	require.NoError(t, err)
	f, ok := New(c)
	require.True(t, ok)
	return f
}

func TestTakes(t *testing.T) {
	tests := []struct {
		name, language, from, to string
		want                     bool
	}{
		{"an expression", languages.Java, "size * size", "size + size", true},
		{"a statement less", languages.Java, "    r.run();\n", "", true},
		{"within a class within a method", languages.Java, "run() { check(); }", "run() { }", true},
		{"behind a call of another constructor", languages.Java, "    check();\n  }\n\n  int area", "  }\n\n  int area", true},
		{"a default method", languages.Java, "return 1", "return 2", true},
		{"a statement more at the beginning", languages.Java, "{\n    this.size", "{\n    check();\n    this.size", true},
		{"a call of another constructor", languages.Java, "this(3)", "this(4)", false},
		{"a field", languages.Java, "private final int size", "private final long size", false},
		{"a parameter", languages.Java, "final int by", "int by", false},
		{"a name", languages.Java, "int area", "int areas", false},
		{"a method more", languages.Java, "  void check() {}\n", "  void check() {}\n  void checks() {}\n", false},
		{"a method that ends early", languages.Java, "    r.run();\n", "    return 1; } int two() {\n", false},
		{"a constexpr function", languages.Cpp, "2 * x", "3 * x", true},
		{"within #ifdef", languages.Cpp, "size * size", "size + size", true},
		{"an initialiser of a constructor", languages.Cpp, "size(4)", "size(5)", false},
		{"a field's value", languages.Cpp, "= 3", "= 4", false},
		{"nothing", languages.Cpp, "", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			source := map[string]string{languages.Java: javaSource, languages.Cpp: cppSource}[tt.language]
			require.Contains(t, source, tt.from)
			require.Equal(t, tt.want, fileOf(t, tt.language, source).Takes([]byte(strings.Replace(source, tt.from, tt.to, 1))))
		})
	}
	c, err := code.Parse(languages.Python, "a.py", []byte("def f():\n    return 1\n"))
	require.NoError(t, err)
	_, ok := New(c)
	require.False(t, ok)
}

// TestWrite: each version is in the branches of the functions that it changes,
// and errors in a branch are that version's.
func TestWrite(t *testing.T) {
	f := fileOf(t, languages.Java, javaSource)
	require.True(t, f.Add(1, []byte(strings.Replace(javaSource, "size * size", "size", 1))))
	require.True(t, f.Add(2, []byte(strings.NewReplacer("size * size", "0", "return 1", "return 2").Replace(javaSource))))
	require.False(t, f.Add(3, []byte(strings.Replace(javaSource, "int area", "int areas", 1))))
	w, err := f.Write()
	require.NoError(t, err)
	text := string(w.Text)
	require.Contains(t, text, `  int area() {
/* assay: choice */
if (AssayMutant.ON == 1) {
/* assay: version 1 */
 return size; 
} else if (AssayMutant.ON == 2) {
/* assay: version 2 */
 return 0; 
} else {
/* assay: version 0 */
 return size * size; 
}
/* assay: end */
}
`)
	require.Equal(t, 2, strings.Count(text, "class AssayMutant"), "Box and Other")
	line := func(part string) int { return strings.Count(text[:strings.Index(text, part)], "\n") + 1 }
	for _, tt := range []struct {
		part    string
		want    []int
		certain bool
	}{
		{" return size; \n", []int{1}, true}, {" return 0; \n", []int{2}, true}, {"return 2", []int{2}, true},
		{" return size * size; \n", []int{1, 2}, false}, {"return 1", []int{2}, false}, {"private final", nil, false},
		{"}\n\n  int side", []int{1, 2}, false},
	} {
		got, certain := w.Blamed(line(tt.part))
		require.Equal(t, tt.want, got, tt.part)
		require.Equal(t, tt.certain, certain, tt.part)
	}
	again := fileOf(t, languages.Java, text)
	require.Zero(t, again.code.Errors)
}

func TestWriteCpp(t *testing.T) {
	f := fileOf(t, languages.Cpp, cppSource)
	require.True(t, f.Add(7, []byte(strings.NewReplacer("2 * x", "x", "size * size", "0").Replace(cppSource))))
	w, err := f.Write()
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(w.Text), "#ifndef "+Variable+"\n"), "before the guard")
	require.Contains(t, string(w.Text), "if (!__builtin_is_constant_evaluated() && ASSAY_MUTANT == 7) {\n")
	require.Contains(t, string(w.Text), "\nif (ASSAY_MUTANT == 7) {\n")
	none, err := fileOf(t, languages.Cpp, cppSource).Write()
	require.NoError(t, err)
	require.Equal(t, cppSource, string(none.Text))
}

// FuzzTakes: what is taken is the original with other bodies, and nothing else.
func FuzzTakes(f *testing.F) {
	f.Add(javaSource, 0, "size * size", "size")
	f.Add(cppSource, 1, "return", "}")
	f.Add("class A { void f() { g(); } }", 0, "g();", "{ h(); }")
	f.Fuzz(func(t *testing.T, source string, which int, from, to string) {
		if len(source) > 4000 {
			return
		}
		language := []string{languages.Java, languages.Cpp}[which&1]
		text := strings.Replace(source, from, to, 1)
		file := fileOf(t, language, source)
		all, ok := versions(file.dialect, file.code.Src, file.bodies, []byte(text))
		if !ok {
			return
		}
		var edits []code.Edit
		for i, v := range all {
			edits = append(edits, code.Edit{Start: file.bodies[i].start, End: file.bodies[i].end, Text: v})
		}
		got, ok := code.Apply([]byte(source), edits)
		require.True(t, ok)
		require.Equal(t, text, string(got))
		require.True(t, file.Add(1, []byte(text)))
		_, err := file.Write()
		require.NoError(t, err)
	})
}
