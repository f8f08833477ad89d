package syntax

import (
	"bytes"

	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

// Reparser counts the errors of many versions of one file that differ little
// from it: only what differs is parsed again. It is not safe for concurrent
// use.
type Reparser struct {
	language string
	text     []byte // as the grammar gets it
	tree     *tree_sitter.Tree
}

// NewReparser parses a file; it fails as Parse does. The Reparser must be
// closed.
func NewReparser(language string, src []byte) (*Reparser, error) {
	tree, err := parseTree(language, src, nil)
	if err != nil {
		return nil, err
	}
	return &Reparser{language: language, text: grammarText(language, src), tree: tree}, nil
}

// Close frees the tree.
func (r *Reparser) Close() { r.tree.Close() }

// Errors counts the ERROR and MISSING nodes of a version of the file.
func (r *Reparser) Errors(src []byte) (int, error) {
	if len(src) > maxSource {
		return 0, tooLarge(r.language, len(src))
	}
	old := r.tree.Clone()
	defer old.Close()
	if edit := difference(r.text, grammarText(r.language, src)); edit != nil {
		old.Edit(edit)
	}
	tree, err := parseTree(r.language, src, old)
	if err != nil {
		return 0, err
	}
	defer tree.Close()
	return countErrors(tree.RootNode()), nil
}

// difference is the one edit that turns old into new; nil where they are equal.
func difference(old, new []byte) *tree_sitter.InputEdit {
	if bytes.Equal(old, new) {
		return nil
	}
	start := 0
	for start < len(old) && start < len(new) && old[start] == new[start] {
		start++
	}
	tail := 0
	for tail < min(len(old), len(new))-start && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	return &tree_sitter.InputEdit{
		StartByte: uint(start), OldEndByte: uint(len(old) - tail), NewEndByte: uint(len(new) - tail),
		StartPosition: point(old, start), OldEndPosition: point(old, len(old)-tail), NewEndPosition: point(new, len(new)-tail),
	}
}

func point(text []byte, at int) tree_sitter.Point {
	before := text[:at]
	return tree_sitter.Point{
		Row:    uint(bytes.Count(before, []byte{'\n'})),
		Column: uint(at - 1 - bytes.LastIndexByte(before, '\n')),
	}
}
