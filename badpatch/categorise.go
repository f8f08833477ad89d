package badpatch

import (
	"slices"

	"assay/languages/syntax"
)

// CategoryOf says from the text alone what is wrong with a patch that nobody
// made on purpose: an attempt, or a published bad patch without a category. The
// first rule that holds decides:
//
//  1. A: no function or declaration that gold changes is changed.
//  2. C: all of gold is there, and more is changed, or functions that gold
//     leaves alone; or three of these and more than of gold's. What a file has
//     outside of functions is one.
//  3. B: no line is there that is not base's or gold's: a part of gold. Where no
//     line is missing either, they stand in another order: D.
//  4. D: a function's parameters, with their defaults, are not gold's.
//  5. F: only literals and comparisons by size are not gold's.
//  6. E: a condition of base's and gold's is missing, or one of gold's own is
//     while others of its lines are there or another condition stands there.
//  7. D: only what is returned or raised is not gold's, or the types of
//     exceptions that are raised or caught.
//  8. B: some of gold's lines are there; else A.
//
// It is empty for what does not apply. The kind follows from the category.
func CategoryOf(s *Subject, diff string) (Category, Kind) {
	d, ok := s.compare(diff)
	if !ok {
		return "", ""
	}
	c := d.category()
	return c, kindOf(c)
}

func (d *difference) category() Category {
	stray := d.stray()
	switch {
	case len(d.common()) == 0:
		return WrongLayer
	case d.complete() && stray > 0, d.all() && d.own > 0, stray >= 3 && stray > len(d.golds):
		return Undiscipline
	case d.all():
		return Contract
	case d.own == 0 && d.dropped == 0:
		return Partial
	}
	pairs, whole := d.pairs()
	switch {
	case slices.ContainsFunc(pairs, pair.parametersDiffer):
		return Contract
	case whole && len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p pair) bool { return blurred(p.gold.form) != blurred(p.bad.form) }):
		return EdgeCase
	case slices.ContainsFunc(pairs, func(p pair) bool { return p.guardsDiffer(d.kept > 0) }):
		return Guard
	case d.onlyResults, slices.ContainsFunc(pairs, pair.errorsDiffer):
		return Contract
	case d.kept > 0:
		return Partial
	}
	return WrongLayer
}

// all reports whether every line is as with gold, beside what is added.
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
		for _, n := range u.code.parameters(u.fn) {
			out += Normalise(u.code.language, []byte(u.code.text(n))) + ","
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
		if is(n, "assert_statement") {
			return n
		}
		return u.code.condition(n)
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
		case is(n, "raise_statement", "throw_statement") && len(n.Items()) > 0:
			raised := n.Items()[0]
			if k, ok := u.code.asCall(raised); ok {
				return k.name
			}
			return raised
		case is(n, "except_clause"):
			return n.Get("value")
		case is(n, "catch_type"):
			return n
		case is(n, "catch_clause") && u.code.cpp():
			return n.Get("parameters")
		}
		return nil
	})
}

// collect gives the normal forms of the nodes that pick finds in a unit.
func (u unit) collect(pick func(*syntax.Node) *syntax.Node) []string {
	var out []string
	if u.fn == nil {
		return nil
	}
	u.fn.Walk(func(n *syntax.Node) bool {
		if at := pick(n); at != nil {
			out = append(out, Normalise(u.code.language, []byte(u.code.text(at))))
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
