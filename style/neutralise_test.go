package style

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/languages/token"
)

func describe(found []Suppression) string {
	var b strings.Builder
	for _, s := range found {
		left := ""
		if s.Left {
			left = " LEFT"
		}
		fmt.Fprintf(&b, "%s:%d %s %s%s: %s\n", s.Path, s.Line, s.Kind, strings.Join(s.Names, ","), left, s.Text)
	}
	return b.String()
}

func sourceFiles(t testing.TB) map[string]string {
	out := map[string]string{}
	for pattern, language := range map[string]string{"*.py": python, "*.java": java, "*.cc": cpp, "*.hpp": cpp} {
		files, err := filepath.Glob(filepath.Join("testdata", "sources", pattern))
		require.NoError(t, err)
		for _, f := range files {
			out[f] = language
		}
	}
	require.NotEmpty(t, out)
	return out
}

func TestNeutraliseGolden(t *testing.T) {
	for path, language := range sourceFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src := must(os.ReadFile(path))(t)
			out, found := Neutralise(language, filepath.Base(path), src)
			sameShape(t, src, out)
			golden(t, filepath.Join("neutralised", filepath.Base(path)), string(out))
			golden(t, filepath.Join("neutralised", filepath.Base(path)+".txt"), describe(found))
		})
	}
}

