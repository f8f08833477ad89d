package measure

import (
	"strings"

	"assay/languages"
)

func cppForm() suiteForm {
	return suiteForm{
		language: languages.Cpp, separator: ".", head: "{",
		// The name may also be that of the suite, which comes first.
		renamed: func(text, name, suffix string) string {
			i := strings.LastIndex(text[:strings.Index(text, "{")], name)
			if i < 0 {
				return text
			}
			return text[:i+len(name)] + suffix + text[i+len(name):]
		},
		failing: func(text, _ string) string {
			if head := strings.TrimSpace(text); strings.HasPrefix(head, "TEST(") || strings.HasPrefix(head, "TEST_F(") {
				return braced(text, `FAIL() << "never";`)
			}
			return braced(text, `FAIL("never");`)
		},
	}
}
