package style

import (
	"bytes"
	"slices"
	"strings"

	"assay/languages/token"
)

// maxMacroStatements is how many statements may move into macros unnoticed.
const maxMacroStatements = 2

// hiding counts the places where a text keeps code from linters.
type hiding struct {
	clang   int // conditions on the compiler being clang
	dead    int // conditions that are false, statements under TYPE_CHECKING
	guards  int // other preprocessor conditions
	macros  int // statements in macros
	escapes int // unicode escapes outside of literals, codings that are not ASCII
	evals   int // exec, eval and the like
}

func hidingPlaces(language string, src []byte) hiding {
	var h hiding
	g, tokens := grammarOf(language), lex(language, src)
	g.hides(&h, src, tokens)
	word := func(i int) string {
		if i < 0 || i >= len(tokens) || tokens[i].Kind == token.Comment {
			return ""
		}
		return tokens[i].Text(src)
	}
	for i, t := range tokens {
		switch {
		case t.Kind != token.Word:
		case word(i) == "if" || word(i) == "while":
			h.falseHead(g, word, i)
		case g.evaluates(word, i):
			h.evals++
		}
	}
	return h
}

// lineEscapes counts escapes that end a comment or its line: what follows is
// code to Java.
func lineEscapes(comment string) int {
	comment = strings.ToLower(comment)
	return strings.Count(comment, `u000a`) + strings.Count(comment, `u000d`) + strings.Count(comment, `u002a\u002f`) + strings.Count(comment, `u002a/`)
}

// oddCoding recognises a Python file whose bytes are not what they seem
// (utf-7, rot13, ...): its comments could hold code.
func oddCoding(src []byte) int {
	lines := bytes.SplitN(src, []byte{'\n'}, 3)
	for _, line := range lines[:min(2, len(lines))] {
		line = bytes.ToLower(line)
		_, name, ok := bytes.Cut(line, []byte("coding"))
		if !ok || line[0] != '#' || len(name) == 0 || name[0] != ':' && name[0] != '=' {
			continue
		}
		name = bytes.TrimLeft(name[1:], " \t")
		for _, plain := range []string{"utf-8", "utf8", "utf_8", "ascii", "us-ascii", "latin", "iso-8859", "iso8859", "iso_8859", "cp125", "windows-125"} {
			if bytes.HasPrefix(name, []byte(plain)) {
				return 0
			}
		}
		return 1
	}
	return 0
}

// falseHead counts "if (false)", "while (0)" and "if constexpr (false)".
func (h *hiding) falseHead(g grammar, word func(int) string, i int) {
	if g.indented {
		return // see pythonDead
	}
	if word(i+1) == "constexpr" {
		i++
	}
	if word(i+1) == "(" && slices.Contains([]string{"false", "0"}, word(i+2)) && word(i+3) == ")" && word(i-1) != "}" {
		h.dead++
	}
}

// pythonDead counts statements below "if False:" and its like; below
// TYPE_CHECKING imports are in place.
func (h *hiding) pythonDead(src []byte, tokens []token.Token) {
	limit := -1 // indentation of the open dead head
	for _, line := range logicalLines(src, tokens) {
		at := column(src, line[0])
		if at <= limit {
			limit = -1
		}
		switch body := deadBody(src, line); {
		case limit >= 0:
			if counts(src, line) {
				h.dead++
			}
		case body < 0:
		case body < len(line):
			if counts(src, line[body:]) {
				h.dead++
			}
		default:
			limit = at
		}
	}
}

// column is the offset of a token in its line.
func column(src []byte, t token.Token) int {
	return t.Start - 1 - bytes.LastIndexByte(src[:t.Start], '\n')
}

// deadBody reports whether a line is a head whose body is never run, or never
// by a linter's account: the index of the body's first token, -1 for no.
func deadBody(src []byte, line []token.Token) int {
	colon := slices.IndexFunc(line, func(t token.Token) bool { return t.Kind == token.Punct && src[t.Start] == ':' })
	if colon < 2 {
		return -1
	}
	head := line[0].Text(src)
	var condition strings.Builder
	for _, t := range line[1:colon] {
		condition.WriteString(t.Text(src) + " ")
	}
	test := strings.Trim(strings.TrimSpace(condition.String()), "() ")
	test = test[strings.LastIndexByte(test, '.')+1:]
	switch strings.TrimSpace(test) {
	case "False", "0", "None", "TYPE_CHECKING", "not TYPE_CHECKING", "not True", "''", `""`:
		if head == "if" || head == "elif" || head == "while" {
			return colon + 1
		}
	}
	return -1
}

// directives counts C++'s conditions and what macros hold.
func (h *hiding) directives(src []byte, tokens []token.Token) {
	for _, t := range tokens {
		if t.Kind != token.Directive {
			continue
		}
		text := t.Text(src)
		switch word, _ := directiveWord(text); word {
		case "define":
			h.macros += strings.Count(text, ";")
		case "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef":
			h.condition(text)
		}
	}
}

func (h *hiding) condition(text string) {
	for _, mark := range []string{"__clang", "__CLANG", "__INTELLISENSE__", "__STDC_ANALYZ", "__has_feature", "__llvm__"} {
		if strings.Contains(text, mark) {
			h.clang++
			return
		}
	}
	if falseCondition(text) {
		h.dead++
		return
	}
	h.guards++
}

// hidden compares the hiding places over all files, so that moving them adds
// none.
func (i *inspector) hidden() {
	var sum hiding
	var first string
	for _, p := range i.sources() {
		was, is := hidingPlaces(i.Language, p.old), hidingPlaces(i.Language, p.new)
		if was != is && first == "" {
			first = p.path
		}
		sum.clang += is.clang - was.clang
		sum.dead += is.dead - was.dead
		sum.guards += is.guards - was.guards
		sum.macros += is.macros - was.macros
		sum.escapes += is.escapes - was.escapes
		sum.evals += is.evals - was.evals
	}
	for _, f := range []struct {
		n, most int
		kind    string
		what    string
	}{
		{sum.clang, 0, FlagHidden, "conditions on the compiler"},
		{sum.dead, 0, FlagHidden, "statements or conditions that never hold"},
		{sum.macros, maxMacroStatements, FlagHidden, "statements in macros"},
		{sum.escapes, 0, FlagHidden, "escapes or codings that hide code"},
		{sum.evals, 0, FlagEval, "calls that run strings"},
		{sum.guards, 0, FlagGuarded, "preprocessor conditions"},
	} {
		if f.n > f.most {
			i.flag(f.kind, first, "%d more %s", f.n, f.what)
		}
	}
}
