package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// literal is the value of a C++ string literal with prefix and quotes, as it
// is in source. Invalid escapes keep their character.
func literal(text string) string {
	open := strings.IndexByte(text, '"')
	if open < 0 {
		return ""
	}
	body := text[open+1:]
	if strings.HasSuffix(text[:open], "R") {
		return rawLiteral(body)
	}
	body = strings.TrimSuffix(body, `"`)
	if !strings.Contains(body, `\`) {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); {
		if body[i] != '\\' || i+1 == len(body) {
			b.WriteByte(body[i])
			i++
			continue
		}
		i += 1 + unescape(&b, body[i+1:])
	}
	return b.String()
}

// rawLiteral takes the text after the first quote of a raw string.
func rawLiteral(body string) string {
	delimiter, value, ok := strings.Cut(body, "(")
	if !ok {
		return body
	}
	return strings.TrimSuffix(value, ")"+delimiter+`"`)
}

// unlimited is how many digits a hexadecimal escape may have.
const unlimited = 1 << 30

// unescape writes the value of the escape that text begins with, without its
// backslash, and returns how many bytes it took.
func unescape(b *strings.Builder, text string) int {
	switch c := text[0]; c {
	case 'a', 'b', 'f', 'n', 'r', 't', 'v':
		b.WriteByte("\a\b\f\n\r\t\v"[strings.IndexByte("abfnrtv", c)])
	case '\n':
	case '\r':
		if strings.HasPrefix(text, "\r\n") {
			return 2
		}
	case 'x':
		return 1 + numeric(b, text[1:], 16, unlimited)
	case 'u':
		return 1 + numeric(b, text[1:], 16, 4)
	case 'U':
		return 1 + numeric(b, text[1:], 16, 8)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return numeric(b, text, 8, 3)
	default:
		b.WriteByte(c)
	}
	return 1
}

// numeric writes the character with the number that text begins with: a byte
// below 256 of an octal or hexadecimal escape, otherwise a code point.
func numeric(b *strings.Builder, text string, base, most int) int {
	n := 0
	for n < len(text) && n < most && strings.IndexByte("0123456789abcdef"[:base], text[n]|0x20&letterBit(text[n])) >= 0 {
		n++
	}
	value, err := strconv.ParseUint(text[:n], base, 32)
	switch {
	case err != nil:
	case value < 0x80 || value < 0x100 && (base == 8 || most == unlimited):
		b.WriteByte(byte(value))
	case utf8.ValidRune(rune(value)):
		b.WriteRune(rune(value))
	}
	return n
}

// letterBit is the bit that makes a letter lower case, and 0 for digits.
func letterBit(c byte) byte {
	if c >= 'A' {
		return 0x20
	}
	return 0
}
