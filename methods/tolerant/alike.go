package tolerant

import (
	"strings"

	"assay/languages/syntax"
	"assay/methods/nearest"
)

// alike is the only symbol of the file whose name is nearly that of a piece: it
// differs in case and underscores, or in a few letters.
func (d *document) alike(p syntax.Symbol) (syntax.Symbol, bool) {
	most := len(p.Name) / 6
	var found []syntax.Symbol
	for _, s := range d.symbols() {
		if (s.Kind == syntax.Class) != (p.Kind == syntax.Class) {
			continue
		}
		a, b := folded(s.Name), folded(p.Name)
		if a == b || nearest.Distance(a, b) <= most {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return syntax.Symbol{}, false
	}
	return found[0], true
}

func folded(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
