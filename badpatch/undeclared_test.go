package badpatch

import "testing"

// FuzzDangles: a name is looked for in any text in normal form without a
// failure, also next to its ends.
func FuzzDangles(f *testing.F) {
	f.Add("value.text value:text::value", "value")
	f.Add("text", "text")
	f.Fuzz(func(t *testing.T, form, name string) {
		if name == "" {
			t.Skip("a declaration has a name")
		}
		novelty{name: name}.dangles([]string{form})
		novelty{name: name, bare: true}.dangles([]string{form})
	})
}
