package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// shape is how a node is in JSON.
type shape int

const (
	shapeValue  shape = iota // a column's value
	shapeObject              // a group
	shapeList                // a group that is marked as a list
	shapeMap                 // a group that is marked as a map
)

// node is a part of the schema: a column, or a group of them.
type node struct {
	name, field        string // the name, and the path from the top
	shape              shape
	optional, repeated bool
	// A value of the node is there from this definition level on; another
	// element of its list starts at this repetition level.
	definition, repetition int
	children               []*node
	first, columns         int // its columns, by their index
	write                  valueWriter
}

// planOf turns a schema into nodes, with the columns in the order of the file.
func planOf(root *parquet.Column) (*node, []*node, error) {
	p := &planner{}
	top := &node{shape: shapeObject}
	if err := p.fields(top, root); err != nil {
		return nil, nil, err
	}
	if len(p.leaves) == 0 {
		return nil, nil, fmt.Errorf("the Parquet file has no columns")
	}
	return top, p.leaves, nil
}

type planner struct{ leaves []*node }

// fields adds the children of a group.
func (p *planner) fields(group *node, column *parquet.Column) error {
	group.first = len(p.leaves)
	for _, child := range column.Columns() {
		n, err := p.node(group, child)
		if err != nil {
			return err
		}
		group.children = append(group.children, n)
	}
	group.columns = len(p.leaves) - group.first
	return nil
}

func (p *planner) node(parent *node, column *parquet.Column) (*node, error) {
	n := &node{
		name: column.Name(), field: column.Name(),
		optional: column.Optional(), repeated: column.Repeated(),
		definition: parent.definition, repetition: parent.repetition,
	}
	if parent.field != "" {
		n.field = parent.field + "." + n.name
	}
	if n.optional || n.repeated {
		n.definition++
	}
	if n.repeated {
		n.repetition++
	}
	if column.Leaf() {
		n.first, n.columns = len(p.leaves), 1
		n.write = writerOf(column.Type())
		p.leaves = append(p.leaves, n)
		return n, nil
	}
	if err := p.fields(n, column); err != nil {
		return nil, err
	}
	if n.columns == 0 {
		return nil, fmt.Errorf("column %q: a group without columns can't be read", n.field)
	}
	n.shape = shapeOf(n, column)
	return n, nil
}

// shapeOf distinguishes lists and maps, which are marked groups around a
// repeated child, from plain groups.
func shapeOf(n *node, column *parquet.Column) shape {
	logical := column.Type().LogicalType()
	if logical == nil || len(n.children) != 1 || !n.children[0].repeated {
		return shapeObject
	}
	switch logical.Value.(type) {
	case *format.ListType:
		return shapeList
	case *format.MapType:
		if len(n.children[0].children) == 2 {
			return shapeMap
		}
	}
	return shapeObject
}

// wrapped reports whether an element of the list n is the only child of the
// repeated node, which is there for the levels' sake, and not that node
// itself, as older writers have it.
func (n *node) wrapped() bool {
	repeated := n.children[0]
	return repeated.shape == shapeObject && len(repeated.children) == 1 &&
		repeated.name != "array" && repeated.name != n.name+"_tuple"
}
