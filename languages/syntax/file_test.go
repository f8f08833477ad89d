package syntax

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseRefuses(t *testing.T) {
	_, err := Parse("cobol", nil)
	require.ErrorContains(t, err, `"cobol" is not known`)
	_, err = Parse("python", make([]byte, maxSource+1))
	require.ErrorContains(t, err, "are more than")
}

func TestParseCountsErrors(t *testing.T) {
	for language, src := range map[string][2]string{
		"python": {"def f():\n    return 1\n", "def f(:\n    return (1\n"},
		"java":   {"class A { void f() {} }", "class A { void f( { ) }"},
		"cpp":    {"void f() { g(1); }", "void f() { g(1; }"},
	} {
		for i, errors := range []bool{false, true} {
			f, err := Parse(language, []byte(src[i]))
			require.NoError(t, err)
			require.Equal(t, errors, f.Errors > 0, "%s %q", language, src[i])
		}
	}
}

// TestParseDeep checks that source without end to its depth does not exhaust
// the stack.
func TestParseDeep(t *testing.T) {
	for language, open := range map[string]string{
		"python": "[", "java": "class A {", "cpp": "namespace a {",
	} {
		_, err := Parse(language, []byte(strings.Repeat(open, 20000)))
		require.NoError(t, err)
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		`"a"`: "a", `""`: "", `u8"a"`: "a", `L"a"`: "a", `"a\"b\\c"`: `a"b\c`, `"\n\t\x41\101\0"`: "\n\tAA\x00",
		`"\u00e9\U0001F600"`: "é😀", `"\xe9"`: "\xe9", `"\q\?"`: "q?", "\"a\\\nb\"": "ab", "\"a\\\r\nb\"": "ab", `R"(a\n"b)"`: `a\n"b`,
		`u8R"x(a)")x"`: `a)"`, `"\x"`: "", `"a`: "a", `"a\`: `a\`, `"\u12"`: "\x12", `"\ud800"`: "",
	} {
		require.Equal(t, want, literal(text), "of %s", text)
	}
}

// FuzzParse holds for any text: no panic, ranges within the file, and the same
// result again; an unchanged file contributes nothing.
func FuzzParse(f *testing.F) {
	languages := []string{"python", "java", "cpp"}
	for path, language := range samples(f) {
		src, err := os.ReadFile(path)
		require.NoError(f, err)
		for i, l := range languages {
			if l == language {
				f.Add(uint8(i), src)
			}
		}
	}
	f.Add(uint8(2), []byte("TEST_CASE(\"a\" \"\\x\") SECTION(R\"(b)\") #if 0\n"))
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		language := languages[int(which)%3]
		file, err := Parse(language, src)
		require.NoError(t, err)
		last := strings.Count(string(src), "\n") + 1
		for _, s := range file.Symbols {
			require.True(t, 1 <= s.Start && s.Start <= s.End && s.End <= last, "%+v of %d lines", s, last)
			require.True(t, s.HeadEnd == 0 || s.Start <= s.HeadEnd && s.HeadEnd <= s.End, "%+v", s)
		}
		for _, r := range file.Imports {
			require.True(t, 1 <= r.Start && r.Start <= r.End && r.End <= last, "%+v of %d lines", r, last)
		}
		tests := Tests(language, "x", file)
		for _, test := range tests {
			require.True(t, 1 <= test.Start && test.Start <= test.End && test.End <= last, "%+v", test)
			require.NotEmpty(t, test.ID)
			require.True(t, test.Covers(test.ID))
		}
		again, err := Parse(language, src)
		require.NoError(t, err)
		require.Equal(t, tests, Tests(language, "x", again))
		require.Empty(t, Contributed(tests, tests, src, src))
	})
}

func BenchmarkParse(b *testing.B) {
	for path, language := range samples(b) {
		if strings.Contains(path, "broken") || strings.Contains(path, "catch") || strings.Contains(path, "doctest") {
			continue
		}
		b.Run(language, func(b *testing.B) {
			one, err := os.ReadFile(path)
			require.NoError(b, err)
			src := []byte(strings.Repeat(string(one)+"\n", 3000/strings.Count(string(one), "\n")))
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				file, err := Parse(language, src)
				require.NoError(b, err)
				Tests(language, "x", file)
			}
		})
	}
}

func TestHeadImports(t *testing.T) {
	for name, tt := range map[string]struct {
		language, src string
		want          int
	}{
		"none":              {"cpp", "int x;\n", 0},
		"before symbols":    {"python", "import a\nimport b\n\ndef f(): pass\n\nimport c\n", 2},
		"behind symbols":    {"python", "def f(): pass\nimport c\n", 0},
		"no symbols":        {"python", "import a\nx = 1\nimport b\n", 3},
		"java":              {"java", "package a;\n\nimport b.C;\n\nclass D {}\n", 3},
		"in a condition":    {"cpp", "#include <a>\n#if X\n#include <b>\n#endif\nvoid f() {}\n", 1},
		"after a condition": {"cpp", "#if X\n#include <b>\n#endif\n#include <a>\nvoid f() {}\n", 4},
		"in a guard":        {"cpp", "#ifndef A\n#define A\n#include <a>\n#ifdef X\n#include <b>\n#endif\nvoid f() {}\n#endif\n", 3},
		"only in one":       {"cpp", "#if X\n#include <b>\n#endif\nvoid f() {}\n", 2},
		"an end too many":   {"cpp", "#endif\n#endif\n#include <a>\nvoid f() {}\n", 3},
	} {
		f, err := Parse(tt.language, []byte(tt.src))
		require.NoError(t, err)
		require.Equal(t, tt.want, f.HeadImports(), name)
	}
}
