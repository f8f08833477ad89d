package card

import "assay/languages"

// enclosure makes a file of lines of a patch, in a language in which tests are
// found only inside of something that a patch seldom holds.
type enclosure struct {
	language string
	enclose  func(text string) string
}

func enclosures() []enclosure { return []enclosure{javaClass()} }

// formsOf are the texts in which the tests of a patch's lines are looked for.
func formsOf(l languages.Language, text string) []string {
	forms := []string{text}
	for _, e := range enclosures() {
		if e.language == l.About().Name {
			forms = append(forms, e.enclose(text))
		}
	}
	return forms
}
