package token

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shown is tokens as one text each, with their kind in front.
func shown(src string, tokens []Token) []string {
	var out []string
	for _, t := range tokens {
		out = append(out, string(t.Kind)+" "+t.Text([]byte(src)))
	}
	return out
}

func TestTokens(t *testing.T) {
	for _, test := range []struct {
		name string
		lex  func([]byte) []Token
		src  string
		want string // separated by |
	}{
		{"python", Python, "x = f'a {b!r}'  # why\n", "w x|p =|s f'a {b!r}'|c # why|l "},
		{"python joins lines in brackets", Python, "f(\n1)\ny", "w f|p (|n 1|p )|l |w y|l "},
		{"python joins lines by a backslash", Python, "a \\\n b", "w a|w b|l "},
		{"python's nested quotes", Python, "f'{d['k']}' + b", "s f'{d['k']}'|p +|w b|l "},
		{"python's comment in a field", Python, "f'''{x # c\n}'''", "c # c|s f'''{x # c\n}'''|l "},
		{"a quote in a raw string of python", Python, `r'\'' x`, `s r'\''|w x|l `},
		{"a string of python that is not closed", Python, "a = 'b\nc", "w a|p =|s 'b|l |w c|l "},
		{"java", Java, `a('"', 1_0L); // b`, `w a|p (|q '"'|p ,|n 1_0L|p )|p ;|c // b`},
		{"java's text block", Java, "\"\"\"\n \\\"\"\" // no\n\"\"\"x", "s \"\"\"\n \\\"\"\" // no\n\"\"\"|w x"},
		{"a comment that is not closed", Java, "a /* b", "w a|c /* b"},
		{"c++", Cpp, `x = u8"a" + 1'000 + 0x1p-3;`, `w x|p =|s u8"a"|p +|n 1'000|p +|n 0x1p-3|p ;`},
		{"a raw string", Cpp, `R"x()" )x" y`, `s R"x()" )x"|w y`},
		{"a comment that goes on", Cpp, "// a \\\nb\nc", "c // a \\\nb|w c"},
		{"a directive", Cpp, "#if 0 /* c */ && 1 \\\n  x\n#y", "# #if 0 |c /* c */|#  && 1 \\\n  x|# #y"},
		{"no directive", Cpp, "a #b", "w a|p #|w b"},
		{"a byte order mark", Cpp, "\xef\xbb\xbfa", "w a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, strings.Split(test.want, "|"), shown(test.src, test.lex([]byte(test.src))))
		})
	}
}

func TestLines(t *testing.T) {
	var lines []int
	for _, tok := range Cpp([]byte("a\n\"b\\\n\" c\n\n/*\n*/ d")) {
		lines = append(lines, tok.Line)
	}
	require.Equal(t, []int{1, 2, 3, 5, 6}, lines)
}

// FuzzTokens: in any text, nothing but blanks, continuations and a byte order
// mark is outside of the tokens.
func FuzzTokens(f *testing.F) {
	for _, src := range []string{"f'{a['b']:{c}}' # x\n", "\"\"\" a \\\"\"\" ", "R\"x( )x\" #if\n#if 0 // a \\\n b", "'\\\r\n'", "f'''{'''"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, lex := range []func([]byte) []Token{Python, Java, Cpp} {
			covered := make([]bool, len(src))
			for _, tok := range lex(src) {
				require.LessOrEqual(t, tok.Start, tok.End)
				require.Equal(t, 1+bytes.Count(src[:tok.Start], []byte{'\n'}), tok.Line)
				for i := tok.Start; i < tok.End; i++ {
					covered[i] = true
				}
			}
			left := bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
			for i, c := range left {
				if at := i + len(src) - len(left); !covered[at] {
					require.True(t, isBlank(c) || c == '\n' || c == '\\', "%q at %d", c, at)
				}
			}
		}
	})
}
