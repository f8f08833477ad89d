package review

import "slices"

// compare goes through all symbols of a file's three states.
func (f *file) compare(base, gold, bad outline) []Place {
	var out []Place
	for _, name := range union(bad.order, base.order, gold.order) {
		b, g, d := base.parts[name], gold.parts[name], bad.parts[name]
		if g.same(d) {
			continue
		}
		p := Place{Path: f.path, Symbol: name, Kind: Different}
		if d != nil {
			p.Start, p.End = d.start, d.end
		}
		switch {
		case b == nil && d == nil:
			p = f.lacking(name, bad)
		case b == nil && g == nil:
			p.Kind, p.Detail = Spurious, Adds
		case b.same(d):
			p.Kind = Missed
		case b.same(g):
			p.Kind = Spurious
			if d == nil {
				p.Detail = Drops
			}
		case d == nil:
			continue // both change it; its code went elsewhere
		}
		out = append(out, p)
	}
	return out
}

// lacking is the place where gold's new symbol would be; the agent must not
// know its name.
func (f *file) lacking(name string, bad outline) Place {
	p := Place{Path: f.path, Kind: Missed, Detail: Lacks}
	if d := bad.parts[parent(name)]; d != nil && d.class {
		p.Symbol, p.Start, p.End = parent(name), d.start, d.end
	}
	return p
}

func (p *part) same(q *part) bool {
	if p == nil || q == nil {
		return p == q
	}
	return slices.Equal(p.code, q.code)
}

// settle drops what other places of the file explain: a new symbol of gold's
// is called from a place that was missed or done differently, and a new one of
// the bad patch belongs to the place where it differs. Equal places are merged.
func settle(places []Place) []Place {
	has := func(kinds ...Divergence) bool {
		return slices.ContainsFunc(places, func(p Place) bool {
			return p.Detail == Ordinary && slices.Contains(kinds, p.Kind)
		})
	}
	explained, ownWay := has(Missed, Different), has(Different)
	var out []Place
	for _, p := range places {
		switch {
		case p.Detail == Lacks && (explained || slices.Contains(out, p)):
		case p.Detail == Adds && ownWay:
		default:
			out = append(out, p)
		}
	}
	return out
}

// union joins lists, each in its order, without repeating.
func union(lists ...[]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range lists {
		for _, name := range list {
			if !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}
