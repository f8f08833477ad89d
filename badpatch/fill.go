package badpatch

import (
	"encoding/json"

	"assay/bench"
)

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
	// Reviews refer to the old ones, by index.
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
