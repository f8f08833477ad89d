package mutation

import (
	"assay/badpatch/code"
	"assay/languages/syntax"
)

// replace is the mutation that gives a node another text.
func replace(n *syntax.Node, text, what string) code.Mutation {
	return code.Mutation{Edits: []code.Edit{{Start: n.Start, End: n.End, Text: text}}, What: what}
}

// one wraps a mutation; none where there is none to make.
func one(m code.Mutation) []code.Mutation { return []code.Mutation{m} }
