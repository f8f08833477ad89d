package linters

import (
	"path"
	"slices"
	"strings"

	"assay/style"
)

// ConfigPath implements style.ConfigReader.
func (Pylint) ConfigPath(p string) style.ConfigKind {
	switch strings.ToLower(path.Base(p)) {
	case "setup.cfg", "tox.ini", "pyproject.toml":
		return style.SharedConfig
	}
	words := wordsOf(p)
	return ownIf(slices.Contains(words, "pylintrc") || isData(p) && slices.Contains(words, "pylint"))
}

// ConfigPath implements style.ConfigReader.
func (PMD) ConfigPath(p string) style.ConfigKind {
	name := strings.ToLower(path.Base(p))
	return ownIf(name == ".pmd" || isData(p) && (slices.Contains(wordsOf(p), "pmd") || strings.Contains(name, "ruleset")))
}

// ConfigPath implements style.ConfigReader.
func (Checkstyle) ConfigPath(p string) style.ConfigKind {
	switch strings.ToLower(path.Base(p)) {
	case "sun_checks.xml", "google_checks.xml", "suppressions.xml", "import-control.xml":
		return style.OwnConfig
	}
	return ownIf(isData(p) && slices.ContainsFunc(wordsOf(p), func(w string) bool { return strings.Contains(w, "checkstyle") }))
}

// ConfigPath implements style.ConfigReader. The formatter's configuration
// (.clang-format) is not one.
func (clangTidy) ConfigPath(p string) style.ConfigKind {
	name := strings.ToLower(path.Base(p))
	switch name {
	case ".clang-tidy", ".clang-tidy-ignore", ".clangd":
		return style.OwnConfig
	}
	return ownIf(isData(p) && strings.Contains(name, "clang-tidy"))
}

func ownIf(holds bool) style.ConfigKind {
	if holds {
		return style.OwnConfig
	}
	return style.NoConfig
}

// wordsOf are the words of a path.
func wordsOf(p string) []string {
	return strings.FieldsFunc(strings.ToLower(p), func(r rune) bool { return strings.ContainsRune("/._-", r) })
}

// isData reports whether a file holds settings, by its extension.
func isData(p string) bool {
	data := []string{".xml", ".json", ".txt", ".yml", ".yaml", ".properties", ".toml", ".cfg", ".ini", ".csv"}
	return slices.Contains(data, path.Ext(strings.ToLower(path.Base(p))))
}
