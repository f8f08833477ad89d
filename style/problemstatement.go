package style

import (
	"fmt"
	"strings"
	"unicode"

	"assay/bench"
)

// statementContext is how many lines are before and after a finding's.
const statementContext = 3

// maxShown is the longest line of code that a statement shows, in bytes.
const maxShown = 300

// Statement is what an agent reads of a style task: every finding with its
// rule, message and place, the code around it, and what is not allowed.
// Sources are the texts at base, unchanged. The same task gives the same
// text, and nothing in code or messages can end its fences.
func Statement(t bench.StyleTask, sources map[string][]byte) string {
	var b strings.Builder
	names := make([]string, len(t.Files))
	for i, f := range t.Files {
		names[i] = prose(f)
	}
	fmt.Fprintf(&b, "%s reports %s in %s. Change the code so that %s reports none of them, and nothing new.\n\n",
		t.Linter, plural(len(t.Findings), "finding"), strings.Join(names, ", "), t.Linter)
	b.WriteString("Keep what the code does: the project's tests are run on your patch. Do not add files, do not silence the linter " +
		"(by comments, annotations, pragmas or configuration) or hide code from it, do not delete code that is used, and do not change tests.\n")
	for i, f := range t.Findings {
		fmt.Fprintf(&b, "\n## %d. %s, %s\n\n%s\n", i+1, prose(f.Rule), position(f, len(t.Files) > 1), prose(f.Message))
		if shown := excerpt(sources[f.Path], f.Range); shown != "" {
			b.WriteString("\n" + shown)
		}
	}
	return b.String()
}

// position is where a finding is, for people.
func position(f bench.Finding, withPath bool) string {
	where := "the whole file"
	if f.Range.Line > 0 {
		where = fmt.Sprintf("line %d", f.Range.Line)
		if f.Range.Column > 0 {
			where += fmt.Sprintf(", column %d", f.Range.Column)
		}
	}
	if withPath {
		where += " of " + prose(f.Path)
	}
	return where
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// excerpt is a fenced, numbered part of a file, empty where the file does not
// have the line. Of a long range the first lines are shown. The fence is
// longer than any in the code.
func excerpt(src []byte, r bench.Range) string {
	lines := strings.Split(strings.TrimSuffix(string(src), "\n"), "\n")
	if len(src) == 0 || r.Line < 1 || r.Line > len(lines) {
		return ""
	}
	from := max(r.Line-statementContext, 1)
	to := min(min(max(r.EndLine, r.Line), r.Line+statementContext)+statementContext, len(lines))
	width := len(fmt.Sprint(to))
	var shown strings.Builder
	for n := from; n <= to; n++ {
		mark := " "
		if n == r.Line {
			mark = ">"
		}
		fmt.Fprintln(&shown, strings.TrimRight(fmt.Sprintf("%s %*d %s", mark, width, n, visible(lines[n-1])), " "))
	}
	fence := "```"
	for strings.Contains(shown.String(), fence) {
		fence += "`"
	}
	return fence + "\n" + shown.String() + fence + "\n"
}

// visible is a line as it can be shown: tabs kept, other control characters
// and broken UTF-8 replaced, long ones cut.
func visible(line string) string {
	line = strings.TrimSuffix(line, "\r")
	end := ""
	if len(line) > maxShown {
		line, end = line[:maxShown], "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029' {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(line, string(unicode.ReplacementChar))) + end
}

// prose is text from elsewhere as one line of a paragraph.
func prose(text string) string {
	return strings.ReplaceAll(visible(strings.Join(strings.Fields(text), " ")), "```", "'''")
}
