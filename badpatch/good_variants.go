package badpatch

import "context"

// variants keeps the rewrites of gold that resolve the instance every time.
func (g Generator) variants(ctx context.Context, r *runner, s *Subject, made *Made) error {
	if g.Rewrites == nil {
		return nil
	}
	all, err := g.Rewrites(s)
	if err != nil {
		return err
	}
	for _, v := range all {
		if len(made.Variants) == g.Options.Variants {
			return nil
		}
		ok, err := r.resolves(ctx, v.Patch)
		if err != nil {
			return err
		}
		if !ok {
			made.RefusedVariants++
			continue
		}
		v.Index = len(made.Variants)
		made.Variants = append(made.Variants, v)
	}
	return nil
}
