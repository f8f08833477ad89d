// Package syntax reads the structure of Python, Java and C++ source: classes,
// functions and tests with their lines, which tests a file declares, and
// which tests a change of the file contributes. It reads text only, compiles
// nothing and resolves nothing across files.
//
// Structure comes from tree-sitter's grammars. The test macros of C++ are not
// C++ as the grammar knows it, and give trees of no fixed shape; they are read
// from the tokens instead.
//
// What only a runner knows stays unknown: names made by macros of the
// repository or at run time, tests inherited from classes of other files,
// tests switched off by configuration. Preprocessor conditions other than
// "#if 0" are not evaluated: all branches count.
package syntax
