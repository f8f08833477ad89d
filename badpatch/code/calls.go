package code

import (
	"strings"

	"assay/languages/syntax"
)

// ByName recognises arguments that are not identified by their place.
func ByName(n *syntax.Node) bool {
	return Is(n, "keyword_argument", "list_splat", "dictionary_splat", "generator_expression", "parenthesized_list_splat")
}

// Call is a parsed call.
type Call struct {
	Name     *syntax.Node // the last part of what is called
	Receiver *syntax.Node // what is before the dot; nil for none
	Args     []*syntax.Node
	list     *syntax.Node // the arguments with their parentheses
}

// AsCall parses a call; creations of Java are calls of their type.
func (c *File) AsCall(n *syntax.Node) (Call, bool) {
	var out Call
	switch {
	case Is(n, "method_invocation"):
		out.Name, out.Receiver = n.Get("name"), n.Get("object")
	case Is(n, "object_creation_expression"):
		out.Name = n.Get("type")
	case Is(n, "call", "call_expression"):
		out.Name = n.Get("function")
		if Is(out.Name, "attribute", "field_expression") {
			out.Receiver = out.Name.Items()[0]
			out.Name = Last(out.Name.Items())
		}
	default:
		return out, false
	}
	out.list = n.Get("arguments")
	if out.Name == nil || !Is(out.list, "argument_list") {
		return out, false
	}
	out.Args = out.list.Items()
	return out, true
}

// CalledName is the plain name of what is called.
func (c *File) CalledName(k Call) string {
	name := c.Text(k.Name)
	if i := strings.IndexByte(name, '<'); i > 0 {
		name = name[:i]
	}
	return strings.TrimSpace(name[strings.LastIndexAny(name, ".:")+1:])
}
