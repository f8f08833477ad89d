package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// place is where in its file a value starts; the zero place is unknown.
type place struct{ line, column int }

// within returns the place of the byte at offset at of a value that starts
// at p. Columns count bytes.
func (p place) within(raw []byte, at int) place {
	before := raw[:max(0, min(at, len(raw)))]
	n := bytes.Count(before, []byte("\n"))
	if n == 0 {
		return place{p.line, max(p.column, 1) + len(before)}
	}
	line := p.line
	if line > 0 {
		line += n
	}
	return place{line, len(before) - bytes.LastIndexByte(before, '\n')}
}

// wellFormed returns raw as strict JSON in UTF-8. Python writes NaN and
// Infinity, which JSON does not know; they are read as null.
func wellFormed(raw []byte, start place) ([]byte, *FieldError) {
	if !utf8.Valid(raw) {
		return nil, notUTF8(raw, start)
	}
	if json.Valid(raw) {
		return raw, nil
	}
	if fixed := nullForNaN(raw); json.Valid(fixed) {
		return fixed, nil
	}
	var v json.RawMessage
	err := json.Unmarshal(raw, &v)
	e := &FieldError{Line: start.line, Expected: "JSON", Got: fmt.Sprintf("broken JSON (%v)", err)}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at := start.within(raw, int(syntax.Offset)-1)
		e.Line, e.Column = at.line, at.column
	}
	return nil, e
}

// notUTF8 is the error of raw, which holds a byte that is not UTF-8.
// encoding/json would silently read it as U+FFFD.
func notUTF8(raw []byte, start place) *FieldError {
	i := 0
	for i < len(raw) {
		r, size := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		i += size
	}
	at := start.within(raw, i)
	return &FieldError{
		Line: at.line, Column: at.column,
		Expected: "UTF-8",
		Got:      fmt.Sprintf("byte 0x%02x", raw[min(i, len(raw)-1)]),
	}
}

// nullForNaN writes null for NaN, Infinity and -Infinity outside strings.
func nullForNaN(raw []byte) []byte {
	var out []byte
	for i := 0; i < len(raw); {
		if raw[i] == '"' {
			end := skipString(raw, i)
			out = append(out, raw[i:end]...)
			i = end
			continue
		}
		n := 0
		for _, word := range []string{"NaN", "-Infinity", "Infinity"} {
			if bytes.HasPrefix(raw[i:], []byte(word)) {
				n = len(word)
				break
			}
		}
		if n > 0 {
			out = append(out, "null"...)
			i += n
			continue
		}
		out = append(out, raw[i])
		i++
	}
	return out
}
