package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// errNotText is returned by unquote for a value that is not JSON string.
var errNotText = errors.New("not a string")

// members splits a well-formed JSON object, without copying. Of a key that
// occurs twice the last one counts, as in most readers.
func members(raw []byte) (map[string]json.RawMessage, error) {
	i := skipSpace(raw, 0)
	if i >= len(raw) || raw[i] != '{' {
		return nil, errNotObject
	}
	out := make(map[string]json.RawMessage, 24)
	for i = skipSpace(raw, i+1); i < len(raw) && raw[i] != '}'; {
		end := skipString(raw, i)
		key, err := unquote(raw[i:end])
		if err != nil {
			return nil, err
		}
		i = skipSpace(raw, end) // at the colon
		i = skipSpace(raw, i+1) // at the value
		end = skipValue(raw, i) // after it
		out[key] = raw[min(i, end):end]
		i = skipSpace(raw, end)
		if i < len(raw) && raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
	return out, nil
}

// errNotObject is returned by members for any other value.
var errNotObject = errors.New("not an object")

// elements splits a well-formed JSON list, without copying.
func elements(raw []byte) []json.RawMessage {
	var out []json.RawMessage
	i := skipSpace(raw, skipSpace(raw, 0)+1)
	for i < len(raw) && raw[i] != ']' {
		end := skipValue(raw, i)
		out = append(out, raw[i:end])
		i = skipSpace(raw, end)
		if i < len(raw) && raw[i] == ',' {
			i = skipSpace(raw, i+1)
		}
	}
	return out
}

func skipSpace(raw []byte, i int) int {
	for i < len(raw) && isSpace(raw[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// skipString returns the offset after the string that starts at i, or the end
// of raw where it has no end.
func skipString(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(raw)
}

// skipValue returns the offset after the well-formed value that starts at i.
func skipValue(raw []byte, i int) int {
	depth := 0
	for i < len(raw) {
		switch c := raw[i]; {
		case c == '"':
			i = skipString(raw, i)
		case c == '{' || c == '[':
			depth++
			i++
		case c == '}' || c == ']':
			depth--
			i++
		case depth > 0:
			i++
			continue
		default:
			for i < len(raw) && !isSpace(raw[i]) && !strings.ContainsRune(",]}", rune(raw[i])) {
				i++
			}
		}
		if depth <= 0 {
			return i
		}
	}
	return len(raw)
}

// unquote returns the text of a well-formed JSON string. Unlike
// encoding/json it refuses half a surrogate pair, which would silently
// become U+FFFD: Python writes these for bytes that are not UTF-8, and a
// patch that lost them would no longer apply.
func unquote(raw []byte) (string, error) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", errNotText
	}
	body := raw[1 : len(raw)-1]
	if bytes.IndexByte(body, '\\') < 0 {
		return string(body), nil
	}
	out := make([]byte, 0, len(body))
	for len(body) > 0 {
		n := bytes.IndexByte(body, '\\')
		if n < 0 || n+1 >= len(body) {
			out = append(out, body...)
			break
		}
		out = append(out, body[:n]...)
		r, size, err := unescape(body[n:])
		if err != nil {
			return "", err
		}
		out = utf8.AppendRune(out, r)
		body = body[n+size:]
	}
	return string(out), nil
}

// unescape reads the escape sequence that b starts with.
func unescape(b []byte) (r rune, size int, err error) {
	switch b[1] {
	case 'n':
		return '\n', 2, nil
	case 't':
		return '\t', 2, nil
	case 'r':
		return '\r', 2, nil
	case 'b':
		return '\b', 2, nil
	case 'f':
		return '\f', 2, nil
	case 'u':
		return unescapeUnicode(b)
	}
	return rune(b[1]), 2, nil // quote, backslash, slash
}

func unescapeUnicode(b []byte) (r rune, size int, err error) {
	r, ok := hexRune(b)
	if !ok {
		return 0, 0, errNotText
	}
	if !utf16.IsSurrogate(r) {
		return r, 6, nil
	}
	low, ok := hexRune(b[6:])
	if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
		return pair, 12, nil
	}
	return 0, 0, fmt.Errorf("half a surrogate pair (%s)", b[:6])
}

func hexRune(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}

// describe names a JSON value for people, shortened.
func describe(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch c := raw[0]; c {
	case '"':
		s, err := unquote(raw)
		if err != nil {
			return err.Error()
		}
		return quoteShort(s)
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f', 'n':
		return string(raw)
	default:
		return "number " + shorten(string(raw))
	}
}

func quoteShort(s string) string {
	if s == "" {
		return "nothing"
	}
	return strconv.Quote(shorten(s))
}

func shorten(s string) string {
	const limit = 40
	runes := []rune(s[:min(len(s), 4*limit+4)])
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit]) + "..."
}
