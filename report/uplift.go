package report

import (
	"fmt"
	"hash/fnv"
	"sort"

	"assay/bench"
)

// Uplift compares review-response with the bad patch alone and with plain
// bug-fixing, paired: only what was judged on both sides counts.
type Uplift struct {
	Language string `json:"language"`
	Model    string `json:"model_name_or_path"`
	// BugFix pairs each review task with the same instance's bug-fix task.
	BugFix *Paired `json:"against_bugfix,omitempty"`
	// Alone pairs each review task with the same bad patch without review.
	Alone *Paired `json:"against_alone,omitempty"`
}

// Paired counts pairs of judged results.
type Paired struct {
	Pairs  int `json:"pairs"`
	Review int `json:"review_resolved"`
	Other  int `json:"other_resolved"`
}

// arms keeps what the comparison needs of every result: a few bytes each.
type arms struct {
	plain  map[uint64]bool // task, model and instance -> resolved
	alone  map[uint64]bool // model, instance and bad patch -> resolved
	review []reviewed
}

type reviewed struct {
	language, model string
	instance        string
	bad             uint64
	resolved        bool
}

func (a *arms) add(r bench.Result) {
	if !r.Verdict.Judged() {
		return
	}
	if a.plain == nil {
		a.plain, a.alone = map[uint64]bool{}, map[uint64]bool{}
	}
	resolved := r.Verdict == bench.Resolved
	switch {
	case r.Review == nil && r.Part == "":
		a.plain[hash(r.Task, r.Model, r.InstanceID)] = resolved
	case r.Review == nil:
	case r.Review.Arm == bench.ArmAlone:
		a.alone[hash(r.Model, r.InstanceID, fmt.Sprint(r.Review.BadPatch))] = resolved
	default:
		bad := hash(r.Model, r.InstanceID, fmt.Sprint(r.Review.BadPatch))
		a.review = append(a.review, reviewed{r.Language, r.Model, r.InstanceID, bad, resolved})
	}
}

// uplift lists the comparisons by language and model; plain is the kind of task
// that reviews are compared with.
func (a *arms) uplift(plain string) []Uplift {
	type key struct{ language, model string }
	found := map[key]*Uplift{}
	var out []*Uplift
	for _, r := range a.review {
		k := key{r.language, r.model}
		u, ok := found[k]
		if !ok {
			u = &Uplift{Language: r.language, Model: r.model}
			found[k] = u
			out = append(out, u)
		}
		if other, ok := a.plain[hash(plain, r.model, r.instance)]; ok {
			u.BugFix = u.BugFix.with(r.resolved, other)
		}
		if other, ok := a.alone[r.bad]; ok {
			u.Alone = u.Alone.with(r.resolved, other)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Language != out[j].Language {
			return out[i].Language < out[j].Language
		}
		return out[i].Model < out[j].Model
	})
	list := make([]Uplift, 0, len(out))
	for _, u := range out {
		if u.BugFix != nil || u.Alone != nil {
			list = append(list, *u)
		}
	}
	return list
}

func (p *Paired) with(review, other bool) *Paired {
	if p == nil {
		p = &Paired{}
	}
	p.Pairs++
	if review {
		p.Review++
	}
	if other {
		p.Other++
	}
	return p
}

func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return h.Sum64()
}
