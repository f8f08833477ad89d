package languages

import (
	"path"
	"regexp"
	"strings"
)

var javaPackage = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;?`)

// javaClass is the qualified name of the class that a source file of tests
// holds; "" for what is compiled to no class of its name: package-info.java,
// sources among resources, scripts.
func javaClass(repo Repository, file string) string {
	name := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if name == "package-info" || name == "module-info" || strings.Contains("/"+file, "/resources/") {
		return ""
	}
	text := repo.Text(file)
	if !declares(text, name) {
		return ""
	}
	if m := javaPackage.FindStringSubmatch(text); m != nil {
		return m[1] + "." + name
	}
	return name
}

// declares looks for "class NAME" and its relatives.
func declares(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before := strings.Fields(tail(rest[:i], 40))
		after := rest[i+len(name):]
		if n := len(before); n > 0 && (after == "" || !isWord(after[0]) && after[0] != '$') {
			switch before[n-1] {
			case "class", "interface", "enum", "record", "object", "@interface":
				return true
			}
		}
		rest = after
	}
}

// tail is the end of a text, of at most n bytes.
func tail(text string, n int) string {
	if len(text) > n {
		return text[len(text)-n:]
	}
	return text
}

// javaTestNames are the classes of the suite's files.
func javaTestNames(suite Suite) []string {
	var out []string
	for _, f := range suite.Files {
		if c := javaClass(suite.Repo, f); c != "" {
			out = append(out, c)
		}
	}
	return out
}
