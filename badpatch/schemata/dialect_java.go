package schemata

import (
	"assay/badpatch/code"
	"assay/languages"
	"assay/languages/syntax"
	"assay/languages/token"
)

func javaDialect() dialect {
	return dialect{
		language: languages.Java, lex: token.Java,
		bodies: []string{"block", "constructor_body"},
		first: func(body *syntax.Node) *syntax.Node {
			if items := body.Items(); len(items) > 0 && items[0].Kind == "explicit_constructor_invocation" {
				return items[0]
			}
			return nil
		},
		is:     func(_ *code.File, _ *syntax.Node, number int) string { return numbered("AssayMutant.ON", number) },
		reader: javaReader,
	}
}

// javaHolder is a class that reads the number once: the value is a constant for
// the JVM's compiler, and none for Java's.
const javaHolder = "\nstatic class AssayMutant { static final int ON = Integer.parseInt(\"0\" + (System.getenv(\"" + Variable + "\") == null ? \"\" : System.getenv(\"" + Variable + "\"))); }\n"

// javaReader puts the holder at the end of each outermost class with one of the
// functions.
func javaReader(c *code.File, functions []*syntax.Node) []code.Edit {
	var out []code.Edit
	seen := map[*syntax.Node]bool{}
	for _, fn := range functions {
		var class *syntax.Node
		for n := fn.Parent; n != nil; n = n.Parent {
			if c.IsClass(n) {
				class = n
			}
		}
		if class == nil || seen[class] {
			continue
		}
		seen[class] = true
		end := class.Get("body").End - 1
		out = append(out, code.Edit{Start: end, End: end, Text: javaHolder})
	}
	return out
}
