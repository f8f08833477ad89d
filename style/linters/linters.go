// Package linters holds assay's linters: how each is installed, run and read,
// and the rules that count by default. Each is in files of its own; what they
// share is here.
package linters

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"assay/style"
)

//go:embed rules
var rules embed.FS // never written

// Rules is assay's own rule list for a linter.
func Rules(linter string) (style.RuleFile, error) {
	name := path.Join("rules", linter+".yaml")
	data, err := rules.ReadFile(name)
	if err != nil {
		return style.RuleFile{}, fmt.Errorf("no rule list for linter %q", linter)
	}
	return style.ParseRules(name, data)
}

// tools is where linters are installed in an environment.
const tools = "/opt/assay/"

// quote makes one word of POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func quoteAll(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		// Otherwise treated as an option, or for a file of arguments.
		if strings.HasPrefix(w, "-") || strings.HasPrefix(w, "@") {
			w = "./" + w
		}
		out[i] = quote(w)
	}
	return strings.Join(out, " ")
}

// All lists assay's linters. Of the linters of one language the first is the
// default.
func All() []style.Linter {
	return []style.Linter{Pylint{}, PMD{}, Checkstyle{}, ClangTidy()}
}

// Default returns a registry of assay's linters.
func Default() *style.Linters { return style.NewLinters(All()...) }

// table reads lines of two words: the names that a tool knows, and where each
// belongs.
func table(name string) (map[string]string, error) {
	data, err := rules.ReadFile(name)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, line := range strings.Split(string(data), "\n") {
		if word, place, ok := strings.Cut(line, " "); ok {
			out[word] = place
		}
	}
	return out, nil
}
