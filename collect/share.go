package collect

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"assay/languages"
)

// otherCode are extensions of languages that assay does not know: what they
// hold is code of a repository, too. C counts as code of its own, unless a known
// language takes it.
func otherCode() []string {
	return strings.Fields(`.adb .ads .asm .bash .c .clj .cljs .coffee .cr .cs .cu .d .dart .elm .erl .ex .exs .f .f90 .fs .go .groovy .hs .hx .jl .js .jsx .kt .kts .lisp .lua
		.m .ml .mli .mm .mjs .nim .pas .php .pl .pm .proto .pyx .r .rb .rkt .rs .s .scala .scm .sh .sol .sql .swift .tcl .ts .tsx .v .vb .vhd .vue .zig`)
}

// shares are the percentages of a repository's code, by bytes, in each known
// language.
func (s Source) shares(ctx context.Context) (map[string]float64, error) {
	tree, err := s.Repo.Tree(ctx, s.Head)
	if err != nil {
		return nil, err
	}
	sizes, err := tree.Sizes(ctx)
	if err != nil {
		return nil, err
	}
	return sharesOf(s.Languages, sizes), nil
}

// sharesOf gives a file to the first known language that it is code of.
func sharesOf(known *languages.Registry, sizes map[string]int64) map[string]float64 {
	other := otherCode()
	by, sum := map[string]int64{}, int64(0)
	for p, n := range sizes {
		names := known.Names()
		i := slices.IndexFunc(names, func(name string) bool { return known.Named(name).About().IsCode(p) })
		switch {
		case i >= 0:
			by[names[i]] += n
		case !slices.Contains(other, strings.ToLower(path.Ext(p))):
			continue
		}
		sum += n
	}
	shares := map[string]float64{}
	for name, n := range by {
		shares[name] = 100 * float64(n) / float64(max(sum, 1))
	}
	return shares
}

// byShare drops changes in languages that too little of the code is in.
func (w *search) byShare(ctx context.Context, changes []Change) error {
	if w.filter.MinShare <= 0 {
		return nil
	}
	shares, err := w.source.shares(ctx)
	if err != nil {
		return err
	}
	for i := range changes {
		c := &changes[i]
		if share := shares[c.Language]; c.Dropped == "" && share < float64(w.filter.MinShare) {
			c.Dropped, c.Detail = LanguageShare, fmt.Sprintf("%.0f %% of the code is in %s", share, c.Language)
		}
	}
	return nil
}
