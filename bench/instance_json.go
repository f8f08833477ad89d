package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// UnmarshalJSON reads an instance of assay, SWE-bench (4.x and 5.x),
// SWE-bench-Live, Multi-SWE-bench or OmniCode; its fields show which, and
// Provenance.Format names it where it is not assay's own. What has no place
// in Instance is kept in Extra. Instances may be incomplete: see Check.
func (in *Instance) UnmarshalJSON(raw []byte) error {
	got, errs := decodeInstance(raw, rawRecord{}, KnownLanguages())
	if len(errs) > 0 {
		return joinFieldErrors(errs)
	}
	*in = got
	return nil
}

// MarshalJSON writes the known fields in the order of the struct and then
// the extra ones by name. Text that is not UTF-8 is an error.
func (in Instance) MarshalJSON() ([]byte, error) {
	type plain Instance
	if err := checkUTF8("", in); err != nil {
		return nil, fmt.Errorf("writing instance %s: %w", in.ID, err)
	}
	return marshalWithExtra(plain(in), jsonNames(reflect.TypeFor[Instance]()), in.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (b *BadPatch) UnmarshalJSON(raw []byte) error {
	raw, broken := wellFormed(raw, place{})
	if broken != nil {
		return broken
	}
	got, errs := badPatch(raw, "", 0)
	if len(errs) > 0 {
		return joinFieldErrors(errs)
	}
	*b = got
	return nil
}

// MarshalJSON writes the known fields and then the extra ones by name.
func (b BadPatch) MarshalJSON() ([]byte, error) {
	type plain BadPatch
	return marshalWithExtra(plain(b), jsonNames(reflect.TypeFor[BadPatch]()), b.Extra)
}

func joinFieldErrors(errs []*FieldError) error {
	joined := make([]error, len(errs))
	for i, e := range errs {
		joined[i] = e
	}
	return errors.Join(joined...)
}

// decodeInstance decodes one record; rec reports where it is and under what
// key. It reports every field that is wrong.
func decodeInstance(raw []byte, rec rawRecord, languages Languages) (Instance, []*FieldError) {
	raw, broken := wellFormed(raw, rec.start)
	if broken != nil {
		return Instance{}, []*FieldError{broken}
	}
	r, wrong := newRecord(raw, "")
	if wrong != nil {
		return Instance{}, []*FieldError{wrong}
	}
	r.languages = languages
	in := Instance{}
	format := formatOf(r)
	if format == FormatMultiSWEBench {
		r.fromMultiSWEBench(&in)
	}
	r.instance(&in, format)
	if in.ID == "" {
		in.ID = safeID(rec.key)
	}
	if format != "" && in.Provenance == nil {
		in.Provenance = &Provenance{Format: format}
	}
	in.Extra = r.extra()
	return in, r.errs
}

// instance takes the fields of SWE-bench's form and of assay's. What in holds
// already stays, where the record has no such field.
func (r *record) instance(in *Instance, format string) {
	into := func(field *string, name, expected string) {
		if text := r.text(name, expected); text != "" {
			*field = text
		}
	}
	into(&in.ID, "instance_id", expectedID)
	in.ID = safeID(in.ID)
	if format != FormatMultiSWEBench {
		into(&in.Repo, "repo", expectedRepo)
	}
	into(&in.BaseCommit, "base_commit", expectedCommit)
	into(&in.Patch, "patch", expectedDiff)
	into(&in.TestPatch, "test_patch", expectedDiff)
	into(&in.ProblemStatement, "problem_statement", "a string")
	into(&in.HintsText, "hints_text", "a string or null")
	in.CreatedAt = r.moment("created_at")
	in.Version = r.textOrNumber("version")
	if ids := r.tests("FAIL_TO_PASS"); ids != nil {
		in.FailToPass = ids
	}
	if ids := r.tests("PASS_TO_PASS"); ids != nil {
		in.PassToPass = ids
	}
	r.imageFields(in, format)
	into(&in.Language, "language", r.languages.expected())
	if in.Language == "" && in.HasCommand() && !r.languages.touched(in.TestPatch+"\n"+in.Patch) {
		in.Language = otherLanguage(in.TestPatch, in.Patch)
	}
	if in.Language == "" {
		in.Language = r.languages.ofPatches(in.TestPatch, in.Patch)
	}
	in.Language, _ = r.languages.Normalise(in.Language)
	in.Env = r.env()
	in.BadPatches = r.badPatches()
	in.GoodVariants = r.goodVariants()
	in.Reviews = strictList[Review](r, "reviews", nil)
	in.Style = strictList(r, "style", func(s *StyleTask, i int) { s.Index = i })
	if style := r.styleReview(); in.Style == nil {
		in.Style = style
	}
	var p Provenance
	if r.strict("provenance", &p) {
		in.Provenance = &p
	}
}

// env takes assay's recipe. Lists that are empty are nil, as if they were
// absent.
func (r *record) env() *Env {
	var env Env
	if !r.strict("env", &env) {
		return nil
	}
	v := reflect.ValueOf(&env).Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if k := f.Kind(); (k == reflect.Slice || k == reflect.Map) && f.Len() == 0 {
			f.SetZero()
		}
	}
	return &env
}

// goodVariants takes the list of variants; one without idx has its position.
func (r *record) goodVariants() []GoodVariant {
	return strictList(r, "good_variants", func(v *GoodVariant, i int) { v.Index = i })
}

// strictList takes a list of objects of assay's own; preset fills in what a
// record at this position means when it leaves a field out.
func strictList[T any](r *record, name string, preset func(*T, int)) []T {
	raw, ok := r.take(name)
	if !ok {
		return nil
	}
	if raw[0] != '[' {
		r.fail(name, "a list of objects", raw)
		return nil
	}
	var out []T
	for i, element := range elements(raw) {
		path := fmt.Sprintf("%s%s[%d]", r.path, name, i)
		one := &record{fields: map[string]json.RawMessage{path: element}}
		var v T
		if preset != nil {
			preset(&v, i)
		}
		if !one.strict(path, &v) && len(one.errs) == 0 {
			one.fail(path, "an object", element)
		}
		r.errs = append(r.errs, one.errs...)
		out = append(out, v)
	}
	return out
}
