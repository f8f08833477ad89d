package code_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch/badpatchtest"
	"assay/badpatch/code"
)

func TestNormaliseSame(t *testing.T) {
	for name, c := range map[string]struct{ language, a, b string }{
		"comment":           {"python", "x = 1  # one\n", "x = 1\n"},
		"blank lines":       {"python", "x = 1\n\n\ny = 2\n", "x = 1\ny = 2"},
		"docstring":         {"python", "def f():\n    \"\"\"Doc\n  string.\"\"\"\n    return 1\n", "def f():\n    return 1\n"},
		"indentation":       {"python", "if a:\n  b()\nc()\n", "if a:\n        b()\nc()\n"},
		"broken line":       {"python", "f(a,\n  b)\n", "f(a, b)\n"},
		"backslash":         {"python", "x = a + \\\n  b\n", "x = a + b\n"},
		"semicolon":         {"python", "a = 1; b = 2\n", "a = 1\nb = 2\n"},
		"spaces":            {"python", "f( a,b )\n", "f(a, b)\n"},
		"comment outdented": {"python", "if a:\n    b()\n# why\n    c()\n", "if a:\n    b()\n    c()\n"},
		"carriage return":   {"python", "if a:\r\n    b()\r\n", "if a:\n    b()\n"},
		"java":              {"java", "int x = 1; // one\n/* two */ int y;", "int x = 1;\nint y;"},
		"java text block":   {"java", "String s = \"\"\"\n // not \"\"\"; // gone", "String s = \"\"\"\n // not \"\"\";"},
		"cpp":               {"cpp", "int x=1;/* a\n b */\n", "int  x = 1;"},
		"directive":         {"cpp", "#define A \\\n  1 // one\nint x;", "#define A 1\nint x;"},
		"other":             {"", "a  b\n", "a b"},
	} {
		require.Equal(t, code.Normalise(c.language, []byte(c.a)), code.Normalise(c.language, []byte(c.b)), name)
	}
}

func TestNormaliseDiffers(t *testing.T) {
	for name, c := range map[string]struct{ language, a, b string }{
		"string":         {"python", "x = 'a  b'\n", "x = 'a b'\n"},
		"hash in string": {"python", "x = '# a'\n", "x = '# b'\n"},
		"triple":         {"python", "x = '''# a'''\n", "x = '''# b'''\n"},
		"block":          {"python", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"},
		"statement end":  {"python", "a\n-b\n", "a - b\n"},
		"returned text":  {"python", "return 'a'\n", "return\n"},
		"text argument":  {"python", "f('a')\n", "f()\n"},
		"slashes":        {"java", "String s = \"// a\";", "String s = \"// b\";"},
		"words":          {"java", "int xy;", "int x y;"},
		"char":           {"java", "c = '\"'; /* x */ d = '\"';", "c = '\"';"},
		"raw":            {"cpp", `s = R"(a // b)";`, `s = R"(a // c)";`},
		"separator":      {"cpp", "x = 1'000; y = 'a';", "x = 1'000; y = 'b';"},
		"directive ends": {"cpp", "#define A\n1", "#define A 1\n"},
	} {
		require.NotEqual(t, code.Normalise(c.language, []byte(c.a)), code.Normalise(c.language, []byte(c.b)), name)
	}
}

// FuzzNormalise checks that the form is the same again, and that blank lines
// and a comment at the end change nothing of a text that ends outside of
// strings, comments and brackets.
func FuzzNormalise(f *testing.F) {
	names := []string{"python", "java", "cpp"}
	for i, language := range names {
		_, src := badpatchtest.Sample(f, language)
		f.Add(uint8(i), src)
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		language := names[int(which)%3]
		form := code.Normalise(language, src)
		require.Equal(t, form, code.Normalise(language, src))
	})
}
