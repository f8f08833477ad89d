package harnesstest

import (
	"errors"
	"fmt"
	"strings"
)

// errBeyond marks scripts that the simulation does not understand.
var errBeyond = errors.New("beyond the simulated shell")

// simWord is a word or an operator of a script.
type simWord struct {
	text string
	op   bool // one of ; & && || > >> and redirections of descriptors
}

// simLex splits a script into words. Variables are put in by expand.
func simLex(script string, expand func(name string) string) ([]simWord, error) {
	var words []simWord
	var word strings.Builder
	open := false // a word has begun, perhaps an empty one
	flush := func() {
		if open {
			words = append(words, simWord{text: word.String()})
		}
		word.Reset()
		open = false
	}
	for i := 0; i < len(script); {
		rest := script[i:]
		if op := simOperator(rest, open); op != "" {
			flush()
			words = append(words, simWord{strings.ReplaceAll(op, "\n", ";"), true})
			i += len(op)
			continue
		}
		switch c := rest[0]; {
		case c == ' ' || c == '\t':
			flush()
			i++
		case c == '#' && !open:
			i += len(rest[:strings.IndexByte(rest+"\n", '\n')])
		case strings.IndexByte("`(){}*|<\\", c) >= 0:
			return nil, fmt.Errorf("%w: %q in a script", errBeyond, c)
		case c == '\'' || c == '"':
			end := strings.IndexByte(rest[1:], c)
			if end < 0 {
				return nil, fmt.Errorf("%w: open quote", errBeyond)
			}
			quoted := rest[1 : 1+end]
			if c == '"' {
				quoted = simExpand(quoted, expand)
			}
			word.WriteString(quoted)
			open = true
			i += end + 2
		default:
			end := strings.IndexAny(rest[1:], " \t\n;&|<>'\"`(){}*\\") + 1
			if end == 0 {
				end = len(rest)
			}
			word.WriteString(simExpand(rest[:end], expand))
			open = true
			i += end
		}
	}
	flush()
	return words, nil
}

// simOperator returns the operator at the start of s. A descriptor's number
// belongs to it only where a word may begin.
func simOperator(s string, inWord bool) string {
	for _, op := range []string{"2>&1", "2>/dev/null", "2>", ">&2", "&&", "||", ">>", ">", "&", ";", "\n"} {
		if strings.HasPrefix(s, op) && (op[0] != '2' || !inWord) {
			return op
		}
	}
	return ""
}

// simExpand replaces $NAME and $$.
func simExpand(s string, expand func(name string) string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "$")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		n := 0
		for n < len(after) && (after[n] == '_' || after[n] >= 'A' && after[n] <= 'Z' || after[n] >= 'a' && after[n] <= 'z') {
			n++
		}
		switch {
		case n > 0:
			out.WriteString(expand(after[:n]))
			s = after[n:]
		case strings.HasPrefix(after, "$"):
			out.WriteString("$$")
			s = after[1:]
		default:
			out.WriteByte('$')
			s = after
		}
	}
}
