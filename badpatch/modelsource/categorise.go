package modelsource

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/badpatch"
	"assay/badpatch/category"
	"assay/llm"
	"assay/llm/prompts"
)

// Categorise has a model describe what is wrong with a bad patch (OmniCode,
// appendix A). Where its answer cannot be read it is asked again with the
// error; after that, and where it does not answer at all, the candidate keeps
// its own category, or gets that of CategoryOf. Errors are of type
// *FatalError.
func (a Asker) Categorise(ctx context.Context, s *badpatch.Subject, c badpatch.Candidate) (badpatch.Label, error) {
	data := prompts.BadPatchCategoriseData{Problem: s.Instance.ProblemStatement, Gold: s.Instance.Patch, BadPatch: c.Patch}
	text, err := a.Prompts.Render(prompts.BadPatchCategorise, data)
	if err != nil {
		return badpatch.Label{}, &FatalError{fmt.Errorf("asking for a category: %w", err)}
	}
	talk := []llm.Message{{Role: llm.User, Text: text}}
	reason := ""
	for try := range 2 {
		answer, err := a.Client.Complete(ctx, llm.Request{
			Model: a.Model, Messages: talk, MaxTokens: defaultTokens, Sample: try, Purpose: "category/" + s.Instance.ID,
		})
		if cause, mine := aboutOne(err); mine {
			reason = cause
			break
		}
		if err != nil {
			return badpatch.Label{}, &FatalError{fmt.Errorf("asking for a category: %w", err)}
		}
		label, err := readLabel(answer.Text)
		if err == nil {
			return label, nil
		}
		reason = err.Error()
		if strings.TrimSpace(answer.Text) != "" { // no provider takes an empty turn
			again := "That cannot be read: " + reason + ". Answer with the two lines and nothing else."
			talk = append(talk, llm.Message{Role: llm.Assistant, Text: answer.Text}, llm.Message{Role: llm.User, Text: again})
		}
	}
	return ruled(s, c, reason), nil
}

func readLabel(answer string) (badpatch.Label, error) {
	category, e1 := prompts.ReadCategory(answer)
	kind, e2 := prompts.ReadKind(answer)
	if err := errors.Join(e1, e2); err != nil {
		return badpatch.Label{}, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return badpatch.Label{Category: badpatch.Category(category), Kind: badpatch.MistakeKind(strings.ToLower(kind))}, nil
}

// ruled is the label without a model.
func ruled(s *badpatch.Subject, c badpatch.Candidate, reason string) badpatch.Label {
	label := badpatch.Label{Category: c.Category, Kind: c.Kind, Fallback: reason}
	if label.Category == "" {
		label.Category, label.Kind = category.Of(s, c.Patch)
	}
	if label.Kind == "" {
		label.Kind = category.KindOf(label.Category)
	}
	return label
}
