package reports

import "assay/bench"

// sectionText is what the console readers of Catch2 and doctest share: the
// case and sections that the last heading named, and the outcome of them.
type sectionText struct {
	*collector
	path []string // case, sections
	test string   // the case that ids belong to
	ids  []string // of the case and its sections, as far as marked
}

// mark records a status for the path and all above it. A passing assertion
// says nothing against a failing one: the worst counts.
func (s *sectionText) mark(status bench.Status, text string) {
	if s.test != s.path[0] {
		s.test, s.ids = s.path[0], nil
	}
	id := ""
	for i, name := range s.path[:min(len(s.path), maxDepth)] {
		if i > 0 {
			id += "/"
		}
		id += name
		s.add(bench.Test{ID: id, Status: status, Message: text})
		if status == bench.Failed {
			s.ids = append(s.ids, id)
		}
	}
	if status == bench.Error && id != "" {
		s.died(id, text)
	}
}

// excuse turns the failures of the current case into expected ones.
func (s *sectionText) excuse() {
	if s.test != s.path[0] {
		return
	}
	for _, id := range s.ids {
		if i, ok := s.index[id]; ok && s.tests[i].Status == bench.Failed {
			s.tests[i].Status = bench.XFail
		}
	}
	s.ids = nil
}
