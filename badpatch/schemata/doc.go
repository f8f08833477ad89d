// Package schemata writes many versions of a file into one that chooses among
// them when it runs (mutant schemata): the bodies of the functions that differ
// are the branches of a condition on the number in an environment variable. So
// one build serves many mutants. Differences outside of functions' bodies cannot
// be chosen at run time.
package schemata
