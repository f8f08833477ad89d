package mutation

import (
	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
)

// Site is a mutation at its place.
type Site struct {
	view  badpatch.View
	scope *syntax.Node
	m     code.Mutation
}

// Detail reports where the mutation is and what it does.
func (at Site) Detail() badpatch.Detail {
	return badpatch.Detail{Path: at.view.File.Path, Line: at.view.Code.Line(at.m.Edits[0].Start), What: at.m.What}
}

// Text is the file with the mutation in it; not ok means that its edits
// overlap.
func (at Site) Text() (text []byte, ok bool) { return code.Apply(at.view.Code.Src, at.m.Edits) }

// Sites are the places at which one operator can be applied; at least one.
type Sites struct {
	Operator string
	Sites    []Site
}

// PartialFixes lists what the operators that leave a fix incomplete can do on
// the lines that gold changes, operator by operator.
func PartialFixes(s *badpatch.Subject) ([]Sites, error) {
	table := append(partialFix(), guards()...)
	sites, err := sites(s, table)
	if err != nil {
		return nil, err
	}
	var out []Sites
	for i, list := range sites[badpatch.Lines] {
		if len(list) > 0 && table[i].kind == badpatch.KindPartial {
			out = append(out, Sites{table[i].name, list})
		}
	}
	return out, nil
}

// siteTable holds the sites of every operator, by its place in the table.
type siteTable [][]Site

// sites calls every operator on every node in range.
func sites(s *badpatch.Subject, table []operator) (map[badpatch.Tier]siteTable, error) {
	out := map[badpatch.Tier]siteTable{badpatch.Lines: make(siteTable, len(table)), badpatch.Around: make(siteTable, len(table))}
	views, err := s.Views()
	if err != nil {
		return nil, err
	}
	for _, v := range views {
		for _, scope := range v.Scopes() {
			scope.Walk(func(n *syntax.Node) bool {
				if n.Broken || arid(v.Code, n) {
					return false
				}
				for i, op := range table {
					if n.Named && (op.only == nil || op.only(v.Code)) {
						collect(v, out, i, op, scope, n)
					}
				}
				return true
			})
		}
	}
	return out, nil
}

// collect adds what an operator makes of a node. Unnecessary changes belong
// next to the fix; elsewhere they are not part of it.
func collect(v badpatch.View, out map[badpatch.Tier]siteTable, i int, op operator, scope, n *syntax.Node) {
	for _, m := range op.rewrite(v.Code, n) {
		tier := v.Tier(m.Edits[0])
		if tier == badpatch.Around && (op.kind == badpatch.KindUnnecessary || v.Code != v.File.Gold) {
			continue
		}
		out[tier][i] = append(out[tier][i], Site{v, scope, m})
	}
}
