// Package category decides by rule what is wrong with a bad patch: which
// category of OmniCode's appendix A a difference from gold belongs to.
package category

import (
	"slices"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
)

// Of says from the text alone what is wrong with a patch that was not made on
// purpose: an attempt, or a published bad patch without a category. The first
// rule that holds decides:
//
//  1. A: no function or declaration that gold changes is changed.
//  2. C: all of gold is there, and more is changed, or functions that gold
//     leaves alone; or three of these and more than of gold's. What a file has
//     outside of functions is one.
//  3. B: no line is there that is not base's or gold's: a part of gold. Where no
//     line is missing either, they are in another order: D.
//  4. D: a function's parameters, with their defaults, are not gold's.
//  5. F: only literals and comparisons by size are not gold's.
//  6. E: a condition of base's and gold's is missing, or one of gold's own is
//     while others of its lines are there or another condition is there.
//  7. D: only what is returned or raised is not gold's, or the types of
//     exceptions that are raised or caught.
//  8. B: some of gold's lines are there; else A.
//
// It is empty for what does not apply. The kind follows from the category.
func Of(s *badpatch.Subject, diff string) (badpatch.Category, badpatch.MistakeKind) {
	d, ok := compare(s, diff)
	if !ok {
		return "", ""
	}
	c := d.category()
	return c, KindOf(c)
}

func (d *difference) category() badpatch.Category {
	stray := d.stray()
	switch {
	case len(d.common()) == 0:
		return badpatch.WrongLayer
	case d.complete() && stray > 0, d.all() && d.own > 0, stray >= 3 && stray > len(d.golds):
		return badpatch.Undiscipline
	case d.all():
		return badpatch.Contract
	case d.own == 0 && d.dropped == 0:
		return badpatch.Partial
	}
	pairs, whole := d.pairs()
	switch {
	case slices.ContainsFunc(pairs, pair.parametersDiffer):
		return badpatch.Contract
	case whole && len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p pair) bool { return blurred(p.gold.form) != blurred(p.bad.form) }):
		return badpatch.EdgeCase
	case slices.ContainsFunc(pairs, func(p pair) bool { return p.guardsDiffer(d.kept > 0) }):
		return badpatch.Guard
	case d.onlyResults, slices.ContainsFunc(pairs, pair.errorsDiffer):
		return badpatch.Contract
	case d.kept > 0:
		return badpatch.Partial
	}
	return badpatch.WrongLayer
}

// all reports whether every line is as with gold, except for added lines.
func (d *difference) all() bool { return d.dropped+d.missing+d.left == 0 }

// pair is a unit of code that a patch and gold have in different forms; base is
// empty where it is new.
type pair struct{ base, gold, bad unit }

// parametersDiffer compares parameter lists with their defaults.
func (p pair) parametersDiffer() bool {
	if p.gold.fn == nil || p.bad.fn == nil {
		return false
	}
	list := func(u unit) string {
		var out string
		for _, n := range u.code.Parameters(u.fn) {
			out += code.Normalise(u.code.Language, []byte(u.code.Text(n))) + ","
		}
		return out
	}
	return list(p.gold) != list(p.bad)
}

// guardsDiffer compares what is decided by.
func (p pair) guardsDiffer(kept bool) bool {
	base, gold, bad := p.base.conditions(), p.gold.conditions(), p.bad.conditions()
	lost := without(gold, bad)
	if len(lost) == 0 {
		return false
	}
	protects := len(without(lost, without(gold, base))) > 0 // base had it, too
	other := len(without(without(bad, gold), base)) > 0
	return protects || kept || other
}

// conditions are the conditions and assertions of a unit.
func (u unit) conditions() []string {
	return u.collect(func(n *syntax.Node) *syntax.Node {
		if code.Is(n, "assert_statement") {
			return n
		}
		return u.code.Condition(n)
	})
}

// errorsDiffer reports whether other types of exceptions are raised or caught,
// in place of gold's.
func (p pair) errorsDiffer() bool {
	gold, bad := p.gold.exceptions(), p.bad.exceptions()
	return len(without(gold, bad)) > 0 && len(without(bad, gold)) > 0
}

func (u unit) exceptions() []string {
	return u.collect(func(n *syntax.Node) *syntax.Node {
		switch {
		case code.Is(n, "raise_statement", "throw_statement") && len(n.Items()) > 0:
			raised := n.Items()[0]
			if k, ok := u.code.AsCall(raised); ok {
				return k.Name
			}
			return raised
		case code.Is(n, "except_clause"):
			return n.Get("value")
		case code.Is(n, "catch_type"):
			return n
		case code.Is(n, "catch_clause") && u.code.Cpp():
			return n.Get("parameters")
		}
		return nil
	})
}

// collect returns the normal forms of the nodes that pick finds in a unit.
func (u unit) collect(pick func(*syntax.Node) *syntax.Node) []string {
	var out []string
	if u.fn == nil {
		return nil
	}
	u.fn.Walk(func(n *syntax.Node) bool {
		if at := pick(n); at != nil {
			out = append(out, code.Normalise(u.code.Language, []byte(u.code.Text(at))))
		}
		return true
	})
	return out
}

// without is what a list has beyond another one, as often.
func without(list, other []string) []string {
	counts := map[string]int{}
	for _, o := range other {
		counts[o]++
	}
	var out []string
	for _, l := range list {
		if counts[l] > 0 {
			counts[l]--
			continue
		}
		out = append(out, l)
	}
	return out
}

// KindOf is the coarser kind of a mistake on top of gold.
func KindOf(c badpatch.Category) badpatch.MistakeKind {
	switch c {
	case badpatch.Partial:
		return badpatch.KindPartial
	case badpatch.Undiscipline:
		return badpatch.KindUnnecessary
	}
	return badpatch.KindIncorrect
}
