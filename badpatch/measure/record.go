package measure

import (
	"fmt"

	"assay/badpatch"
	"assay/badpatch/code"
	"assay/bench"
	"assay/internal/patch"
)

// Record is all that is known of an instance's bad patches.
type Record struct {
	InstanceID string `json:"instance_id"`
	Language   string `json:"language"`
	// CodeLines are the lines of code that gold adds and removes.
	CodeLines int `json:"code_lines"`
	// Problem explains why nothing could be made. Trouble is the failure of the
	// machine that kept it from being made.
	Problem string `json:"problem,omitempty"`
	Trouble string `json:"trouble,omitempty"`

	Hidden          Hidden            `json:"hidden"`
	Trials          []badpatch.Trial  `json:"trials,omitempty"`
	Published       []badpatch.Trial  `json:"published,omitempty"`
	Chosen          []badpatch.Choice `json:"chosen,omitempty"`
	Reserve         []badpatch.Choice `json:"reserve,omitempty"`
	Yields          []Yield           `json:"yields,omitempty"`
	Variants        int               `json:"good_variants"`
	RefusedVariants int               `json:"refused_variants,omitempty"`
	// Untried explains why candidates were left unrun; empty where all were
	// run.
	Untried string `json:"untried,omitempty"`
	// Measuring is how many seconds it took to see what the fail-to-pass tests
	// execute; Unmeasured explains why that is not known.
	Measuring  float64 `json:"measuring_seconds,omitempty"`
	Unmeasured string  `json:"unmeasured,omitempty"`
	// Builds counts those that candidates shared; Alone explains why no further
	// ones did.
	Builds int    `json:"shared_builds,omitempty"`
	Alone  string `json:"alone,omitempty"`
}

// RecordOf puts down what was made of an instance.
func RecordOf(inst *bench.Instance, m badpatch.Made) Record {
	r := Record{
		InstanceID: inst.ID, Language: badpatch.LanguageOf(inst), CodeLines: codeLines(inst),
		Hidden: Hidden{F2P: inst.FailToPass, P2P: inst.PassToPass},
		Trials: m.Trials, Published: m.Published, Chosen: m.Chosen, Reserve: m.Reserve, Yields: Yields(m),
		Variants: len(m.Variants), RefusedVariants: m.RefusedVariants, Untried: m.Untried,
		Measuring: m.Measuring, Unmeasured: m.Unmeasured, Builds: m.Builds, Alone: m.Alone,
	}
	return r
}

// codeLines counts the lines that gold changes in code.
func codeLines(inst *bench.Instance) int {
	p, err := patch.Parse([]byte(inst.Patch))
	if err != nil {
		return 0
	}
	n := 0
	for _, f := range p.Files {
		if code.IsSource(badpatch.LanguageOf(inst), f.Path()) {
			n += f.Added() + f.Removed()
		}
	}
	return n
}

// trialsOf are the trials that choices stand for.
func (r Record) trialsOf(choices []badpatch.Choice) []badpatch.Trial {
	out := make([]badpatch.Trial, 0, len(choices))
	for _, c := range choices {
		out = append(out, r.Trials[c.Trial])
	}
	return out
}

// Set is the chosen bad patches.
func (r Record) Set() []badpatch.Trial { return r.trialsOf(r.Chosen) }

// Kept is the hidden reserve.
func (r Record) Kept() []badpatch.Trial { return r.trialsOf(r.Reserve) }

// String says in a line the outcome of an instance.
func (r Record) String() string {
	switch {
	case r.Trouble != "":
		return fmt.Sprintf("%s: nothing made: %s", r.InstanceID, r.Trouble)
	case r.Problem != "":
		return fmt.Sprintf("%s: nothing made: %s", r.InstanceID, r.Problem)
	}
	counts := map[badpatch.TrialVerdict]int{}
	for _, t := range r.Trials {
		counts[t.Verdict]++
	}
	return fmt.Sprintf("%s: %d bad patches chosen of %d (%d regressions, %d survivors, %d rejected), %d good variants",
		r.InstanceID, len(r.Chosen), counts[badpatch.Bad], counts[badpatch.Regression], counts[badpatch.Survivor], counts[badpatch.Rejected], r.Variants)
}
