package measure

import (
	"cmp"
	"maps"
	"slices"

	"assay/badpatch"
)

// Yield describes the outcome of the candidates of one origin.
type Yield struct {
	Source   string `json:"source"`
	Operator string `json:"operator,omitempty"`
	Made     int    `json:"made"`
	// Dropped counts by cause what the static filter took out, Rejected what
	// the runs did.
	Dropped  map[badpatch.Cause]int `json:"dropped,omitempty"`
	Run      int                    `json:"run"`
	Built    int                    `json:"built"`
	Rejected map[badpatch.Cause]int `json:"rejected,omitempty"`

	Bad        int     `json:"bad"`
	Regression int     `json:"regression"`
	Survivor   int     `json:"survivor"`
	Chosen     int     `json:"chosen"`
	Seconds    float64 `json:"seconds"` // of all runs
}

// SecondsPerBad is the cost of one bad patch, of everything that was run for
// it; ok is false where there is none.
func (y Yield) SecondsPerBad() (seconds float64, ok bool) {
	if y.Bad == 0 {
		return 0, false
	}
	return y.Seconds / float64(y.Bad), true
}

// Yields are the rows of what was made, by source and operator.
func Yields(m badpatch.Made) []Yield {
	rows := map[badpatch.Origin]*Yield{}
	row := func(o badpatch.Origin) *Yield {
		if rows[o] == nil {
			rows[o] = &Yield{Source: o.Source, Operator: o.Operator, Dropped: map[badpatch.Cause]int{}, Rejected: map[badpatch.Cause]int{}}
		}
		return rows[o]
	}
	for o, n := range m.Offered {
		row(o).Made = n
	}
	for o, causes := range m.Dropped {
		maps.Copy(row(o).Dropped, causes)
	}
	for _, t := range m.Trials {
		row(badpatch.Origin{Source: t.Source, Operator: t.Operator}).count(t)
	}
	for _, c := range m.Chosen {
		t := m.Trials[c.Trial]
		row(badpatch.Origin{Source: t.Source, Operator: t.Operator}).Chosen++
	}
	out := make([]Yield, 0, len(rows))
	for _, y := range rows {
		out = append(out, *y)
	}
	return sortYields(out)
}

func (y *Yield) count(t badpatch.Trial) {
	y.Run++
	y.Seconds += t.Seconds
	if built(t) {
		y.Built++
	}
	switch t.Verdict {
	case badpatch.Bad:
		y.Bad++
	case badpatch.Regression:
		y.Regression++
	case badpatch.Survivor:
		y.Survivor++
	default:
		y.Rejected[t.Cause]++
	}
}

// built reports whether the runs showed that the candidate builds: of one that
// did not apply or could not be judged they did not.
func built(t badpatch.Trial) bool {
	return t.Verdict != badpatch.Rejected || t.Cause == badpatch.Endless || t.Cause == badpatch.FailsAll || t.Cause == badpatch.LikeBaseRun || t.Cause == badpatch.Unsteady
}

// AddYields adds rows up, by source and operator; bySource takes the operators
// of a source together.
func AddYields(bySource bool, all ...[]Yield) []Yield {
	rows := map[badpatch.Origin]Yield{}
	for _, y := range slices.Concat(all...) {
		if bySource {
			y.Operator = ""
		}
		at := badpatch.Origin{Source: y.Source, Operator: y.Operator}
		sum, ok := rows[at]
		if !ok {
			sum = Yield{Source: y.Source, Operator: y.Operator, Dropped: map[badpatch.Cause]int{}, Rejected: map[badpatch.Cause]int{}}
		}
		sum.Made, sum.Run, sum.Built = sum.Made+y.Made, sum.Run+y.Run, sum.Built+y.Built
		sum.Bad, sum.Regression, sum.Survivor = sum.Bad+y.Bad, sum.Regression+y.Regression, sum.Survivor+y.Survivor
		sum.Chosen, sum.Seconds = sum.Chosen+y.Chosen, sum.Seconds+y.Seconds
		for c, n := range y.Dropped {
			sum.Dropped[c] += n
		}
		for c, n := range y.Rejected {
			sum.Rejected[c] += n
		}
		rows[at] = sum
	}
	return sortYields(slices.Collect(maps.Values(rows)))
}

func sortYields(rows []Yield) []Yield {
	slices.SortFunc(rows, func(a, b Yield) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Operator, b.Operator))
	})
	return rows
}
