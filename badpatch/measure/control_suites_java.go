package measure

import (
	"strings"

	"assay/languages"
)

func javaForm() suiteForm {
	return suiteForm{
		language: languages.Java, separator: "::", head: "{",
		renamed: func(text, name, suffix string) string {
			return strings.Replace(text, name+"(", name+suffix+"(", 1)
		},
		failing: func(text, _ string) string { return braced(text, `throw new AssertionError("never");`) },
	}
}
