package tolerant

import (
	"regexp"

	"assay/languages"
)

// javaMemberClass recognises modifiers that only a class in another one may have.
var javaMemberClass = regexp.MustCompile(`\b(?:private|protected|static)\b[^(;={]*\b(?:class|interface|enum|record)\s`)

var javaOpening = regexp.MustCompile(`^\s*package\s`)

func javaManner() manner {
	return manner{language: languages.Java, wrap: [2]string{"class Wrapped {", "}"}, membersOnly: true, memberClass: javaMemberClass, braces: true, apart: 1, within: 1, opening: javaOpening}
}
