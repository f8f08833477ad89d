package style

import "slices"

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

func pythonStatements(src []byte, tokens []token) []int {
	var out []int
	for _, line := range logicalLines(src, tokens) {
		if counts(src, line) {
			out = append(out, line[0].line)
		}
	}
	return out
}

// logicalLines splits Python's tokens at line ends, semicolons and the colon
// before a body in the same line. Comments are left out.
func logicalLines(src []byte, tokens []token) [][]token {
	var out [][]token
	var line []token
	depth := 0
	for _, t := range tokens {
		end := t.kind == lineToken
		if t.kind == punctToken {
			switch src[t.start] {
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
		case t.kind != commentToken:
			line = append(line, t)
		}
	}
	return out
}

func counts(src []byte, line []token) bool {
	first := line[0]
	if first.kind == wordToken {
		switch first.text(src) {
		case "import", "from", "pass", "else", "try", "finally":
			return false
		}
		return true
	}
	if src[first.start] == '@' && first.kind == punctToken {
		return false // a decorator
	}
	ellipsis := len(line) == 3 && src[first.start] == '.'
	allStrings := !slices.ContainsFunc(line, func(t token) bool { return t.kind != stringToken })
	return !ellipsis && !allStrings
}

// braceStatements counts Java's and C++'s semicolons outside of parentheses
// and the heads of control structures.
func braceStatements(src []byte, tokens []token) []int {
	var out []int
	depth, dead := 0, 0
	var begin token // first token of the statement, or none
	for _, t := range tokens {
		if t.kind == directiveToken {
			dead = deadDepth(t.text(src), dead)
		}
		if dead > 0 || t.kind == directiveToken || t.kind == commentToken {
			continue
		}
		word := ""
		if t.kind == wordToken {
			word = t.text(src)
		}
		switch c := src[t.start]; {
		case word == "if" || word == "for" || word == "while" || word == "switch" || word == "catch":
			out = append(out, t.line)
			begin = token{}
			continue
		case c == '(' && t.kind == punctToken:
			depth++
		case c == ')' && t.kind == punctToken:
			depth = max(0, depth-1)
		case (c == '{' || c == '}') && t.kind == punctToken:
			begin, depth = token{}, 0
			continue
		case c == ';' && t.kind == punctToken && depth == 0:
			if begin.kind != 0 && !declares(begin.text(src)) {
				out = append(out, begin.line)
			}
			begin = token{}
			continue
		}
		if begin.kind == 0 && depth == 0 && t.kind != punctToken {
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
