package bench

import (
	"encoding/json"
	"fmt"
)

const expectedPatch = "a patch as a string, or null"

// UnmarshalJSON reads a prediction in SWE-bench's form, in Multi-SWE-bench's
// (org, repo, number, and fix_patch or patch), or in OmniCode's, where
// model_patch may hold the prediction again. A null patch is an empty one; a
// missing one is an error. Fields that Prediction lacks are skipped, as is a
// trajectory that is not a string.
func (p *Prediction) UnmarshalJSON(raw []byte) error {
	got, errs := decodePrediction(raw, rawRecord{})
	if len(errs) > 0 {
		return joinFieldErrors(errs)
	}
	*p = got
	return nil
}

// decodePrediction decodes one record. Under a key it may also be just the
// patch, or null.
func decodePrediction(raw []byte, rec rawRecord) (Prediction, []*FieldError) {
	raw, broken := wellFormed(raw, rec.start)
	if broken != nil {
		return Prediction{}, []*FieldError{broken}
	}
	p := Prediction{InstanceID: safeID(rec.key)}
	if rec.key != "" && raw[0] != '{' {
		r := &record{fields: map[string]json.RawMessage{"model_patch": raw}}
		p.Patch = r.text("model_patch", expectedPatch)
		return p, r.errs
	}
	r, wrong := newRecord(raw, "")
	if wrong != nil {
		return p, []*FieldError{wrong}
	}
	r.prediction(&p, true)
	return p, r.errs
}

// prediction takes the fields of a prediction; deeper reports whether its
// patch may be a prediction again.
func (r *record) prediction(p *Prediction, deeper bool) {
	if id := r.predictionID(); id != "" {
		if p.InstanceID != "" && NormaliseID(id) != NormaliseID(p.InstanceID) {
			r.errs = append(r.errs, &FieldError{
				Field: r.path + "instance_id", Expected: fmt.Sprintf("%q, as around it", p.InstanceID), Got: quoteShort(id),
			})
		}
		p.InstanceID = id
	}
	if model := r.text("model_name_or_path", "a string"); model != "" {
		p.Model = model
	}
	r.patch(p, deeper)
	if task := r.text("task", "a string"); task != "" {
		p.Task = task
	}
	if r.has("cost_usd") {
		p.CostUSD = r.number("cost_usd")
	}
	if text := r.peekText("trajectory"); text != "" {
		p.Trajectory = text
	}
	r.measured(p)
}

// patch takes the patch under the first of its names.
func (r *record) patch(p *Prediction, deeper bool) {
	for _, name := range []string{"model_patch", "fix_patch", "patch"} {
		raw, ok := r.fields[name]
		switch {
		case !ok:
			continue
		case deeper && raw[0] == '{':
			inner, _ := newRecord(raw, name)
			inner.prediction(p, false)
			r.errs = append(r.errs, inner.errs...)
		default:
			p.Patch = r.text(name, expectedPatch)
		}
		return
	}
	r.fail("model_patch", expectedPatch, nil)
}

// predictionID returns the id under any of its names, or made of org, repo
// and number.
func (r *record) predictionID() string {
	if r.has("instance_id") {
		return safeID(r.text("instance_id", expectedID))
	}
	if r.has("org") && r.has("repo") && r.has("number") {
		return fmt.Sprintf("%s__%s-%s", r.peekText("org"), r.peekText("repo"), r.peekText("number"))
	}
	return safeID(r.peekText("id"))
}
