package badpatch

import (
	"context"
	"fmt"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Verified is what an instance's bad patches and good variants show when they
// are run again.
type Verified struct {
	Bad      []VerifiedPatch `json:"bad_patches"`
	Problems []string        `json:"problems,omitempty"`
}

// VerifiedPatch is an instance's own bad patch, run again.
type VerifiedPatch struct {
	Index int `json:"index"` // as the instance has it
	Trial
}

// Verify runs an instance's own bad patches and good variants by the rules of
// Generate, and describes what is not as the instance says. An error says
// that nothing can be learned.
func (g Generator) Verify(ctx context.Context, inst *bench.Instance, base patch.Tree, bed Bed) (Verified, error) {
	var v Verified
	r := &runner{bed: bed, inst: inst, repeat: max(g.Options.Runs, 1), seen: map[string][]languages.Outcome{}}
	if err := r.settle(ctx); err != nil {
		return v, err
	}
	subject, err := NewSubject(Input{Instance: inst, Base: base, Seed: g.Options.Seed})
	if err != nil {
		return v, err
	}
	var made Made
	if err := g.published(ctx, r, subject, &made); err != nil {
		return v, err
	}
	for i, t := range made.Published {
		index, said, is := inst.BadPatches[i].Index, inst.BadPatches[i].Level, t.Level()
		v.Bad = append(v.Bad, VerifiedPatch{Index: index, Trial: t})
		switch {
		case said == "" && t.Verdict == Rejected:
			v.problem("bad patch %d is no bad patch: %s", index, t.Cause)
		case said != "" && said != is:
			v.problem("bad patch %d is said to be %s, and is %s", index, said, is)
		}
	}
	for _, good := range inst.GoodVariants {
		ok, err := r.resolves(ctx, good.Patch)
		if err != nil {
			return v, err
		}
		if !ok {
			v.problem("good variant %d does not resolve it", good.Index)
		}
	}
	return v, nil
}

func (v *Verified) problem(format string, args ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
}
