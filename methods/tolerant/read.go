// Package tolerant is the fault-tolerant diff format of SWT-Bench (section 4.2
// and appendix A): blocks that insert a whole function into a file, or rewrite
// one, at a place that need not be exact.
//
//	diff
//	path or name of a file
//	rewrite | insert
//	line number | EOF | BOF
//	the whole function, class or test
//	end diff
package tolerant

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// Block is one block of an answer.
type Block struct {
	Path   string
	Insert bool // rewrite otherwise
	At     Place
	Code   []string // lines without their ends
}

// Place is where a block belongs. The zero value means that no place is given.
type Place struct {
	Line  int // from 1; 0 for none
	Start bool
	End   bool
}

// Read reads the blocks of an answer. What is around them is skipped: prose,
// fences, blank lines. A last block without its "end diff" counts unless the
// answer was cut off. The error is that of an answer without any block; wrong
// explains why blocks are left out.
func Read(answer string, cut bool) (blocks []Block, wrong []error, err error) {
	lines := strings.Split(strings.ReplaceAll(answer, "\r\n", "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		if !isWord(lines[i], "diff") {
			continue
		}
		b, next, why := readBlock(lines, i+1, cut)
		switch {
		case why == nil:
			blocks = append(blocks, b)
		case next > i+1:
			wrong = append(wrong, why)
		}
		i = next - 1
	}
	if len(blocks) == 0 {
		err = errors.Join(append([]error{errors.New("there is no block from diff to end diff in it")}, wrong...)...)
	}
	return blocks, wrong, err
}

// readBlock reads a block whose first line is at. next is the first line after
// it.
func readBlock(lines []string, at int, cut bool) (b Block, next int, err error) {
	head, body := header(lines, at)
	if len(head) < 2 {
		return b, at, errors.New("a line diff without a path and rewrite or insert after it")
	}
	b.Path = plain(head[0])
	var known bool
	if b.Insert, known = mode(head[1]); !known {
		return b, at, errors.New("a line diff without rewrite or insert after the path")
	}
	if len(head) == 3 {
		b.At, _ = placeOf(head[2])
	}
	code, next, closed := codeOf(lines, body)
	if !closed && cut {
		return b, next, errors.New("the last block is cut off")
	}
	b.Code = unnumbered(unfenced(code))
	return b, next, nil
}

// header are the two or three lines that head a block: path, word and, where it
// is one, place. body is the first line after them.
func header(lines []string, at int) (head []string, body int) {
	for i := at; i < len(lines) && len(head) < 3; i++ {
		text := strings.TrimSpace(lines[i])
		if text == "" || isFence(text) {
			continue
		}
		if _, ok := placeOf(text); len(head) == 2 && !ok {
			break
		}
		head, body = append(head, text), i+1
	}
	return head, body
}

// codeOf are the lines up to "end diff", up to the next block or to the end.
func codeOf(lines []string, at int) (code []string, next int, closed bool) {
	for i := at; i < len(lines); i++ {
		if isWord(lines[i], "end diff") || isWord(lines[i], "end_diff") || isWord(lines[i], "enddiff") {
			return lines[at:i], i + 1, true
		}
		if isWord(lines[i], "diff") {
			if head, _ := header(lines, i+1); len(head) >= 2 {
				if _, known := mode(head[1]); known {
					return lines[at:i], i, true
				}
			}
		}
	}
	code = lines[at:]
	opened := false
	for i, l := range code {
		fence := isFence(strings.TrimSpace(l))
		if fence && strings.TrimSpace(strings.Join(code[:i], "")) != "" && !opened {
			return code[:i], at + i + 1, true // the fence around the blocks ends
		}
		opened = opened != fence
	}
	return code, len(lines), false
}

// mode reads insert or rewrite, or another word for one of them.
func mode(line string) (insert, known bool) {
	switch strings.ToLower(plain(line)) {
	case "insert", "add", "append", "create", "new":
		return true, true
	case "rewrite", "replace", "change", "modify", "update", "edit":
		return false, true
	}
	return false, false
}

func isWord(line, word string) bool {
	return strings.EqualFold(strings.TrimRight(strings.Trim(strings.TrimSpace(line), "*`# "), ":"), word)
}

func isFence(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// plain takes off what models put around a path or a word, and the label before
// it.
func plain(text string) string {
	const around = "*`\"'<> \t"
	text = strings.Trim(text, around)
	for _, label := range []string{"path:", "file:", "filename:", "line:", "mode:"} {
		if len(text) > len(label) && strings.EqualFold(text[:len(label)], label) {
			text = strings.Trim(text[len(label):], around)
		}
	}
	return text
}

var lineNumber = regexp.MustCompile(`(?i)^(?:lines?\s*|~|≈|approx\.?\s*|L)?(\d{1,7})(?:\s*(?:-|–|:|,|to)\s*L?\d{1,7})?$`)

// placeOf reads a line number, EOF or BOF.
func placeOf(line string) (Place, bool) {
	text := plain(line)
	switch {
	case strings.EqualFold(text, "eof"):
		return Place{End: true}, true
	case strings.EqualFold(text, "bof"):
		return Place{Start: true}, true
	}
	m := lineNumber.FindStringSubmatch(text)
	if m == nil {
		return Place{}, false
	}
	n, err := strconv.Atoi(m[1])
	return Place{Line: max(n, 1)}, err == nil
}

// unfenced takes off blank lines at both ends, and a fence of the code's own.
func unfenced(code []string) []string {
	code = trimmed(code)
	if len(code) > 0 && isFence(strings.TrimSpace(code[0])) {
		code = code[1:]
	}
	if len(code) > 0 && isFence(strings.TrimSpace(code[len(code)-1])) {
		code = code[:len(code)-1]
	}
	return trimmed(code)
}

// trimmed takes off blank lines at both ends.
func trimmed(code []string) []string {
	for len(code) > 0 && strings.TrimSpace(code[0]) == "" {
		code = code[1:]
	}
	for len(code) > 0 && strings.TrimSpace(code[len(code)-1]) == "" {
		code = code[:len(code)-1]
	}
	return code
}

var numbered = regexp.MustCompile(`^\s*(\d{1,7})(?:[ \t:|](.*))?$`)

// unnumbered takes off line numbers that a model copied from the prompt: each
// line has one, and they are in order.
func unnumbered(code []string) []string {
	out := make([]string, 0, len(code))
	last := -1
	for _, l := range code {
		m := numbered.FindStringSubmatch(l)
		if m == nil {
			return code
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || last >= 0 && n != last+1 {
			return code
		}
		last = n
		out = append(out, m[2])
	}
	return out
}
