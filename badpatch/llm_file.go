package badpatch

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"strings"

	"assay/languages/syntax"
	"assay/llm"
	"assay/llm/prompts"
)

// WholeFile is OmniCode's own recipe (appendix B): a model gets a file with
// gold in it, and gives it back with a mistake. It suits files that a model can
// write in one go; an answer that was cut, or is prose, is asked for again.
type WholeFile struct {
	Asker
	Tries   int // for each file; 0 means 3
	Samples int // of each file; 0 means 1
	Refused func(cause string)
}

// maxWhole is the longest file that is asked for, in bytes.
const maxWhole = 64 << 10

// Name is llm.
func (WholeFile) Name() string { return "llm" }

// Candidates asks for each file of gold's in turn.
func (w WholeFile) Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		for sample := range orElse(w.Samples, 1) {
			for _, f := range s.files {
				if f.gold == nil || len(f.after) > maxWhole {
					continue
				}
				c, ok, err := w.sample(ctx, s, f, sample)
				if err != nil {
					yield(Candidate{}, &FatalError{err})
					return
				}
				if ok && !yield(c, nil) {
					return
				}
			}
		}
	}
}

func (w WholeFile) sample(ctx context.Context, s *Subject, f *change, sample int) (Candidate, bool, error) {
	data := prompts.BadPatchFileData{Path: f.path, Text: string(f.after)}
	for try := range orElse(w.Tries, 3) {
		text, err := w.Prompts.Render(prompts.BadPatchFile, data)
		if err != nil {
			return Candidate{}, false, err
		}
		answer, err := w.ask(ctx, "badpatch/"+s.instance.ID, text, sample*100+try, nil)
		if stops(ctx, err) {
			return Candidate{}, false, err
		}
		if err != nil {
			w.refuse("the model gave no answer")
			return Candidate{}, false, nil
		}
		file, cause, why := s.wholeFile(f, answer)
		if why == "" {
			diff, err := s.diff(map[string][]byte{f.path: file}, true)
			if err != nil {
				return Candidate{}, false, err
			}
			return w.candidate(s, f, diff, sample), true, nil
		}
		w.refuse(cause)
		data.Retry = append(data.Retry, why)
	}
	return Candidate{}, false, nil
}

func (w WholeFile) candidate(s *Subject, f *change, diff string, sample int) Candidate {
	c := Candidate{
		Patch: diff, Source: "llm", Operator: "whole-file", Seed: uint64(sample),
		Detail: Detail{Path: f.path, What: "rewritten by " + w.Model},
	}
	c.Category, c.Kind = CategoryOf(s, diff)
	return c
}

func (w WholeFile) refuse(cause string) {
	if w.Refused != nil {
		w.Refused(cause)
	}
}

// wholeFile reads the file out of an answer.
func (s *Subject) wholeFile(f *change, answer llm.Response) (file []byte, cause, why string) {
	if answer.Stop == llm.StopLength {
		return nil, "cut short", "the answer ended before the file did"
	}
	text := unfenced(answer.Text, f.after)
	if bytes.HasSuffix(f.after, []byte("\n")) && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if bytes.Contains(f.after, []byte("\r\n")) && !strings.Contains(text, "\r\n") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if 2*len(text) < len(f.after) {
		return nil, "cut short", fmt.Sprintf("the answer has %d bytes, the file %d: give the whole file", len(text), len(f.after))
	}
	if _, errs, err := syntax.Nodes(s.Language, []byte(text)); err != nil || errs > f.gold.errors {
		return nil, "does not parse", "the answer does not parse: give nothing but the file"
	}
	if cause, why = s.unfit(map[string][]byte{f.path: []byte(text)}); why != "" {
		return nil, cause, why
	}
	return []byte(text), "", ""
}

// unfenced takes a code fence off, and what is said around it. A file with
// fences of its own is taken as it is, unless the answer begins with one.
func unfenced(answer string, file []byte) string {
	if bytes.Contains(file, []byte("```")) && !strings.HasPrefix(strings.TrimSpace(answer), "```") {
		return answer
	}
	_, rest, ok := strings.Cut("\n"+answer, "\n```")
	if !ok {
		return answer
	}
	if _, rest, ok = strings.Cut(rest, "\n"); !ok { // the fence's language
		return answer
	}
	if end := strings.LastIndex("\n"+rest, "\n```"); end >= 0 {
		return rest[:end]
	}
	return rest
}
