package badpatch

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"assay/llm"
	"assay/llm/prompts"
)

// Label is what is wrong with a bad patch.
type Label struct {
	Category Category
	Kind     Kind
	// Fallback says why it is by the rule although a model was asked; empty
	// where the model's word stands.
	Fallback string
}

// Categorise has a model say what is wrong with a bad patch (OmniCode, appendix
// A). Where its answer cannot be read it is told so and asked once more; then,
// and where it does not answer at all, the candidate's own category stands, or
// that of CategoryOf where it has none. Errors are of type *FatalError.
func (a Asker) Categorise(ctx context.Context, s *Subject, c Candidate) (Label, error) {
	data := prompts.BadPatchCategoriseData{Problem: s.instance.ProblemStatement, Gold: s.instance.Patch, BadPatch: c.Patch}
	text, err := a.Prompts.Render(prompts.BadPatchCategorise, data)
	if err != nil {
		return Label{}, &FatalError{fmt.Errorf("asking for a category: %w", err)}
	}
	talk := []llm.Message{{Role: llm.User, Text: text}}
	reason := ""
	for try := range 2 {
		answer, err := a.Client.Complete(ctx, llm.Request{
			Model: a.Model, Messages: talk, MaxTokens: defaultTokens, Sample: try, Purpose: "category/" + s.instance.ID,
		})
		if cause, mine := aboutOne(err); mine {
			reason = cause
			break
		}
		if err != nil {
			return Label{}, &FatalError{fmt.Errorf("asking for a category: %w", err)}
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
	return s.ruled(c, reason), nil
}

func readLabel(answer string) (Label, error) {
	category, e1 := prompts.ReadCategory(answer)
	kind, e2 := prompts.ReadKind(answer)
	if err := errors.Join(e1, e2); err != nil {
		return Label{}, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return Label{Category: Category(category), Kind: Kind(strings.ToLower(kind))}, nil
}

// ruled is the label without a model.
func (s *Subject) ruled(c Candidate, reason string) Label {
	label := Label{c.Category, c.Kind, reason}
	if label.Category == "" {
		label.Category, label.Kind = CategoryOf(s, c.Patch)
	}
	if label.Kind == "" {
		label.Kind = kindOf(label.Category)
	}
	return label
}
