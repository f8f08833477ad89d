package review

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLex(t *testing.T) {
	for _, test := range []struct {
		name string
		d    dialect
		src  string
		want []token
	}{
		{"python", pythonLike, "x = f'a b' # no\n\"\"\"doc\nmore\"\"\"\ny = '''kept'''", []token{
			{word, "x", 1}, {mark, "=", 1}, {literal, "a b", 1}, {word, "y", 4}, {mark, "=", 4}, {literal, "kept", 4},
		}},
		{"a string that is not closed", pythonLike, "a = 'b\nc", []token{{word, "a", 1}, {mark, "=", 1}, {literal, "b", 1}, {word, "c", 2}}},
		{"escapes", pythonLike, `'a\'b' c`, []token{{literal, `a\'b`, 1}, {word, "c", 1}}},
		{"c++", cLike, "a->b /* x\ny */ R\"(q\"\n)\" // z\n'\\'' 0x1Fu 1.5.", []token{
			{word, "a", 1}, {mark, "->", 1}, {word, "b", 1}, {literal, "q\"\n", 2}, {literal, `\'`, 4}, {number, "0x1Fu", 4}, {number, "1.5", 4}, {mark, ".", 4},
		}},
		{"java's text block", cLike, "\"\"\"\nhello\n\"\"\";", []token{{literal, "\nhello\n", 1}, {mark, ";", 3}}},
		{"a comment that is not closed", cLike, "a /* b", []token{{word, "a", 1}}},
		{"yaml", hashed, "key: 'v' # c", []token{{word, "key", 1}, {mark, ":", 1}, {literal, "v", 1}}},
		{"unknown", plain, "it's # so", []token{{word, "it", 1}, {mark, "'", 1}, {word, "s", 1}, {mark, "#", 1}, {word, "so", 1}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, lex([]byte(test.src), test.d))
		})
	}
}

func TestKey(t *testing.T) {
	require.Equal(t, key("periodsBefore"), key("_periods_before"))
	require.Equal(t, key("_nth"), key("nth"))
	require.NotEqual(t, key("Objects"), key("objects"))
	require.NotEqual(t, key("periodsbefore"), key("periods_before"))
	require.Equal(t, "42", plainNumber("42u"))
	require.Equal(t, "0x1f", plainNumber("0X1F"))
	require.Equal(t, "1000", plainNumber("1_000L"))
}
