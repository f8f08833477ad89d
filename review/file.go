package review

import (
	"path"
	"strings"

	"assay/bench"
	"assay/languages"
)

// dialectOf derives from a path how the file is written. Files that are not
// source, build or configuration file, or of an unknown kind, are not code.
func dialectOf(language, p string) (d dialect, code bool) {
	switch languages.Default().Named(language).Classify(p) {
	case languages.TestPath, languages.RunnerPath, languages.DocPath:
		return plain, false
	}
	return dialectByName(p)
}

// dialectByName derives from a name alone how the file is written.
func dialectByName(p string) (d dialect, code bool) {
	switch path.Base(p) {
	case "CMakeLists.txt", "Makefile", "makefile", "Dockerfile", "BUILD", "WORKSPACE":
		return hashed, true
	}
	if w, ok := writingOfFile(p); ok {
		return w.dialect, true
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".kt", ".groovy", ".gradle", ".scala", ".js", ".ts", ".rs", ".go", ".proto", ".css", ".m":
		return cLike, true
	case ".yml", ".yaml", ".toml", ".cfg", ".ini", ".conf", ".properties", ".cmake", ".sh", ".bzl", ".mk", ".rb":
		return hashed, true
	case ".json", ".xml", ".html", ".in", ".sql", ".csv", ".jj", ".g4", ".pro":
		return plain, true
	}
	return plain, false
}

// grammarOf is the language whose structure a file can be read by; empty where
// there is none.
func grammarOf(p string) string {
	for _, l := range bench.KnownLanguages() {
		if l.IsCode(p) {
			return l.Name
		}
	}
	return ""
}

// keyword recognises the words of a language that name nothing.
func keyword(w string) bool {
	switch w {
	case "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
		"False", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "None", "nonlocal", "not", "or",
		"pass", "raise", "return", "True", "try", "while", "with", "yield", "self", "cls",
		"abstract", "boolean", "byte", "case", "catch", "char", "const", "default", "do", "double", "enum", "extends",
		"final", "float", "goto", "implements", "instanceof", "int", "interface", "long", "native", "new", "null", "package",
		"private", "protected", "public", "short", "static", "super", "switch", "synchronized", "this", "throw", "throws",
		"true", "false", "void", "volatile", "auto", "bool", "constexpr", "decltype", "delete", "explicit", "extern",
		"friend", "inline", "mutable", "namespace", "noexcept", "nullptr", "operator", "signed", "sizeof", "struct",
		"template", "typedef", "typename", "union", "unsigned", "using", "virtual", "override":
		return true
	}
	return false
}
