package languages

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// setupList returns the texts of a list that setup.py gives by name, as an
// argument or a variable: tests_require=["pytest"], TESTS_REQUIRE = [...].
func setupList(text, name string) []finding {
	start := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(name) + `["']?\s*[=:]\s*[\[({]`)
	var out []finding
	for _, at := range start.FindAllStringIndex(text, -1) {
		for _, s := range literals(text, at[1]) {
			out = append(out, finding{s.value, "setup.py", s.line})
		}
	}
	return out
}

// literals are the texts in quotes up to the bracket that closes the one before
// from.
func literals(text string, from int) []finding {
	var out []finding
	depth := 1
	for i := from; i < len(text) && depth > 0; i++ {
		switch c := text[i]; c {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case '#':
			if end := strings.IndexByte(text[i:], '\n'); end >= 0 {
				i += end
			} else {
				return out
			}
		case '"', '\'':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return out
			}
			out = append(out, finding{text[i+1 : i+1+end], "", lineAt(text, i)})
			i += end + 1
		}
	}
	return out
}

// setupExtras are the names of extras that setup.py and setup.cfg offer.
func setupExtras(repo Repository) []finding {
	var out []finding
	text := repo.Text("setup.py")
	if strings.Contains(text, "extras_require") {
		key := regexp.MustCompile(`["']([A-Za-z0-9_-]+)["']\s*(?::\s*[^\s:]|\]\s*=)`)
		for _, m := range key.FindAllStringSubmatchIndex(text, -1) {
			out = append(out, finding{text[m[2]:m[3]], "setup.py", lineAt(text, m[2])})
		}
	}
	cfg := parseINI("setup.cfg", repo.Text("setup.cfg"))
	section := cfg.sections["options.extras_require"]
	for _, name := range slices.Sorted(maps.Keys(section)) {
		out = append(out, finding{name, "setup.cfg", section[name].line})
	}
	return out
}
