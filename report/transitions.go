package report

import (
	"github.com/jedib0t/go-pretty/v6/table"

	"assay/bench"
)

// TransitionsRow holds the rates of SWT-Bench's table 2, over all judged
// submissions of test generation: those that are empty or do not apply count in
// each of them.
type TransitionsRow struct {
	Applies    Rate `json:"applies"`
	FailToAny  Rate `json:"fail_to_any"`
	FailToPass Rate `json:"fail_to_pass"` // success
	PassToPass Rate `json:"pass_to_pass"`
	PassToFail Rate `json:"pass_to_fail"`
	AnyToFail  Rate `json:"any_to_fail"`
	// FailsBy counts the submissions with success by the strongest kind of
	// failure before the gold patch.
	FailsBy map[bench.FailureKind]int `json:"fails_by,omitempty"`
	// Tests adds up the tests of all submissions by what they do.
	Tests bench.Moves `json:"tests"`
}

func (row *TransitionsRow) add(t bench.Transitions) {
	row.Applies.count(&t.Applies)
	row.FailToAny.count(&t.FailToAny)
	row.FailToPass.count(&t.FailToPass)
	row.PassToPass.count(&t.PassToPass)
	row.PassToFail.count(&t.PassToFail)
	row.AnyToFail.count(&t.AnyToFail)
	if t.FailToPass {
		if row.FailsBy == nil {
			row.FailsBy = map[bench.FailureKind]int{}
		}
		row.FailsBy[t.FailsBy]++
	}
	row.Tests.FailToPass += t.Tests.FailToPass
	row.Tests.FailToFail += t.Tests.FailToFail
	row.Tests.PassToPass += t.Tests.PassToPass
	row.Tests.PassToFail += t.Tests.PassToFail
	row.Tests.Other += t.Tests.Other
}

// transitionsTable shows how contributed tests end before and after the gold
// patch.
func (s *Summary) transitionsTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"transitions", "submission", "applies", "fail-any", "fail-pass", "pass-pass", "pass-fail", "any-fail", "of"})
	rightFrom(t, 3, 9)
	for _, r := range s.Rows {
		f := r.Transitions
		if f == nil {
			continue
		}
		t.AppendRow(table.Row{
			r.Language, r.Model, f.Applies.percent(), f.FailToAny.percent(), f.FailToPass.percent(),
			f.PassToPass.percent(), f.PassToFail.percent(), f.AnyToFail.percent(), f.Applies.Of,
		})
	}
	return t
}

// strengthTable shows how well tests judge code: by what those with success
// fail before the gold patch, the bad patches that they kill, and the rewrites
// of gold that they let pass.
func (s *Summary) strengthTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"strength", "submission", "assertion", "exception", "other", "missing symbol", "killed", "kill rate", "good passed"})
	rightFrom(t, 3, 9)
	for _, r := range s.Rows {
		f, g := r.Transitions, r.TestGen
		if f == nil || g == nil {
			continue
		}
		by := func(kinds ...bench.FailureKind) string {
			n := 0
			for _, k := range kinds {
				n += f.FailsBy[k]
			}
			return Rate{n, f.FailToPass.Yes}.String()
		}
		t.AppendRow(table.Row{
			r.Language, r.Model, by(bench.ByAssertion), by(bench.ByException), by(bench.ByCrash, bench.ByTimeout, bench.ByBuild), by(bench.ByMissing),
			g.Killed.String(), g.Killed.percent(), g.GoodPass.String(),
		})
	}
	return t
}

func (r Rate) percent() string { return percent(r.Yes, r.Of) }
