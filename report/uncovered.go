package report

import "assay/bench"

// uncovered collects the submissions that cover nothing by rule, since they were
// not run or are void. Each counts as 0 in the figures that some other submission
// to its instance has: without one it is not known whether anything of the
// instance can be measured.
type uncovered map[part]*uncoveredPart

// part is what submissions are compared on.
type part struct{ task, language, instance string }

type uncoveredPart struct {
	adequacy  bool            // some submission has one
	published map[string]bool // some submission has the figure of this name
	rows      []key           // of submissions that cover nothing by rule
}

// add notes a judged result with coverage; it reports whether that is by rule.
func (u uncovered) add(r bench.Result) (byRule bool) {
	at := part{r.Task, r.Language, r.InstanceID}
	p := u[at]
	if p == nil {
		p = &uncoveredPart{published: map[string]bool{}}
		u[at] = p
	}
	if r.Coverage.ByRule() {
		p.rows = append(p.rows, key{r.Task, r.Language, r.Model})
		return true
	}
	p.adequacy = p.adequacy || r.Coverage.Adequacy != nil
	for name := range r.Coverage.Published {
		p.published[name] = true
	}
	return false
}

// settle counts the zeros, once all results are known.
func (s *Summary) settle() {
	for _, p := range s.uncovered {
		c := p.zeros()
		if c == nil {
			continue
		}
		for _, k := range p.rows {
			s.row(k).cover(*c, false)
			s.Total.cover(*c, false)
		}
	}
	s.uncovered = nil
}

// zeros are the figures of a submission that covers nothing; nil where no other
// has any.
func (p *uncoveredPart) zeros() *bench.ChangeCoverage {
	if !p.adequacy && len(p.published) == 0 {
		return nil
	}
	c := &bench.ChangeCoverage{Published: map[string]float64{}}
	if p.adequacy {
		c.Adequacy, c.TDDScore = new(float64), new(float64)
	}
	for name := range p.published {
		c.Published[name] = 0
	}
	return c
}

// cover counts the coverage of a submission.
func (row *Row) cover(c bench.ChangeCoverage, success bool) {
	if row.Coverage == nil {
		row.Coverage = &CoverageRow{}
	}
	row.Coverage.add(c, success)
}
