package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
)

// cppUse are the signs of a framework: the name of a header that is included,
// and macros at a place where tests use them.
type cppUse struct {
	name           string
	header, macros *regexp.Regexp
}

var (
	gtestUse   = cppUse{"gtest", regexp.MustCompile(`^(?:gtest|gmock)/`), regexp.MustCompile(`(?m)^\s*(TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(`)}
	doctestUse = cppUse{"doctest", regexp.MustCompile(`doctest`), regexp.MustCompile(`(SUBCASE)\s*\(`)}
	catchUse   = cppUse{"catch2", regexp.MustCompile(`catch`), regexp.MustCompile(`(SECTION)\s*\(|(?m:^)\s*(TEST_CASE)\s*\(`)}
)

// cppUses are the frameworks in the order in which they count.
func cppUses() []cppUse { return []cppUse{gtestUse, doctestUse, catchUse} }

// in is the first sign of the framework in a file; "" where there is none.
// Macros of the project's own by the same names do not count.
func (u cppUse) in(repo Repository, file string) string {
	text := repo.Text(file)
	best, at := "", len(text)
	for _, m := range includeLine.FindAllStringSubmatchIndex(text, -1) {
		if u.header.MatchString(text[m[2]:m[3]]) {
			best, at = text[m[0]:m[1]], m[0]
			break
		}
	}
	own := map[string]bool{} // of names that were looked up
	for _, m := range u.macros.FindAllStringSubmatchIndex(text, -1) {
		if m[0] >= at {
			break
		}
		name := text[max(m[2], 0):max(m[3], 0)]
		if m[2] < 0 {
			name = text[m[4]:m[5]]
		}
		is, known := own[name]
		if !known {
			is = u.ownMacro(repo, file, name)
			own[name] = is
		}
		if !is {
			return strings.TrimSpace(text[m[0]:m[1]])
		}
	}
	return strings.TrimSpace(best)
}

// ownMacro reports whether a file or a header of the project that it includes
// defines the macro, and none of them includes the framework.
func (u cppUse) ownMacro(repo Repository, file, macro string) bool {
	definition := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+` + macro + `\b`)
	defined := false
	files := []string{file}
	for i := 0; i < len(files) && i < mostHeaders; i++ {
		text := repo.Text(files[i])
		defined = defined || definition.MatchString(text)
		for _, m := range includeLine.FindAllStringSubmatch(text, -1) {
			if u.header.MatchString(m[1]) {
				return false
			}
			for _, p := range headersNamed(repo, path.Dir(files[i]), m[1]) {
				if !slices.Contains(files, p) {
					files = append(files, p)
				}
			}
		}
	}
	return defined
}

// mostHeaders bounds how many headers are read for one file.
const mostHeaders = 200

// includeLine is an #include directive, with the name.
var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]`)

// headersNamed are the files that an #include in a folder may mean: the one
// next to it, else all whose paths end with the name.
func headersNamed(repo Repository, dir, name string) []string {
	name = path.Clean(name)
	nextTo, below := path.Join(dir, name), "/"+name
	var out []string
	for _, p := range repo.Paths() {
		if p == nextTo {
			return []string{p}
		}
		if p == name || strings.HasSuffix(p, below) {
			out = append(out, p)
		}
	}
	return out
}

// cppFramework looks at the test files themselves.
func cppFramework(repo Repository, testFiles []string) (string, bench.Decision) {
	for _, f := range testFiles {
		for _, use := range cppUses() {
			if at := use.in(repo, f); at != "" {
				return use.name, bench.Decision{
					Field: "framework", Value: use.name, Why: "the test file says so: " + at, File: f, Line: lineOf(repo.Text(f), at),
				}
			}
		}
	}
	return "ctest", bench.Decision{Field: "framework", Value: "ctest", Why: "no test file uses GoogleTest, Catch2 or doctest"}
}

// frameworkIn is the framework that a file's tests are written with, where the
// run's own does not say it.
func frameworkIn(repo Repository, file, framework string) string {
	if framework != "ctest" {
		return framework
	}
	for _, use := range cppUses() {
		if use.in(repo, file) != "" {
			return use.name
		}
	}
	return framework
}
