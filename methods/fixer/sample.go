package fixer

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/badpatch/searchreplace"
	"assay/bench"
	"assay/llm/prompts"
	"assay/methods"
)

// sampled is an answer that can be used: a patch.
type sampled struct {
	number int // of the sample, from 0
	patch  string
	form   string // the changed files in normal form: equal for equal code
}

// sample asks for patches. It leaves out answers that cannot be used. The error is
// that of the call at which asking ended.
func (w *work) sample(ctx context.Context, all []shown) ([]sampled, error) {
	text, err := w.Template(prompts.FixerRepair, w.codeData(all, false))
	if err != nil {
		return nil, err
	}
	var out []sampled
	n := w.Count(setSamples)
	for i := range n {
		p := methods.Say(text).At(w.Number(setTemperature))
		if i == 0 {
			p = p.At(0)
		}
		p.Sample, p.Samples = i, n
		answer, err := w.Ask(ctx, fmt.Sprintf("repair/%d", i), p)
		if err != nil {
			return out, err
		}
		s, why, err := w.read(all, answer)
		if err != nil {
			return out, err
		}
		if why != "" {
			w.Note(fmt.Sprintf("repair/%d unusable", i), nil, why)
			continue
		}
		s.number = i
		out = append(out, s)
	}
	return out, nil
}

// SamplesFile is the name of the file of all samples, as predictions, in the
// attempt's folder agent/.
const SamplesFile = "samples.jsonl"

// keep writes the samples down as predictions, each by a name of its own: for assay
// filter, and as attempts of which bad patches are made.
func (w *work) keep(samples []sampled) error {
	var out bytes.Buffer
	for _, s := range samples {
		p := bench.Prediction{InstanceID: w.Task().Name, Model: fmt.Sprintf("fixer-sample+%s#%d", w.Model(), s.number+1), Patch: s.patch, Task: w.Task().Kind}
		if err := bench.WritePrediction(&out, p); err != nil {
			return fmt.Errorf("writing the samples: %w", err)
		}
	}
	w.Keep(SamplesFile, out.Bytes())
	return nil
}

// read makes a patch from an answer, or returns why that is not possible.
func (w *work) read(all []shown, answer methods.Answer) (s sampled, why string, err error) {
	if answer.Cut {
		return s, "it was cut off by the limit on its length", nil
	}
	blocks, err := searchreplace.Parse(answer.Text)
	if err != nil {
		return s, err.Error(), nil
	}
	var allowed []searchreplace.File
	for _, f := range all {
		allowed = append(allowed, searchreplace.File{Path: f.path, Text: f.text, Spans: f.spans})
	}
	edits, no := searchreplace.Place(allowed, blocks)
	if no != nil {
		return s, no.Why, nil
	}
	texts, why := w.edited(edits)
	if why != "" {
		return s, why, nil
	}
	s.form = w.formOf(texts)
	s.patch, err = w.Patch(texts)
	return s, "", err
}

// edited are the changed files. Edits that change no code, or break the syntax,
// give a reason.
func (w *work) edited(edits map[string][]code.Edit) (texts map[string][]byte, why string) {
	texts = map[string][]byte{}
	changed := false
	language := w.Task().Language.About().Name
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		f := w.files[path]
		text, ok := code.Apply(f.text, edits[path])
		if !ok {
			return nil, "edits overlap in " + path
		}
		if parsed, err := w.Parse(text); err == nil && parsed.Errors > f.errors {
			return nil, path + " does not parse any more"
		}
		changed = changed || code.Normalise(language, text) != code.Normalise(language, f.text)
		texts[path] = text
	}
	if !changed {
		return nil, "it changes no code"
	}
	return texts, ""
}

// formOf is the same for texts with the same code: comments and layout do not
// count, nor do files in which nothing else changes.
func (w *work) formOf(texts map[string][]byte) string {
	language := w.Task().Language.About().Name
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		form := code.Normalise(language, texts[path])
		if form != code.Normalise(language, w.files[path].text) {
			b.WriteString(path + "\x00" + form + "\x00")
		}
	}
	return b.String()
}
