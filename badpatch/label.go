package badpatch

import "context"

// Label is what is wrong with a bad patch.
type Label struct {
	Category Category
	Kind     MistakeKind
	// Fallback explains why it is by the rule although a model was asked;
	// empty where the model's answer is used.
	Fallback string
}

// Labeller puts a candidate into a category. A *FatalError ends the work.
type Labeller interface {
	Categorise(ctx context.Context, s *Subject, c Candidate) (Label, error)
}

// label has the kept patches put into categories.
func (g Generator) label(ctx context.Context, s *Subject, made *Made) error {
	if g.Labels == nil {
		return nil
	}
	for _, i := range made.kept() {
		l, err := g.Labels.Categorise(ctx, s, made.Trials[i].Candidate)
		if err != nil {
			return err
		}
		made.Trials[i].Category, made.Trials[i].Kind = l.Category, l.Kind
	}
	return nil
}
