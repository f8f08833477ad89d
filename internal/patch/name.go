package patch

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

const devNull = "/dev/null"

// plainStamp is a time of diff -u after a name without a tab between, as left
// over by tools that turn tabs into blanks.
var plainStamp = regexp.MustCompile(`\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( [+-]\d{4})?$`)

// sideName reads what follows "--- " or "+++ ": a name, quoted or not, and
// perhaps a time.
func sideName(s string) (name, stamp string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		name, stamp, ok = unquote(s)
		return name, strings.TrimSpace(stamp), ok
	}
	if name, stamp, ok = strings.Cut(s, "\t"); ok {
		return name, strings.TrimSpace(stamp), name != ""
	}
	if at := plainStamp.FindStringIndex(s); at != nil {
		return s[:at[0]], strings.TrimSpace(s[at[0]:]), at[0] > 0
	}
	name = strings.TrimRight(s, " ")
	return name, "", name != ""
}

// isEpoch reports whether a time is the one that GNU diff gives the missing
// side of a created or deleted file.
func isEpoch(stamp string) bool {
	t, err := time.Parse("2006-01-02 15:04:05 -0700", stamp)
	return err == nil && t.Unix() == 0 && t.Nanosecond() == 0
}

// headerNames reads the two names after "diff --git ". Unquoted names with
// blanks can be separated only when both are the same.
func headerNames(s string) (old, new string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		old, rest, ok := unquote(s)
		if !ok {
			return "", "", false
		}
		new, _, ok := sideName(strings.TrimLeft(rest, " "))
		return old, new, ok
	}
	if at := strings.Index(s, ` "`); at > 0 && strings.HasSuffix(s, `"`) {
		new, _, ok := unquote(s[at+1:])
		return s[:at], new, ok
	}
	// The halves differ by a prefix of two bytes at most.
	for at := max(len(s)/2-2, 1); at < min(len(s)/2+3, len(s)-1); at++ {
		if s[at] != ' ' {
			continue
		}
		if old, new := stripPrefixes(s[:at], s[at+1:]); old == new {
			return s[:at], s[at+1:], true
		}
	}
	old, new, ok = strings.Cut(s, " ")
	return old, new, ok && !strings.Contains(new, " ")
}

// stripPrefixes takes git's a/ and b/ off two names, or the letters of
// diff.mnemonicPrefix; names without prefixes stay as they are.
func stripPrefixes(old, new string) (string, string) {
	oldLetter, oldRest := prefix(old)
	newLetter, newRest := prefix(new)
	switch {
	case old == devNull && isAB(newLetter):
		return old, newRest
	case new == devNull && isAB(oldLetter):
		return oldRest, new
	case old == devNull || new == devNull:
		return old, new
	case isAB(oldLetter) && isAB(newLetter):
		return oldRest, newRest
	case oldLetter != 0 && newLetter != 0 && oldLetter != newLetter:
		return oldRest, newRest
	case isAB(oldLetter) && oldRest == new:
		return new, new
	case isAB(newLetter) && newRest == old:
		return old, old
	}
	return old, new
}

func isAB(letter byte) bool { return letter == 'a' || letter == 'b' }

// prefix splits off the prefixes that git knows: a b, i(ndex), w(ork tree),
// c(ommit), o(bject), and 1 2 of git diff --no-index.
func prefix(name string) (letter byte, rest string) {
	if len(name) > 2 && name[1] == '/' && strings.IndexByte("abiwco12", name[0]) >= 0 {
		return name[0], name[2:]
	}
	return 0, name
}

// cleanPath drops "." parts and doubled slashes. A leading slash, a trailing
// one and ".." stay, for checkPath to refuse.
func cleanPath(path string) string {
	if !strings.Contains(path, "//") && !strings.HasPrefix(path, "./") && !strings.Contains(path, "/./") {
		return path
	}
	parts := strings.Split(path, "/")
	kept := parts[:0]
	for i, part := range parts {
		inner := i > 0 && i < len(parts)-1
		if part == "." || part == "" && inner {
			continue
		}
		kept = append(kept, part)
	}
	return strings.Join(kept, "/")
}

// quote writes a name in git's quotes, with octal escapes.
func quote(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		c := name[i]
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%03o`, c)
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

// unquote reads a name in git's quotes and gives what follows it.
func unquote(s string) (name, rest string, ok bool) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], b.Len() > 0
		case '\\':
			c, n := unescape(s[i+1:])
			if n == 0 {
				return "", "", false
			}
			b.WriteByte(c)
			i += n
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// unescape reads the escape after a backslash and gives its length.
func unescape(s string) (c byte, n int) {
	if s == "" {
		return 0, 0
	}
	if at := strings.IndexByte(`abtnvfr"\`, s[0]); at >= 0 {
		return "\a\b\t\n\v\f\r\"\\"[at], 1
	}
	value := 0
	for n < 3 && n < len(s) && '0' <= s[n] && s[n] <= '7' {
		value = value*8 + int(s[n]-'0')
		n++
	}
	if n < 3 || value > 0xff {
		return 0, 0
	}
	return byte(value), n
}
