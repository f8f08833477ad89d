package schemata

import (
	"bytes"

	"assay/badpatch/code"
	"assay/languages"
	"assay/languages/syntax"
	"assay/languages/token"
)

func cppDialect() dialect {
	return dialect{
		language: languages.Cpp, lex: token.Cpp,
		bodies: []string{"compound_statement"},
		first:  func(*syntax.Node) *syntax.Node { return nil },
		is:     cppIs,
		reader: func(*code.File, []*syntax.Node) []code.Edit { return []code.Edit{{Text: cppHolder}} },
	}
}

// cppHolder is put before everything else of a file, so that the guard of a header
// follows it.
const cppHolder = `#ifndef ` + Variable + `
#define ` + Variable + ` assay_mutant()
#include <cstdlib>
static inline int assay_mutant() {
  static const char *const given = std::getenv("` + Variable + `");
  static const int number = given ? std::atoi(given) : 0;
  return number;
}
#endif
`

// cppIs keeps the comparison from what a compiler works out: that is the
// original's. Macros that stand for constexpr end so, too.
func cppIs(c *code.File, fn *syntax.Node, number int) string {
	head := bytes.ToLower(c.Src[fn.Start:fn.Get("body").Start])
	if bytes.Contains(head, []byte("constexpr")) {
		return "!__builtin_is_constant_evaluated() && " + numbered(Variable, number)
	}
	return numbered(Variable, number)
}
