package card

import (
	"strings"

	"assay/languages"
)

// javaClass puts methods into a class. Its base makes JUnit 3's methods tests.
func javaClass() enclosure {
	return enclosure{languages.Java, func(text string) string {
		return "class TestIt extends TestCase {\n" + balanced(text) + "}\n"
	}}
}

// balanced leaves out lines that close what the text does not open, and closes
// what it leaves open: a patch may begin and end inside of a method.
func balanced(text string) string {
	var out strings.Builder
	depth := 0
	for line := range strings.Lines(text) {
		change := strings.Count(line, "{") - strings.Count(line, "}")
		if depth+change < 0 {
			continue
		}
		depth += change
		out.WriteString(line)
	}
	return out.String() + strings.Repeat("}\n", depth)
}
