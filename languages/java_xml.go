package languages

import (
	encoding "encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// xmlNode is an element of a build file, with the line that it starts at.
type xmlNode struct {
	name     string // without namespace
	text     string // its own text, trimmed
	line     int
	parent   *xmlNode
	children []*xmlNode
	attrs    map[string]string
}

// maxXMLDepth bounds the depth of elements.
const maxXMLDepth = 200

// parseXML reads a build file and returns its root element. A file that is
// cut gives what is there together with the error.
func parseXML(text string) (*xmlNode, error) {
	d := encoding.NewDecoder(strings.NewReader(text))
	d.Strict = false
	d.Entity = encoding.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	root := &xmlNode{}
	at, depth := root, 0
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return root.only(), fmt.Errorf("reading XML: %w", err)
		}
		switch t := token.(type) {
		case encoding.StartElement:
			if depth++; depth > maxXMLDepth {
				return root.only(), errors.New("reading XML: its elements are nested too deep")
			}
			n := &xmlNode{name: t.Name.Local, line: line, parent: at, attrs: map[string]string{}}
			for _, a := range t.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			at.children = append(at.children, n)
			at = n
		case encoding.EndElement:
			if at != root {
				at.text = strings.TrimSpace(at.text)
				at, depth = at.parent, depth-1
			}
		case encoding.CharData:
			at.text += string(t)
		}
	}
	if root.only() == nil {
		return nil, errors.New("reading XML: there is no element")
	}
	return root.only(), nil
}

func (n *xmlNode) only() *xmlNode {
	if len(n.children) == 0 {
		return nil
	}
	return n.children[0]
}

// find follows names downwards and returns the first element there, or nil.
func (n *xmlNode) find(names ...string) *xmlNode {
	if n == nil || len(names) == 0 {
		return n
	}
	for _, c := range n.children {
		if c.name == names[0] {
			if found := c.find(names[1:]...); found != nil {
				return found
			}
		}
	}
	return nil
}

// value is the text of the element that find returns; "" when there is none.
func (n *xmlNode) value(names ...string) string {
	if found := n.find(names...); found != nil {
		return found.text
	}
	return ""
}

// list returns the children of an element, by its path.
func (n *xmlNode) list(names ...string) []*xmlNode {
	if found := n.find(names...); found != nil {
		return found.children
	}
	return nil
}

// each visits an element and everything below it; visit reports whether to
// continue below.
func (n *xmlNode) each(visit func(*xmlNode) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, c := range n.children {
		c.each(visit)
	}
}

// within reports whether an element of that name is above n.
func (n *xmlNode) within(name string) bool {
	for p := n.parent; p != nil; p = p.parent {
		if p.name == name {
			return true
		}
	}
	return false
}
