package badpatch

import (
	"bytes"
	"sort"

	"assay/languages"
	"assay/languages/syntax"
)

// code is a parsed file.
type code struct {
	language string
	path     string
	src      []byte
	root     *syntax.Node
	errors   int
	starts   []int // offset of each line
	cache    map[*syntax.Node][]variable
}

func newCode(language, path string, src []byte, root *syntax.Node, errors int) *code {
	c := &code{language: language, path: path, src: src, root: root, errors: errors, starts: []int{0}}
	for i, b := range src {
		if b == '\n' {
			c.starts = append(c.starts, i+1)
		}
	}
	c.cache = map[*syntax.Node][]variable{}
	return c
}

func (c *code) python() bool { return c.language == languages.Python }
func (c *code) java() bool   { return c.language == languages.Java }
func (c *code) cpp() bool    { return c.language == languages.Cpp }

func (c *code) text(n *syntax.Node) string { return n.Text(c.src) }

// line is the line of an offset, from 1.
func (c *code) line(offset int) int {
	return sort.SearchInts(c.starts, offset+1)
}

// endLine is the last line of a node.
func (c *code) endLine(n *syntax.Node) int { return c.line(max(n.Start, n.End-1)) }

// indent is the blanks before an offset's line.
func (c *code) indent(offset int) string {
	line := c.src[c.starts[c.line(offset)-1]:]
	end := 0
	for end < len(line) && (line[end] == ' ' || line[end] == '\t') {
		end++
	}
	return string(line[:end])
}

// newline is the file's line end.
func (c *code) newline() string {
	if i := bytes.IndexByte(c.src, '\n'); i > 0 && c.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// alone reports whether a range has its lines to itself; start and end are
// then those of the lines.
func (c *code) alone(from, to int) (start, end int, ok bool) {
	start = c.starts[c.line(from)-1]
	end = len(c.src)
	if i := bytes.IndexByte(c.src[to:], '\n'); i >= 0 {
		end = to + i + 1
	}
	ok = len(bytes.TrimSpace(c.src[start:from])) == 0 && len(bytes.TrimSpace(c.src[to:end])) == 0
	return start, end, ok
}

// is reports whether a node is of one of the kinds; no node is of none.
func is(n *syntax.Node, kinds ...string) bool {
	if n == nil {
		return false
	}
	for _, k := range kinds {
		if n.Kind == k {
			return true
		}
	}
	return false
}

// up is the nearest node at or above n of one of the kinds.
func up(n *syntax.Node, kinds ...string) *syntax.Node {
	for ; n != nil; n = n.Parent {
		if is(n, kinds...) {
			return n
		}
	}
	return nil
}

// sibling is the named sibling that is step places on, comments left out.
func sibling(n *syntax.Node, step int) *syntax.Node {
	if n == nil || n.Parent == nil {
		return nil
	}
	items := n.Parent.Items()
	for i, s := range items {
		if s == n && i+step >= 0 && i+step < len(items) {
			return items[i+step]
		}
	}
	return nil
}

// bare takes the parentheses off an expression.
func bare(n *syntax.Node) *syntax.Node {
	for is(n, "parenthesized_expression") && len(n.Items()) == 1 {
		n = n.Items()[0]
	}
	return n
}

// find lists the nodes of the kinds at or below n, in order.
func find(n *syntax.Node, kinds ...string) []*syntax.Node {
	var out []*syntax.Node
	if n == nil {
		return nil
	}
	n.Walk(func(at *syntax.Node) bool {
		if is(at, kinds...) {
			out = append(out, at)
		}
		return true
	})
	return out
}

// broken reports whether there is an error at or below n.
func broken(n *syntax.Node) bool {
	bad := false
	n.Walk(func(at *syntax.Node) bool {
		bad = bad || at.Broken
		return !bad
	})
	return bad
}
