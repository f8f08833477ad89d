package style

import (
	"regexp"
	"slices"
	"strings"

	"assay/languages/token"
)

// java takes PMD's and checkstyle's marks out of comments and the arguments
// of @SuppressWarnings.
func (n *neutraliser) java() {
	checkstyle := regexp.MustCompile(`(?i)CHECKSTYLE\s*[:.\-]?\s*(OFF|ON|SUPPRESS|IGNORE|STOP|RESUME|DISABLE|ENABLE)\b\s*:?\s*([\w|,. ]*)`)
	for i, t := range n.tokens {
		switch {
		case t.Kind == token.Comment:
			n.javaComment(t, checkstyle)
		case t.Kind == token.Word && t.Text(n.src) == "SuppressWarnings" && n.annotated(i):
			n.suppressWarnings(i)
		}
	}
}

func (n *neutraliser) javaComment(t token.Token, checkstyle *regexp.Regexp) {
	text := t.Text(n.src)
	each(text, "NOPMD", func(at int) {
		n.put(t.Start+at, "XOPMD")
		n.report(t, t.Start+at, SuppressNopmd, nil, text)
	})
	for _, m := range checkstyle.FindAllStringSubmatchIndex(text, -1) {
		n.put(t.Start+m[0], "X") // of CHECKSTYLE
		action := strings.ToUpper(text[m[2]:m[3]])
		if action == "ON" || action == "RESUME" || action == "ENABLE" {
			continue
		}
		n.report(t, t.Start+m[0], SuppressCheckstyle, ruleNames(strings.ReplaceAll(text[m[4]:m[5]], "|", ",")), text)
	}
}

// annotated recognises "@SuppressWarnings" and "@java.lang.SuppressWarnings"
// among other uses of the word.
func (n *neutraliser) annotated(i int) bool {
	for i--; i >= 0; i-- {
		switch t := n.tokens[i]; {
		case t.Kind == token.Comment:
		case t.Kind == token.Punct && n.src[t.Start] == '@':
			return true
		case t.Kind == token.Punct && n.src[t.Start] == '.':
		case t.Kind == token.Word && (t.Text(n.src) == "java" || t.Text(n.src) == "lang"):
		default:
			return false
		}
	}
	return false
}

// suppressWarnings overwrites the first letter of every string among the
// arguments: an unknown name to every linter, while the text still compiles.
// What only a compiler honours stays.
func (n *neutraliser) suppressWarnings(i int) {
	head := n.tokens[i]
	var names []string
	left, depth, end := false, 0, head.End
	for _, t := range n.tokens[i+1 : min(len(n.tokens), i+maxArguments)] {
		if t.Kind == token.Comment {
			continue
		}
		if t.Kind == token.Punct && n.src[t.Start] == '(' {
			depth++
		}
		if depth == 0 {
			return
		}
		end = t.End
		switch {
		case t.Kind == token.String:
			if name, ok := n.warning(t); ok {
				names = append(names, name)
			}
		case t.Kind == token.Word && t.Text(n.src) != "value":
			// A constant: its value is not known here.
			left = true
			names = append(names, t.Text(n.src))
		case t.Kind == token.Punct && n.src[t.Start] == ')':
			depth--
		}
		if depth == 0 {
			break
		}
	}
	if len(names) > 0 {
		n.report(head, head.Start, SuppressAnnotation, names, string(n.src[head.Start:end])).Left = left
	}
}

// maxArguments bounds the tokens of one annotation.
const maxArguments = 1000

// warning overwrites one string of @SuppressWarnings and returns its value;
// not ok where no linter honours it.
func (n *neutraliser) warning(t token.Token) (name string, ok bool) {
	text := t.Text(n.src)
	open := strings.IndexFunc(text, func(r rune) bool { return !strings.ContainsRune("\" \t\r\n", r) })
	if open < 0 {
		return "", false
	}
	name = strings.TrimSpace(strings.Trim(text, `"`))
	if name == "" || name[0] == 'x' || name[0] >= 0x80 || slices.Contains(compilerWarnings(), name) {
		return "", false
	}
	if name[0] == '\\' {
		// An escape: a letter would leave it malformed.
		n.escape(t.Start+open, text[open:])
		return name, true
	}
	n.put(t.Start+open, "x")
	return name, true
}

// escape overwrites an escape at the start of a string by letters.
func (n *neutraliser) escape(at int, text string) {
	length := 1
	for length < len(text) && (text[length] == 'u' || isHex(text[length])) && length < 8 {
		length++
	}
	n.put(at, strings.Repeat("x", max(length, 2)))
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// compilerWarnings are the names that javac accepts and no rule of PMD or
// checkstyle honours (they do honour "unused", "serial", "fallthrough" and
// "all").
func compilerWarnings() []string {
	return []string{"unchecked", "rawtypes", "deprecation", "removal", "preview", "cast", "varargs", "try", "static", "overrides", "divzero", "dep-ann", "finally", "options", "path", "processing", "restricted", "this-escape", "synchronization"}
}
