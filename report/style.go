package report

import "assay/bench"

// StyleRow holds the figures of style tasks. The means are macro: every
// judged task weighs the same, one without a linted submission (empty, not
// applying) with nothing fixed. The counts are micro: over findings.
type StyleRow struct {
	// HeldScore is the headline: the score where function was held and
	// nothing was cheated, else 0; over tasks whose function is known.
	HeldScore      Mean `json:"held_score"`
	Score          Mean `json:"score"`
	Net            Mean `json:"net"` // the score unclipped
	FixRate        Mean `json:"fix_rate"`
	ErrorRatio     Mean `json:"error_ratio"`
	OverallFixRate Mean `json:"overall_fix_rate"`
	FunctionHeld   Rate `json:"function_held"`
	Cheated        int  `json:"cheated"`
	Original       int  `json:"original"`
	Resolved       int  `json:"resolved"`
	New            int  `json:"new"`
}

// Mean is a sum and over how many.
type Mean struct {
	Sum float64 `json:"sum"`
	Of  int     `json:"of"`
}

func (m *Mean) add(x float64) { m.Sum += x; m.Of++ }

// Value is the mean; ok is false where there is nothing to take it of.
func (m Mean) Value() (mean float64, ok bool) {
	if m.Of == 0 {
		return 0, false
	}
	return m.Sum / float64(m.Of), true
}

func (row *StyleRow) add(s bench.Style) {
	if s.HeldScore != nil {
		row.HeldScore.add(*s.HeldScore)
	}
	row.Score.add(s.Score)
	row.Net.add(s.Net)
	row.FixRate.add(s.FixRate)
	row.ErrorRatio.add(s.ErrorRatio)
	row.OverallFixRate.add(s.OverallFixRate)
	row.FunctionHeld.count(s.FunctionHeld)
	if len(s.Cheats) > 0 {
		row.Cheated++
	}
	row.Original += s.Original
	row.Resolved += s.Resolved
	row.New += s.New
}
