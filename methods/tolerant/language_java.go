package tolerant

import (
	"regexp"

	"assay/languages"
)

var javaOpening = regexp.MustCompile(`^\s*package\s`)

func javaManner() manner {
	return manner{language: languages.Java, wrap: [2]string{"class Wrapped {", "}"}, membersOnly: true, braces: true, apart: 1, within: 1, opening: javaOpening}
}
