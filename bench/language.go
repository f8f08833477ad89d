package bench

import (
	"path"
	"slices"
	"strings"
)

// Language describes a programming language: its names and the names of its
// files. Extensions are in lower case, with their dot. A file's extension is in
// one list of Sources, Headers, Fragments and Dialects at most.
type Language struct {
	Name    string   // in datasets, results and on the command line: cpp
	Title   string   // as people write it: C++
	Aliases []string // other spellings of the name, in lower case
	// Sources are files that a compiler, an interpreter or a linter is given.
	Sources []string
	// Headers are files that sources include, and that are code of their own.
	Headers []string
	// Fragments are read along with another file: stubs, bodies of templates.
	// Linters and parsers can read them.
	Fragments []string
	// Dialects are written like the language; linters do not read them, and
	// parsers do so with errors.
	Dialects []string
	// Tests are files that a test runner can be given, as they are written.
	Tests []string
	// Common are those of the extensions that other languages have as well,
	// so that they do not show a repository's language.
	Common []string
	// Column is the language's place in tables, which is that of the OmniCode
	// paper; 0 is after all others.
	Column int
	// BuildFiles are names of build files in lower case, or patterns of such.
	BuildFiles []string
}

// IsWhole reports whether a path is a source or a header.
func (l Language) IsWhole(p string) bool { return has(p, l.Sources, l.Headers) }

// IsCode reports whether a path is a source, a header or a fragment.
func (l Language) IsCode(p string) bool { return has(p, l.Sources, l.Headers, l.Fragments) }

// IsRelated reports whether a path is code of the language or of a dialect.
func (l Language) IsRelated(p string) bool { return l.IsCode(p) || has(p, l.Dialects) }

// IsRunnable reports whether a test runner can be given a file of that name.
func (l Language) IsRunnable(p string) bool { return slices.Contains(l.Tests, path.Ext(p)) }

func has(p string, lists ...[]string) bool {
	ext := strings.ToLower(path.Ext(p))
	return slices.ContainsFunc(lists, func(list []string) bool { return slices.Contains(list, ext) })
}

// IsCommon reports whether other languages have files of that extension, too.
func (l Language) IsCommon(p string) bool { return has(p, l.Common) }

// named reports whether a file's name, in lower case, shows the language.
func (l Language) named(name string) bool {
	return l.IsCode(name) && !l.IsCommon(name)
}

// builds reports whether a file's name, in lower case, is that of a build file.
func (l Language) builds(name string) bool {
	return slices.ContainsFunc(l.BuildFiles, func(pattern string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	})
}

// Languages are languages in their order. The first is the one that instances
// without a language have where their patches do not show it.
type Languages []Language

// KnownLanguages are the languages that assay comes with, in the order of the
// OmniCode paper.
func KnownLanguages() Languages { return Languages{python(), java(), cpp()} }

// Names lists the names.
func (ls Languages) Names() []string {
	names := make([]string, len(ls))
	for i, l := range ls {
		names[i] = l.Name
	}
	return names
}

// InTables lists the names of those that have a place in tables, in that order.
func (ls Languages) InTables() []string {
	placed := slices.DeleteFunc(slices.Clone(ls), func(l Language) bool { return l.Column == 0 })
	slices.SortStableFunc(placed, func(a, b Language) int { return a.Column - b.Column })
	return placed.Names()
}

// Normalise returns the name of a language for any of its usual spellings, or
// the name as it is and false.
func (ls Languages) Normalise(name string) (string, bool) {
	spelling := strings.ToLower(strings.TrimSpace(name))
	for _, l := range ls {
		if spelling == l.Name || slices.Contains(l.Aliases, spelling) {
			return l.Name, true
		}
	}
	return name, false
}

// Lookup returns the language of that name.
func (ls Languages) Lookup(name string) (Language, bool) {
	for _, l := range ls {
		if l.Name == name {
			return l, true
		}
	}
	return Language{}, false
}

// expected describes what a field must contain, for people.
func (ls Languages) expected() string { return "a language (" + strings.Join(ls.Names(), ", ") + ")" }

// DefaultLanguage is the language of instances that name none and whose patches
// do not show it: that of SWE-bench.
func DefaultLanguage() string { return python().Name }

// ofPatches guesses the language of an instance that names none, as those of
// OmniCode and SWE-bench do, from the files that its test patch touches most,
// or else its gold patch; where neither holds source code, from their build
// files. Without a majority it is the first, or the first of those that are
// even.
func (ls Languages) ofPatches(testPatch, patch string) string {
	for _, of := range []func(Language, string) bool{Language.named, Language.builds} {
		for _, diff := range []string{testPatch, patch} {
			if most := ls.mostTouched(diff, of); most != "" {
				return most
			}
		}
	}
	if len(ls) == 0 {
		return ""
	}
	return ls[0].Name
}

// mostTouched is the language of most files of a diff; "" where it has none.
func (ls Languages) mostTouched(diff string, of func(Language, string) bool) string {
	count := make([]int, len(ls))
	for line := range strings.Lines(diff) {
		if !strings.HasPrefix(line, "+++ ") && !strings.HasPrefix(line, "--- ") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimRight(line[4:], "\r\n"), "\t")
		name = strings.ToLower(path.Base(name))
		if i := slices.IndexFunc(ls, func(l Language) bool { return of(l, name) }); i >= 0 {
			count[i]++
		}
	}
	best, most := "", 0
	for i, n := range count {
		if n > most {
			best, most = ls[i].Name, n
		}
	}
	return best
}

// touched reports whether a diff touches a file of one of the languages.
func (ls Languages) touched(diff string) bool { return ls.mostTouched(diff, Language.named) != "" }
