package modelsource

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"assay/badpatch"
	"assay/badpatch/category"
	"assay/badpatch/code"
	"assay/badpatch/searchreplace"
	"assay/llm"
	"assay/llm/prompts"
)

// Edits is the source of mistakes that a model makes on purpose: one strategy
// a call, as search/replace blocks on top of gold, in the changed functions
// only. An answer that cannot be used is asked for again with the reason.
type Edits struct {
	Asker
	Samples     int     // of each strategy; 0 means 2
	Tries       int     // for each sample; 0 means 3
	Temperature float64 // 0 means 0.9
	Margin      int     // lines around a function that may be edited too; 0 means 3, below 0 none
	// Refused is called with the cause of each answer that could not be used;
	// it may be nil.
	Refused func(cause string)
}

var _ badpatch.Costly = Edits{}

// shownTests is how many fail-to-pass tests a prompt names.
const shownTests = 20

// Name is llm.
func (Edits) Name() string { return "llm" }

// Costly says that every answer costs.
func (Edits) Costly() {}

// Candidates asks for each strategy in turn, then for the next sample. Errors
// are of type *FatalError.
func (e Edits) Candidates(ctx context.Context, s *badpatch.Subject) iter.Seq2[badpatch.Candidate, error] {
	return func(yield func(badpatch.Candidate, error) bool) {
		files := targets(s, max(0, cmp.Or(e.Margin, defaultMargin)))
		if len(files) == 0 {
			return
		}
		for sample := range cmp.Or(e.Samples, 2) {
			for _, st := range strategies() {
				c, ok, err := e.sample(ctx, s, files, st, sample)
				if err != nil {
					yield(badpatch.Candidate{}, &FatalError{err})
					return
				}
				if ok && !yield(c, nil) {
					return
				}
			}
		}
	}
}

// sample asks until an answer can be used.
func (e Edits) sample(ctx context.Context, s *badpatch.Subject, files []openedFile, st strategy, sample int) (c badpatch.Candidate, ok bool, err error) {
	data := e.data(s, files, st, sample)
	temperature := cmp.Or(e.Temperature, 0.9)
	ok, err = e.insist(ctx, question{
		purpose: "badpatch/" + s.Instance.ID, prompt: prompts.BadPatchEdits,
		data: func(whys []string) any {
			if len(whys) > 0 {
				data.Retry = whys[len(whys)-1]
			}
			return data
		},
		sample: sample, tries: cmp.Or(e.Tries, 3), temperature: &temperature, refused: e.Refused,
		read: func(answer llm.Response) *refusal {
			texts, no := edited(s, files, answer)
			if no == nil {
				c, no = mistaken(s, texts)
			}
			return no
		},
	})
	c.Operator, c.Category, c.Kind, c.Seed = "edits/"+st.short, st.category, category.KindOf(st.category), uint64(sample)
	c.Detail.What = strings.ToLower(st.Name) + ", by " + e.Model
	return c, ok, err
}

func (e Edits) data(s *badpatch.Subject, files []openedFile, st strategy, sample int) prompts.BadPatchEditsData {
	tests := slices.Sorted(slices.Values(s.Instance.FailToPass))
	d := prompts.BadPatchEditsData{
		Problem: s.Instance.ProblemStatement, Gold: s.Instance.Patch, FailingTests: tests[:min(len(tests), shownTests)],
		Strategy: st.Strategy, Hints: st.draw(s.Seed, sample),
	}
	for _, f := range files {
		functions, ranges := f.functions()
		d.Functions, d.Ranges = append(d.Functions, functions...), append(d.Ranges, ranges...)
	}
	return d
}

// edited applies an answer's blocks to gold.
func edited(s *badpatch.Subject, files []openedFile, answer llm.Response) (map[string][]byte, *refusal) {
	if answer.Stop == llm.StopLength {
		return nil, &refusal{Cause: truncated, Why: "it was cut off by the limit on its length: give the blocks alone, with few lines each"}
	}
	blocks, err := searchreplace.Parse(answer.Text)
	if err != nil {
		return nil, &refusal{Cause: noBlock, Why: err.Error()}
	}
	var allowed []searchreplace.File
	for _, f := range files {
		allowed = append(allowed, f.File)
	}
	edits, no := searchreplace.Place(allowed, blocks)
	if no != nil {
		return nil, no
	}
	for _, f := range files {
		f.mirror(edits)
	}
	texts := map[string][]byte{}
	for _, f := range s.Files {
		if len(edits[f.Path]) == 0 {
			continue
		}
		text, ok := code.Apply(f.After, edits[f.Path])
		if !ok {
			return nil, &refusal{Cause: searchreplace.Overlapping, Why: "two blocks change the same lines of " + f.Path}
		}
		texts[f.Path] = text
	}
	return texts, nil
}
