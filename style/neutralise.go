package style

import (
	"bytes"
	"slices"
	"strings"

	"assay/languages/token"
)

// Suppression is how a source asks a linter for silence.
type Suppression struct {
	Path string
	Line int // from 1
	Kind SuppressionKind
	// Names are the rules it silences, as written, sorted; "all" where it
	// names none.
	Names []string
	// Text is the comment, annotation or directive, on one line.
	Text string
	// Left says that Neutralise could not take its effect away without
	// changing code, so that it still works in the linted text.
	Left bool
}

// SuppressionKind names how a linter is silenced.
type SuppressionKind string

// The kinds of suppressions.
const (
	SuppressPylint     SuppressionKind = "pylint"        // # pylint: disable, disable-next, skip-file
	SuppressNolint     SuppressionKind = "nolint"        // clang-tidy's NOLINT and kin
	SuppressNopmd      SuppressionKind = "nopmd"         // // NOPMD
	SuppressCheckstyle SuppressionKind = "checkstyle"    // CHECKSTYLE:OFF, CHECKSTYLE.SUPPRESS
	SuppressAnnotation SuppressionKind = "annotation"    // @SuppressWarnings
	SuppressHeader     SuppressionKind = "system_header" // #pragma GCC system_header, line markers with flag 3
	SuppressDiagnostic SuppressionKind = "diagnostic"    // #pragma clang diagnostic ignored
	SuppressAnalyzer   SuppressionKind = "analyzer"      // conditions on __clang_analyzer__
	SuppressAttribute  SuppressionKind = "attribute"     // [[clang::suppress]], [[gsl::suppress]]
	SuppressInclude    SuppressionKind = "iwyu"          // IWYU pragma: keep, export
)

// Neutralise rewrites what silences a linter so that it does not, and
// describes what that was. The text keeps its length, lines and columns, so
// that findings are where they are in the original; code does not change its
// meaning. Only comments, annotations' arguments, attributes and directives
// are touched: a string that holds "NOLINT" stays, though clang-tidy honours
// it (it searches the raw text), and is reported with Left set.
//
// Neutralising twice is neutralising once. Other tools' marks (noqa, type:
// ignore, NOSONAR) are left alone.
func Neutralise(language, path string, src []byte) ([]byte, []Suppression) {
	n := &neutraliser{path: path, src: src, out: slices.Clone(src), tokens: lex(language, src), lines: 1}
	grammarOf(language).neutralise(n)
	return n.out, n.found
}

// Neutraliser is a linter from outside assay with comments of silence of its
// own.
type Neutraliser interface {
	Linter
	// Neutralise does for them what the function of that name does for those
	// of the linters that come with assay.
	Neutralise(path string, src []byte) ([]byte, []Suppression)
}

// neutralised takes the effect off all that silences linters of a language.
func neutralised(linters []Linter, language, path string, src []byte) ([]byte, []Suppression) {
	clean, found := Neutralise(language, path, src)
	for _, l := range linters {
		if own, ok := l.(Neutraliser); ok {
			var more []Suppression
			clean, more = own.Neutralise(path, clean)
			found = append(found, more...)
		}
	}
	return clean, found
}

type neutraliser struct {
	path   string
	src    []byte // as it was
	out    []byte // as it becomes
	tokens []token.Token
	found  []Suppression

	counted, lines int // the last place asked for: a byte, and its line
}

// report notes a suppression at a byte of a token.
func (n *neutraliser) report(t token.Token, at int, kind SuppressionKind, names []string, text string) *Suppression {
	if len(names) == 0 {
		names = []string{"all"}
	}
	slices.Sort(names)
	if at < n.counted || t.Start > n.counted {
		n.counted, n.lines = t.Start, t.Line
	}
	n.lines += bytes.Count(n.src[n.counted:at], []byte{'\n'})
	n.counted = at
	n.found = append(n.found, Suppression{
		Path: n.path, Line: n.lines, Kind: kind, Names: slices.Compact(names), Text: oneLine(text),
	})
	return &n.found[len(n.found)-1]
}

// put overwrites bytes; the text must have the length of what it replaces.
func (n *neutraliser) put(at int, text string) { copy(n.out[at:at+len(text)], text) }

// oneLine makes a text fit for a report: blanks folded, 200 bytes at most.
func oneLine(text string) string {
	const most = 200
	cut := len(text) > 4*most
	text = strings.Join(strings.Fields(text[:min(len(text), 4*most)]), " ")
	if cut || len(text) > most {
		text = text[:min(len(text), most)] + "…"
	}
	return strings.ToValidUTF8(text, "")
}

// each calls visit with the offset of every occurrence of word in text.
func each(text, word string, visit func(at int)) {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return
		}
		visit(from + i)
		from += i + len(word)
	}
}

// ruleNames splits a list of rules as comments write them: "a, b" or "a b".
func ruleNames(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}
