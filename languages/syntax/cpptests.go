package syntax

import "strings"

// cppTests lists cases and sections with literal names.
func cppTests(f *File) []Test {
	var out []Test
	for i := range f.Symbols {
		switch s := &f.Symbols[i]; {
		case s.Kind == TestCase && s.Suite != "":
			t := Test{ID: s.Suite + "." + s.Name, Start: s.Start, End: s.End, Parametrized: s.traits.templated}
			if t.Parametrized {
				t.typed = strings.HasPrefix(s.Annotations[0], "TYPED_")
				t.Params = tidy(append([]Range(nil), f.values[s.Suite]...))
			}
			out = append(out, t)
		case s.Kind == TestCase, s.Kind == Section:
			out = append(out, f.caseTest(s))
		}
	}
	return out
}

func (f *File) caseTest(s *Symbol) Test {
	path := with(s.Parents, s.Name)
	t := Test{ID: strings.Join(path, "/"), Start: s.Start, End: s.End, Parametrized: s.traits.templated}
	if t.Parametrized {
		t.family = path[0]
	}
	for _, ref := range s.refs {
		t.Params = append(t.Params, f.values[ref]...)
	}
	t.Params = tidy(t.Params)
	return t
}
