package style

import (
	"slices"

	"assay/languages/token"
)

// statements returns the line of every statement, as a measure of how much code
// there is. It counts what does something: no declarations of imports,
// docstrings, pass, lone semicolons, else, try or braces, so that the shape of
// code does not matter much. What "#if 0" and macros hold does not count.
func statements(language string, src []byte) []int {
	tokens := lex(language, src)
	if grammarOf(language).indented {
		return pythonStatements(src, tokens)
	}
	return braceStatements(src, tokens)
}

func pythonStatements(src []byte, tokens []token.Token) []int {
	var out []int
	for _, line := range logicalLines(src, tokens) {
		if counts(src, line) {
			out = append(out, line[0].Line)
		}
	}
	return out
}

// logicalLines splits Python's tokens at line ends, semicolons and the colon
// before a body in the same line. Comments are left out.
func logicalLines(src []byte, tokens []token.Token) [][]token.Token {
	var out [][]token.Token
	var line []token.Token
	depth := 0
	for _, t := range tokens {
		end := t.Kind == token.LineEnd
		if t.Kind == token.Punct {
			switch src[t.Start] {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				depth = max(0, depth-1)
			case ';':
				end = depth == 0
			}
		}
		switch {
		case end:
			depth = 0
			if len(line) > 0 {
				out = append(out, line)
			}
			line = nil
		case t.Kind != token.Comment:
			line = append(line, t)
		}
	}
	return out
}

func counts(src []byte, line []token.Token) bool {
	first := line[0]
	if first.Kind == token.Word {
		switch first.Text(src) {
		case "import", "from", "pass", "else", "try", "finally":
			return false
		}
		return true
	}
	if src[first.Start] == '@' && first.Kind == token.Punct {
		return false // a decorator
	}
	ellipsis := len(line) == 3 && src[first.Start] == '.'
	allStrings := !slices.ContainsFunc(line, func(t token.Token) bool { return t.Kind != token.String })
	return !ellipsis && !allStrings
}

// braceStatements counts Java's and C++'s semicolons outside of parentheses
// and the heads of control structures.
func braceStatements(src []byte, tokens []token.Token) []int {
	var out []int
	depth, dead := 0, 0
	var begin token.Token // first token of the statement, or none
	for _, t := range tokens {
		if t.Kind == token.Directive {
			dead = deadDepth(t.Text(src), dead)
		}
		if dead > 0 || t.Kind == token.Directive || t.Kind == token.Comment {
			continue
		}
		word := ""
		if t.Kind == token.Word {
			word = t.Text(src)
		}
		switch c := src[t.Start]; {
		case word == "if" || word == "for" || word == "while" || word == "switch" || word == "catch":
			out = append(out, t.Line)
			begin = token.Token{}
			continue
		case c == '(' && t.Kind == token.Punct:
			depth++
		case c == ')' && t.Kind == token.Punct:
			depth = max(0, depth-1)
		case (c == '{' || c == '}') && t.Kind == token.Punct:
			begin, depth = token.Token{}, 0
			continue
		case c == ';' && t.Kind == token.Punct && depth == 0:
			if begin.Kind != 0 && !declares(begin.Text(src)) {
				out = append(out, begin.Line)
			}
			begin = token.Token{}
			continue
		}
		if begin.Kind == 0 && depth == 0 && t.Kind != token.Punct {
			begin = t
		}
	}
	return out
}

// declares recognises statements that only name other code.
func declares(first string) bool {
	return first == "import" || first == "package" || first == "using"
}

// deadDepth follows "#if 0": how many conditions are open from it on.
func deadDepth(directive string, dead int) int {
	word, _ := directiveWord(directive)
	switch {
	case dead == 0 && word == "if" && falseCondition(directive):
		return 1
	case dead == 0:
		return 0
	case word == "if" || word == "ifdef" || word == "ifndef":
		return dead + 1
	case word == "endif" || dead == 1 && (word == "else" || word == "elif"):
		return dead - 1
	}
	return dead
}

func falseCondition(directive string) bool {
	switch squeeze(directive) {
	case "#if0", "#iffalse", "#if(0)", "#if!1", "%:if0", "#if0&&1", "#if1==0":
		return true
	}
	return false
}

// within counts the lines in a range, ends included.
func within(lines []int, start, end int) int {
	n := 0
	for _, line := range lines {
		if line >= start && line <= end {
			n++
		}
	}
	return n
}
