// Package patch reads, splits, applies and writes diffs.
//
// It takes what git, diff(1) and language models write: git and plain unified
// diffs, wrapped in Markdown or mail, with wrong line counts in their hunk
// headers, stripped blank lines or converted line ends. Reading goes in three
// steps: a scanner finds the files and hunks and repairs what can be repaired
// without guessing at content, the repaired diff is written out in git's
// canonical form, and go-gitdiff parses that. Placing hunks is this package's
// own, because go-gitdiff places them at their exact line only.
//
// Nothing here touches a file system: patches are applied to a Tree, and what
// comes back is a set of Changes. Paths are slash-separated and relative to the
// root of the tree; a patch whose paths could leave it does not parse.
package patch
