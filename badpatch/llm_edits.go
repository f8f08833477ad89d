package badpatch

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"assay/languages/syntax"
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
	// Refused hears, by cause, of answers that could not be used; nil means
	// nobody does.
	Refused func(cause string)
}

// Name is llm.
func (Edits) Name() string { return "llm" }

// Candidates asks for each strategy in turn, then for the next sample.
func (e Edits) Candidates(ctx context.Context, s *Subject) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		files := s.editables()
		if len(files) == 0 {
			return
		}
		r := rand.New(rand.NewPCG(s.Seed, 5))
		for sample := range orElse(e.Samples, 2) {
			for _, st := range strategies() {
				hints := slices.Clone(st.hints)
				r.Shuffle(len(hints), func(i, j int) { hints[i], hints[j] = hints[j], hints[i] })
				c, ok, err := e.sample(ctx, s, files, st, hints[:3], sample)
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

func orElse(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// sample asks until an answer can be used.
func (e Edits) sample(ctx context.Context, s *Subject, files []editable, st strategy, hints []string, sample int) (Candidate, bool, error) {
	data := e.data(s, files, st, hints)
	for try := range orElse(e.Tries, 3) {
		text, err := e.Prompts.Render(prompts.BadPatchEdits, data)
		if err != nil {
			return Candidate{}, false, err
		}
		temperature := e.Temperature
		if temperature == 0 {
			temperature = 0.9
		}
		answer, err := e.ask(ctx, "badpatch/"+s.instance.ID, text, sample*100+try, &temperature)
		if stops(ctx, err) {
			return Candidate{}, false, err
		}
		if err != nil {
			e.refuse("the model gave no answer")
			return Candidate{}, false, nil
		}
		diff, cause, why := s.edited(files, answer.Text)
		if why == "" {
			return Candidate{
				Patch: diff, Source: "llm", Operator: "edits/" + st.short, Category: st.category, Kind: kindOf(st.category),
				Seed: uint64(sample), Detail: Detail{What: strings.ToLower(st.Name) + ", by " + e.Model},
			}, true, nil
		}
		e.refuse(cause)
		data.Retry = why
	}
	return Candidate{}, false, nil
}

func (e Edits) refuse(cause string) {
	if e.Refused != nil {
		e.Refused(cause)
	}
}

func kindOf(c Category) Kind {
	if c == Partial {
		return KindPartial
	}
	return KindIncorrect
}

// edited lays an answer's blocks on gold. cause is for counting, why for the
// model.
func (s *Subject) edited(files []editable, answer string) (diff, cause, why string) {
	blocks, err := parseReplacements(answer)
	if err != nil {
		return "", "no search/replace blocks", err.Error()
	}
	edits, err := placeAll(files, blocks)
	if err != nil {
		return "", "blocks that do not fit", err.Error()
	}
	texts := map[string][]byte{}
	for _, f := range files {
		if len(edits[f.path]) == 0 {
			continue
		}
		text, ok := apply(f.text, edits[f.path])
		if !ok {
			return "", "blocks that do not fit", "two blocks change the same lines"
		}
		texts[f.path] = text
	}
	if cause, why = s.unfit(texts); why != "" {
		return "", cause, why
	}
	diff, err = s.diff(texts, true)
	if err != nil {
		return "", "blocks that do not fit", err.Error()
	}
	return diff, "", ""
}

// unfit says why texts in place of gold's make no candidate.
func (s *Subject) unfit(texts map[string][]byte) (cause, why string) {
	same := true
	for _, f := range s.files {
		text, ok := texts[f.path]
		if !ok {
			continue
		}
		same = same && Normalise(s.Language, text) == Normalise(s.Language, f.after)
		_, errs, err := syntax.Nodes(s.Language, text)
		if err != nil || f.gold != nil && errs > f.gold.errors {
			return "does not parse", "with it, " + f.path + " does not parse any more"
		}
	}
	if same {
		return "same code as gold", "with it, the code does the same as with the correct patch"
	}
	return "", ""
}

// editables are gold's files with the functions that it changes.
func (s *Subject) editables() []editable {
	var out []editable
	for _, f := range s.files {
		if f.gold == nil {
			continue
		}
		v := view{f, f.gold, f.goldLines()}
		e := editable{path: f.path, text: f.after}
		for _, n := range v.scopes() {
			e.spans = append(e.spans, span{n.Line, f.gold.endLine(n)})
		}
		if len(e.spans) > 0 {
			out = append(out, e)
		}
	}
	return out
}

func (e Edits) data(s *Subject, files []editable, st strategy, hints []string) prompts.BadPatchEditsData {
	d := prompts.BadPatchEditsData{
		Problem: s.instance.ProblemStatement, Gold: s.instance.Patch, FailingTests: s.instance.FailToPass,
		Strategy: st.Strategy, Hints: hints,
	}
	for _, f := range files {
		all := lines(f.text)
		for _, sp := range f.spans {
			var text strings.Builder
			for _, l := range all[sp.start-1 : min(sp.end, len(all))] {
				text.Write(l)
			}
			d.Functions = append(d.Functions, prompts.Function{
				Path: f.path, Name: fmt.Sprintf("lines %d to %d", sp.start, sp.end), Start: sp.start, End: sp.end, Text: text.String(),
			})
			d.Ranges = append(d.Ranges, prompts.Range{Path: f.path, Start: sp.start, End: sp.end})
		}
	}
	return d
}
