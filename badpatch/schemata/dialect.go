package schemata

import (
	"fmt"

	"assay/badpatch/code"
	"assay/languages/syntax"
	"assay/languages/token"
)

// Variable is the environment variable that holds the number of the version that
// runs; without it, or with 0, the original does.
const Variable = "ASSAY_MUTANT"

// dialect is how a language reads the number.
type dialect struct {
	language string
	lex      func([]byte) []token.Token
	// bodies are the kinds of nodes that hold a function's statements.
	bodies []string
	// first is the statement of a body that must come before all others; nil where
	// there is none.
	first func(body *syntax.Node) *syntax.Node
	// is compares the number, in the function.
	is func(c *code.File, fn *syntax.Node, number int) string
	// reader are the edits by which the file can read the number in these
	// functions.
	reader func(c *code.File, functions []*syntax.Node) []code.Edit
}

func dialectOf(language string) (dialect, bool) {
	for _, d := range []dialect{javaDialect(), cppDialect()} {
		if d.language == language {
			return d, true
		}
	}
	return dialect{}, false
}

// numbered is a comparison with a number.
func numbered(variable string, number int) string { return fmt.Sprintf("%s == %d", variable, number) }
