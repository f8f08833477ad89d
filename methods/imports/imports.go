// Package imports repairs the imports of test code that a model wrote: it looks
// in the repository for what a name means, and for modules that do not exist.
package imports

import (
	"slices"
	"strings"

	"assay/languages/syntax"
	"assay/methods/outline"
)

// Repository is where names are looked for.
type Repository interface {
	Paths() []string
	Read(path string) ([]byte, error)
}

// Finder finds import statements for one test file. It is not safe for
// concurrent use.
type Finder struct {
	repo  Repository
	path  string // of the test file
	lang  language
	texts map[string][]byte

	modules map[string]string // see pythonModules
}

// NewFinder returns a finder for the file at path, which may not exist yet.
func NewFinder(language string, repo Repository, path string) *Finder {
	return &Finder{repo: repo, path: path, lang: languageOf(language), texts: map[string][]byte{}}
}

// Correct returns the statements that stand for one that a model wrote: itself,
// unless it asks the repository for what is not there and what was meant is
// found elsewhere.
func (f *Finder) Correct(statement string) []string { return f.lang.correct(f, statement) }

// For returns the statement that imports a name, as the repository's files write
// it: one of their own imports, those of tests first, or an import from the file
// that defines it. It returns false if the name is not found.
func (f *Finder) For(name string) (string, bool) { return f.lang.find(f, name) }

// Fallback is the statement for a name that was not found; "" for none.
func (f *Finder) Fallback(name string) string { return f.lang.fallback(name) }

// Unknown returns the names that lines of a source use and that nothing declares
// or imports there, as far as its syntax shows, sorted. It returns nil for a
// language where only a linter can find them.
func (f *Finder) Unknown(src []byte, lines []syntax.Range) []string {
	return f.lang.unknown(f, src, lines)
}

// Inner are the import statements inside of functions on these lines.
func Inner(language string, src []byte, lines []syntax.Range) []Statement {
	return languageOf(language).inner(src, lines)
}

// Statement is an import statement in a source.
type Statement struct {
	Text       string
	Start, End int // bytes
	Indent     string
}

// Split takes import statements that are outside of functions out of code.
func Split(language, code string) (statements []string, rest string) {
	code = outline.Dedent(language, code)
	parsed, err := syntax.Parse(language, []byte(code))
	if err != nil || len(parsed.Imports) == 0 {
		return nil, code
	}
	lines := strings.Split(code, "\n")
	var kept []string
	for i, line := range lines {
		in := slices.IndexFunc(parsed.Imports, func(r syntax.Range) bool { return i+1 >= r.Start && i+1 <= r.End })
		if in < 0 {
			kept = append(kept, line)
			continue
		}
		if r := parsed.Imports[in]; r.Start == i+1 {
			statements = append(statements, strings.TrimSpace(strings.Join(lines[r.Start-1:min(r.End, len(lines))], "\n")))
		}
	}
	return statements, outline.Dedent(language, strings.Join(kept, "\n"))
}

// Add puts statements into a source: into the functions on the given lines where
// the language allows that and inside is set, else at its head. Those that are
// there already are left out.
func Add(language string, src []byte, lines []syntax.Range, inside bool, statements []string) []byte {
	l := languageOf(language)
	for _, s := range statements {
		if s == "" || has(l.name, src, s) {
			continue
		}
		if inside && l.inside != nil {
			if out, ok := l.inside(src, lines, s); ok {
				src = out
				continue
			}
		}
		src = atHead(l, src, s)
	}
	return src
}

// has reports whether a source has a statement at its head.
func has(language string, src []byte, statement string) bool {
	parsed, err := syntax.Parse(language, src)
	if err != nil {
		return false
	}
	lines := strings.Split(string(src), "\n")
	return slices.ContainsFunc(parsed.Imports, func(r syntax.Range) bool {
		return squeezed(strings.Join(lines[r.Start-1:min(r.End, len(lines))], "\n")) == squeezed(statement)
	})
}

// squeezed is a statement in which blanks are as they mostly are: "#  include" is
// "#include".
func squeezed(s string) string {
	return strings.Replace(strings.Join(strings.Fields(s), " "), "# ", "#", 1)
}

// atHead puts a statement after the last one of its kind before the first symbol,
// or after what comes before imports.
func atHead(l language, src []byte, statement string) []byte {
	lines := strings.Split(string(src), "\n")
	at := l.head(lines)
	if parsed, err := syntax.Parse(l.name, src); err == nil && parsed.HeadImports() > 0 {
		at = min(parsed.HeadImports(), len(lines))
	}
	end := ""
	if strings.HasSuffix(lines[0], "\r") {
		end = "\r"
	}
	return []byte(strings.Join(slices.Insert(lines, at, statement+end), "\n"))
}

// text reads a file of the repository; nil where it cannot be read.
func (f *Finder) text(p string) []byte {
	if t, ok := f.texts[p]; ok {
		return t
	}
	t, err := f.repo.Read(p)
	if err != nil {
		t = nil
	}
	f.texts[p] = t
	return t
}

// mentioning are the files of the language that hold a word, those of tests
// first, then by name.
func (f *Finder) mentioning(word string, of func(path string) bool) []string {
	var tests, rest []string
	for _, p := range f.repo.Paths() {
		if !of(p) || !hasWord(f.text(p), word) {
			continue
		}
		if f.lang.isTest(p) {
			tests = append(tests, p)
		} else {
			rest = append(rest, p)
		}
	}
	return append(tests, rest...)
}

// most is the statement that occurs most, the first of those that are even; ""
// for none.
func most(statements []string) string {
	count := map[string]int{}
	best := ""
	for _, s := range statements {
		count[s]++
	}
	for _, s := range statements {
		if best == "" || count[s] > count[best] {
			best = s
		}
	}
	return best
}

// Replaced is the source with other statements in the place of this one.
func (s Statement) Replaced(src []byte, by []string) []byte {
	return slices.Concat(src[:s.Start], []byte(strings.Join(by, "\n"+s.Indent)), src[s.End:])
}
