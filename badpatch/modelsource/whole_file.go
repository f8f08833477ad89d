package modelsource

import (
	"cmp"
	"context"
	"iter"

	"assay/badpatch"
	"assay/badpatch/category"
	"assay/llm"
	"assay/llm/prompts"
)

// WholeFile is OmniCode's own recipe (section 3.2.2 and appendix B): a model
// gets a file with gold in it, and gives it back with a mistake. It suits files
// that a model can write in one go; an answer that is cut, or no file at all,
// is asked for again with the reason. What such an answer changes in comments
// and layout is taken back.
type WholeFile struct {
	Asker
	Tries   int // for each sample; 0 means 3
	Samples int // of each file; 0 means 1
	// Refused is called with the cause of each answer that could not be used;
	// it may be nil.
	Refused func(cause string)
}

var _ badpatch.Costly = WholeFile{}

// maxWhole is the longest file that is asked for, in bytes: longer ones do not
// fit into an answer of most models.
const maxWhole = 64 << 10

// Name is llm.
func (WholeFile) Name() string { return "llm" }

// Costly says that every answer costs.
func (WholeFile) Costly() {}

// Candidates asks for each file of gold's in turn, then for the next sample.
// Errors are of type *FatalError.
func (w WholeFile) Candidates(ctx context.Context, s *badpatch.Subject) iter.Seq2[badpatch.Candidate, error] {
	return func(yield func(badpatch.Candidate, error) bool) {
		for sample := range cmp.Or(w.Samples, 1) {
			for _, f := range s.Files {
				if f.Gold == nil || len(f.After) == 0 || len(f.After) > maxWhole {
					continue
				}
				c, ok, err := w.sample(ctx, s, f, sample)
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

func (w WholeFile) sample(ctx context.Context, s *badpatch.Subject, f *badpatch.ChangedFile, sample int) (c badpatch.Candidate, ok bool, err error) {
	ok, err = w.insist(ctx, question{
		purpose: "badpatch/" + s.Instance.ID, prompt: prompts.BadPatchFile,
		data: func(whys []string) any {
			return prompts.BadPatchFileData{Path: f.Path, Text: string(f.After), Retry: whys}
		},
		// Code has about three bytes a token.
		sample: sample, tries: cmp.Or(w.Tries, 3), tokens: max(defaultTokens, len(f.After)/2+defaultTokens/2), refused: w.Refused,
		read: func(answer llm.Response) *refusal {
			text, no := wholeFile(s, f, answer)
			if no == nil {
				c, no = mistaken(s, map[string][]byte{f.Path: text})
			}
			return no
		},
	})
	if !ok || err != nil {
		return c, false, err
	}
	c.Operator, c.Seed, c.Detail.What = "whole-file", uint64(sample), "rewritten by "+w.Model
	c.Category, c.Kind = category.Of(s, c.Patch)
	return c, true, nil
}
