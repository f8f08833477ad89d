package reports

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pythonNames turns dotted names into paths and classes.
type pythonNames struct {
	resolve func(dotted string) (path string, classes []string)
}

// split returns the path and classes of a dotted name. Where nothing resolves
// it, classes begin at the first part that starts in upper case, or else
// after the last part that is named as pytest wants modules to be.
func (n pythonNames) split(dotted string) (path string, classes []string) {
	if n.resolve != nil {
		if path, classes := n.resolve(dotted); path != "" {
			return path, classes
		}
	}
	parts := strings.Split(dotted, ".")
	module := len(parts)
	for i, part := range parts {
		if strings.HasPrefix(part, "test_") || strings.HasSuffix(part, "_test") {
			module = i + 1
		}
	}
	for i, part := range parts {
		if i > 0 && classLike(part) {
			module = i
			break
		}
	}
	return modulePath(parts[:module]), parts[module:]
}

func modulePath(parts []string) string { return strings.Join(parts, "/") + ".py" }

func classLike(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "_"))
	return unicode.IsUpper(r)
}

// nodeID joins a path with the names within.
func nodeID(path string, within ...string) string {
	var id strings.Builder
	id.WriteString(path)
	for _, w := range within {
		if w != "" {
			id.WriteString("::")
			id.WriteString(w)
		}
	}
	return id.String()
}

// dottedFile is the dotted form in which pytest writes a file into
// classname.
func dottedFile(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(file, ".py"), "/", ".")
}
