package mutation

import (
	"assay/badpatch/code"
	"assay/languages/syntax"
)

func returnDefault(c *code.File, n *syntax.Node) []code.Mutation {
	fn := c.Function(n)
	if !code.Is(n, "return_statement") || len(n.Items()) == 0 || fn == nil || c.InLambda(n) {
		return nil
	}
	value := code.Bare(n.Items()[0])
	values := c.DefaultReturns(fn)
	if c.Python() {
		values = pythonDefaults(value)
	}
	var out []code.Mutation
	for _, v := range values {
		if v != c.Text(value) && v != "" {
			out = append(out, replace(n, c.ReturnStatement(v), "returns "+v))
		}
	}
	return out
}

// pythonDefaults uses the shape of what is returned.
func pythonDefaults(value *syntax.Node) []string {
	switch value.Kind {
	case "comparison_operator", "boolean_operator", "not_operator":
		return []string{"False", "True"}
	case "true":
		return []string{"False"}
	case "false":
		return []string{"True"}
	case "list", "list_comprehension":
		return []string{"[]", "None"}
	case "dictionary", "dictionary_comprehension":
		return []string{"{}", "None"}
	case "string", "concatenated_string":
		return []string{"''", "None"}
	case "integer", "float", "unary_operator":
		return []string{"0", "None"}
	case "tuple", "expression_list":
		return []string{"None"}
	}
	return []string{"None", "False"}
}

func dropReturnSelf(c *code.File, n *syntax.Node) []code.Mutation {
	if !code.Is(n, "return_statement") || len(n.Items()) != 1 || c.InLambda(n) {
		return nil
	}
	switch c.Text(n.Items()[0]) {
	case "self":
		return one(replace(n, "return None", "does not return self"))
	case "this":
		return one(replace(n, "return null;", "does not return this"))
	}
	return nil
}