func TestNeutralise(t *testing.T) {
	cases := map[string]struct{ language, src, want, found string }{
		"pylint trailing":     {python, "x = 1  # pylint: disable=a, b\n", "x = 1  # pylimt: disable=a, b\n", "1 pylint a,b"},
		"pylint second":       {python, "x = 1  # noqa # pylint:disable=all\n", "x = 1  # noqa # pylimt:disable=all\n", "1 pylint all"},
		"pylint in a string":  {python, "x = '# pylint: disable=a'\n", "x = '# pylint: disable=a'\n", ""},
		"docstring":           {python, "\"\"\"\n# pylint: skip-file\n\"\"\"\n", "\"\"\"\n# pylint: skip-file\n\"\"\"\n", ""},
		"skip-file":           {python, "# pylint: skip-file\n", "# pylimt: skip-file\n", "1 pylint all"},
		"enable":              {python, "# pylint: enable=a\n", "# pylimt: enable=a\n", ""},
		"two clauses":         {python, "# pylint: enable=a; pylint: disable=b\n", "# pylimt: enable=a; pylimt: disable=b\n", "1 pylint b"},
		"another word":        {python, "# xpylint: disable=a\n", "# xpylimt: disable=a\n", ""},
		"odd boundaries":      {python, "# $pylint: disable=a\n#→pylint: disable=b\n", "# $pylimt: disable=a\n#→pylimt: disable=b\n", "1 pylint a; 2 pylint b"},
		"two actions":         {python, "# pylint: enable=a, disable=b\n", "# pylimt: enable=a, disable=b\n", "1 pylint b"},
		"lone returns":        {cpp, "// a\r#pragma GCC system_header\rint x; // NOLINT\r", "// a\r#pragma GCC xystem_header\rint x; // XOLINT\r", "1 system_header all; 1 nolint all"},
		"after an f-string":   {python, "x = f\"{y['#']}\" # pylint: disable=a\n", "x = f\"{y['#']}\" # pylimt: disable=a\n", "1 pylint a"},
		"nested same quotes":  {python, "x = f\"{y[\"# pylint: disable=a\"]}\"\n", "x = f\"{y[\"# pylint: disable=a\"]}\"\n", ""},
		"unclosed f-string":   {python, "x = f\"{\ny = 1 # pylint: disable=a\n", "x = f\"{\ny = 1 # pylimt: disable=a\n", "2 pylint a"},
		"format spec":         {python, "x = f\"{y:{w}#x}\" # pylint: disable=a\n", "x = f\"{y:{w}#x}\" # pylimt: disable=a\n", "1 pylint a"},
		"raw string":          {python, "x = r'\\' # pylint: disable=a\ny = 1\n", "x = r'\\' # pylint: disable=a\ny = 1\n", ""},
		"continued string":    {python, "x = 'a \\\n# pylint: disable=a'\n", "x = 'a \\\n# pylint: disable=a'\n", ""},
		"noqa stays":          {python, "import a  # noqa: F401  # type: ignore\n", "import a  # noqa: F401  # type: ignore\n", ""},
		"nopmd":               {java, "int x; // NOPMD - no\n", "int x; // XOPMD - no\n", "1 nopmd all"},
		"nopmd in a string":   {java, "String s = \"// NOPMD\";\n", "String s = \"// NOPMD\";\n", ""},
		"nopmd in text block": {java, "String s = \"\"\"\n // NOPMD \\\"\"\"\n\"\"\"; // NOPMD\n", "String s = \"\"\"\n // NOPMD \\\"\"\"\n\"\"\"; // XOPMD\n", "3 nopmd all"},
		"checkstyle":          {java, "// CHECKSTYLE:OFF\n// CHECKSTYLE:ON\n// CHECKSTYLE.SUPPRESS: X\n", "// XHECKSTYLE:OFF\n// XHECKSTYLE:ON\n// XHECKSTYLE.SUPPRESS: X\n", "1 checkstyle all; 3 checkstyle X"},
		"warnings":            {java, "@SuppressWarnings(\"PMD.OnlyOneReturn\")\n", "@SuppressWarnings(\"xMD.OnlyOneReturn\")\n", "1 annotation PMD.OnlyOneReturn"},
		"warnings list":       {java, "@SuppressWarnings(value = {\"all\", \"unchecked\", /* no */ \"unused\"})\n", "@SuppressWarnings(value = {\"xll\", \"unchecked\", /* no */ \"xnused\"})\n", "1 annotation all,unused"},
		"warnings qualified":  {java, "@java.lang.SuppressWarnings(\"PMD\") int x;\n", "@java.lang.SuppressWarnings(\"xMD\") int x;\n", "1 annotation PMD"},
		"warnings built up":   {java, "@SuppressWarnings(\"P\" + \"MD\") int x;\n", "@SuppressWarnings(\"x\" + \"xD\") int x;\n", "1 annotation MD,P"},
		"warnings escaped":    {java, "@SuppressWarnings(\"\\u0050MD\") int x;\n", "@SuppressWarnings(\"xxxxxxMD\") int x;\n", "1 annotation \\u0050MD"},
		"warnings constant":   {java, "@SuppressWarnings(QUIET) int x;\n", "@SuppressWarnings(QUIET) int x;\n", "1 annotation QUIET LEFT"},
		"compiler's only":     {java, "@SuppressWarnings({\"unchecked\", \"rawtypes\"}) int x;\n", "@SuppressWarnings({\"unchecked\", \"rawtypes\"}) int x;\n", ""},
		"not an annotation":   {java, "SuppressWarnings(\"PMD\");\n", "SuppressWarnings(\"PMD\");\n", ""},
		"nolint":              {cpp, "int x; // NOLINT\n", "int x; // XOLINT\n", "1 nolint all"},
		"nolint kinds":        {cpp, "// NOLINTNEXTLINE(a-*, b)\n/* NOLINTBEGIN */\n// NOLINTEND\n", "// XOLINTNEXTLINE(a-*, b)\n/* XOLINTBEGIN */\n// XOLINTEND\n", "1 nolint a-*,b; 2 nolint all"},
		"nolint of another":   {cpp, "// NOLINTER\n", "// NOLINTER\n", ""},
		"nolint in a string":  {cpp, "auto s = \"NOLINT\";\n", "auto s = \"NOLINT\";\n", "1 nolint all LEFT"},
		"nolint in raw":       {cpp, "auto s = R\"x(// \")NOLINTX\n)x\"; // NOLINT\n", "auto s = R\"x(// \")NOLINTX\n)x\"; // XOLINT\n", "2 nolint all"},
		"continued comment":   {cpp, "// a \\\nNOLINT\n", "// a \\\nXOLINT\n", "2 nolint all"},
		"digit separator":     {cpp, "int x = 1'000; // NOLINT\n", "int x = 1'000; // XOLINT\n", "1 nolint all"},
		"system header":       {cpp, "#  pragma GCC system_header\n", "#  pragma GCC xystem_header\n", "1 system_header all"},
		"behind a comment":    {cpp, "#pragma /* x */ GCC system_header\n", "#pragma /* x */ GCC xystem_header\n", "1 system_header all"},
		"digraph":             {cpp, "%:pragma clang system_header\n", "%:pragma clang xystem_header\n", "1 system_header all"},
		"operator":            {cpp, "_Pragma(\"GCC system_header\")\n", "_Pragma(\"GCC xystem_header\")\n", "1 system_header all"},
		"line marker":         {cpp, "# 33 \"a.cc\" 1 3\n", "# 33 \"a.cc\" 1  \n", "1 system_header all"},
		"line directive":      {cpp, "#line 33 \"a.cc\"\n", "#line 33 \"a.cc\"\n", ""},
		"diagnostic":          {cpp, "#pragma clang diagnostic ignored \"-Wunused\"\n", "#pragma clang xiagnostic ignored \"-Wunused\"\n", "1 diagnostic -Wunused"},
		"diagnostic push":     {cpp, "#pragma clang diagnostic push\n", "#pragma clang diagnostic push\n", ""},
		"analyzer":            {cpp, "#if !defined(__clang_analyzer__) && X\n", "#if !defined(__clang_analyzer_x) && X\n", "1 analyzer all"},
		"clang itself stays":  {cpp, "#ifdef __clang__\n", "#ifdef __clang__\n", ""},
		"in code":             {cpp, "f(\"#ifdef __clang_analyzer__\");\n", "f(\"#ifdef __clang_analyzer__\");\n", ""},
		"attribute":           {cpp, "[[clang::suppress]] int x;\n", "[[clang::xuppress]] int x;\n", "1 attribute all"},
		"suppress elsewhere":  {cpp, "suppress(x); a::suppress();\n", "suppress(x); a::suppress();\n", ""},
		"iwyu":                {cpp, "#include <a>  // IWYU pragma: keep\n", "#include <a>  // IWYU pragma: xeep\n", "1 iwyu misc-include-cleaner"},
		"unknown language":    {"go", "// NOLINT\n", "// NOLINT\n", ""},
		"empty":               {cpp, "", "", ""},
		"byte order mark":     {cpp, "\xef\xbb\xbf#pragma GCC system_header\n", "\xef\xbb\xbf#pragma GCC xystem_header\n", "1 system_header all"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, found := Neutralise(c.language, "f", []byte(c.src))
			require.Equal(t, c.want, string(out))
			var got []string
			for _, s := range found {
				line := fmt.Sprintf("%d %s %s", s.Line, s.Kind, strings.Join(s.Names, ","))
				if s.Left {
					line += " LEFT"
				}
				got = append(got, line)
			}
			require.Equal(t, c.found, strings.Join(got, "; "))
		})
	}
}

