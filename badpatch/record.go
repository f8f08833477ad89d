package badpatch

import (
	"encoding/json"
	"fmt"

	"assay/bench"
	"assay/internal/patch"
)

// Record is all that is known of an instance's bad patches.
type Record struct {
	InstanceID string `json:"instance_id"`
	Language   string `json:"language"`
	// CodeLines are the lines of code that gold adds and removes.
	CodeLines int `json:"code_lines"`
	// Problem says why nothing could be made; Trouble, that the machine kept
	// it from being made.
	Problem string `json:"problem,omitempty"`
	Trouble string `json:"trouble,omitempty"`

	Hidden          Hidden   `json:"hidden"`
	Trials          []Trial  `json:"trials,omitempty"`
	Published       []Trial  `json:"published,omitempty"`
	Chosen          []Choice `json:"chosen,omitempty"`
	Reserve         []Choice `json:"reserve,omitempty"`
	Yields          []Yield  `json:"yields,omitempty"`
	Variants        int      `json:"good_variants"`
	RefusedVariants int      `json:"refused_variants,omitempty"`
	// Untried says why candidates were left unrun; empty where all were run.
	Untried string `json:"untried,omitempty"`
}

// RecordOf puts down what was made of an instance.
func RecordOf(inst *bench.Instance, m Made) Record {
	r := Record{
		InstanceID: inst.ID, Language: language(inst), CodeLines: codeLines(inst),
		Hidden: Hidden{F2P: inst.FailToPass, P2P: inst.PassToPass},
		Trials: m.Trials, Published: m.Published, Chosen: m.Chosen, Reserve: m.Reserve, Yields: m.Yields(),
		Variants: len(m.Variants), RefusedVariants: m.RefusedVariants, Untried: m.Untried,
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
		if isCode(language(inst), f.Path()) {
			n += f.Added() + f.Removed()
		}
	}
	return n
}

// trialsOf are the trials that choices stand for.
func (r Record) trialsOf(choices []Choice) []Trial {
	out := make([]Trial, 0, len(choices))
	for _, c := range choices {
		out = append(out, r.Trials[c.Trial])
	}
	return out
}

// Set is the chosen bad patches.
func (r Record) Set() []Trial { return r.trialsOf(r.Chosen) }

// Kept is the hidden reserve.
func (r Record) Kept() []Trial { return r.trialsOf(r.Reserve) }

// Fill gives an instance its bad patches and good variants, in place of those
// it had; keepPublished leaves these before them, with their levels.
func Fill(inst *bench.Instance, m Made, keepPublished bool) {
	var all []bench.BadPatch
	if keepPublished {
		for i, b := range inst.BadPatches {
			b.Level = m.Published[i].Level()
			all = append(all, b)
		}
	}
	for _, c := range m.Chosen {
		all = append(all, BadPatch(m.Trials[c.Trial], c.Reason))
	}
	for _, i := range m.Regressions {
		all = append(all, BadPatch(m.Trials[i], "breaks older tests only: for review tasks"))
	}
	for i := range all {
		all[i].Index = i
	}
	inst.BadPatches, inst.GoodVariants = all, m.Variants
	// Reviews speak of the old ones, by index.
	inst.Reviews = nil
}

// BadPatch is a trial in the form that instances hold.
func BadPatch(t Trial, why string) bench.BadPatch {
	b := bench.BadPatch{
		Source: t.Source + "/" + t.Operator, Patch: t.Patch, Category: string(t.Category), Level: t.Level(),
		Extra: map[string]json.RawMessage{},
	}
	for name, value := range map[string]any{"kind": t.Kind, "detail": t.Detail, "why_chosen": why, "seed": t.Seed} {
		if text, err := json.Marshal(value); err == nil {
			b.Extra[name] = text
		}
	}
	return b
}

// String says in a line what became of an instance.
func (r Record) String() string {
	switch {
	case r.Trouble != "":
		return fmt.Sprintf("%s: nothing made: %s", r.InstanceID, r.Trouble)
	case r.Problem != "":
		return fmt.Sprintf("%s: nothing made: %s", r.InstanceID, r.Problem)
	}
	counts := map[Verdict]int{}
	for _, t := range r.Trials {
		counts[t.Verdict]++
	}
	return fmt.Sprintf("%s: %d bad patches chosen of %d (%d regressions, %d survivors, %d rejected), %d good variants",
		r.InstanceID, len(r.Chosen), counts[Bad], counts[Regression], counts[Survivor], counts[Rejected], r.Variants)
}
