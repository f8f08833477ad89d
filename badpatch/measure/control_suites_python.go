package measure

import (
	"fmt"
	"strings"

	"assay/languages"
)

func pythonForm() suiteForm {
	return suiteForm{
		language: languages.Python, separator: "::", head: "def ",
		renamed: func(text, name, suffix string) string {
			return strings.Replace(text, "def "+name, "def "+name+suffix, 1)
		},
		failing: func(text, name string) string {
			indent, self := indentOf(text), ""
			if indent != "" {
				self = "self"
			}
			return fmt.Sprintf("%sdef %s(%s):\n%s    assert False\n", indent, name, self, indent)
		},
	}
}
