// Package schemata writes many versions of a file into one that chooses among
// them when it runs (mutant schemata): the bodies of the functions that differ
// stand in the branches of a condition, by the number in an environment variable.
// So one build serves many mutants. What differs outside of functions' bodies
// cannot be chosen at run time.
package schemata