// FuzzNeutralise: the shape is kept, once is enough, and tokens cover the text
// in order.
func FuzzNeutralise(f *testing.F) {
	for path, language := range sourceFiles(f) {
		f.Add(uint8(strings.Index("pjc", language[:1])), must(os.ReadFile(path))(f))
	}
	f.Add(uint8(0), []byte("f'{f\"{x!r:{w}}\"}' '''\n# pylint: disable=a"))
	f.Add(uint8(2), []byte("R\"(\nNOLINT)\" // \\\r\n NOLINT\n#if a /* b\n*/ c \\\n d"))
	f.Add(uint8(1), []byte("@SuppressWarnings({\"\"\"\nall\"\"\", \"\\t\", X}) // NOPMD"))
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		language := []string{python, java, cpp}[which%3]
		out, found := Neutralise(language, "f", src)
		sameShape(t, src, out)
		again, rest := Neutralise(language, "f", out)
		require.Equal(t, string(out), string(again))
		for _, s := range rest {
			require.True(t, s.Left, "%v is found again", s)
		}
		last := 0
		for _, tok := range lex(language, src) {
			require.LessOrEqual(t, tok.Start, tok.End)
			require.LessOrEqual(t, tok.End, len(src))
			if tok.Kind != token.Comment && tok.Kind != token.String {
				require.GreaterOrEqual(t, tok.Start, last) // comments may be in f-strings
				last = tok.Start
			}
		}
		for _, s := range found {
			require.Positive(t, s.Line)
			require.LessOrEqual(t, s.Line, 1+strings.Count(string(src), "\n"))
			require.NotEmpty(t, s.Names)
		}
	})
}
