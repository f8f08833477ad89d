package syntax

import "slices"

// Parameter cases are often outside of the test: in a constant that a
// decorator names, in a provider method, in an instantiation macro.
// File.values holds where, by qualified name (Python, Java) or by suite
// (GoogleTest) or template (doctest).

// casesOf are the lines of a test that hold only cases; owners are the classes
// around it, whose parameters are its own as well.
func (c classes) casesOf(test *Symbol, owners ...*Symbol) []Range {
	var out []Range
	for _, s := range append([]*Symbol{test}, owners...) {
		out = append(out, s.params...)
		for _, name := range s.refs {
			out = append(out, c.named(name, s.Parents)...)
		}
	}
	return tidy(out)
}

// named are the lines of a constant, or of a provider method, as seen from
// inside the given classes.
func (c classes) named(name string, parents []string) []Range {
	for n := len(parents); n >= 0; n-- {
		key := joinDots(with(parents[:n], name))
		if r := c.file.values[key]; len(r) > 0 {
			return r
		}
		var out []Range
		for _, m := range c.own[joinDots(parents[:n])] {
			if m.Name == name && !isJavaTest(m) {
				out = append(out, Range{m.Start, m.End})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// tidy sorts ranges and drops doublets.
func tidy(r []Range) []Range {
	slices.SortFunc(r, func(a, b Range) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
	return slices.Compact(r)
}
