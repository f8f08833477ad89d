package languages

import (
	"fmt"
	"regexp"
	"slices"
	"time"
)

// interpreter chooses the version of Python: the newest that the most trusted
// list names, that the package allows, and that had been out for some months.
func (r *pythonRules) interpreter() {
	if r.env.Python != "" {
		return
	}
	allowed := settledBy(r.facts.Created)
	requires, limited := requiresPython(r.facts.Repo)
	if limited {
		allowed = slices.DeleteFunc(allowed, func(v string) bool { return !satisfies(v, requires.value) })
	}
	if at, ok := translated(r.facts.Repo); ok && slices.Contains(allowed, "2.7") {
		r.python("2.7", "the sources are Python 2's: they are translated when the package is built for 3", at)
		return
	}
	for _, list := range pythonLists(r.facts.Repo) {
		var versions []string
		for _, f := range list {
			versions = append(versions, f.value)
		}
		if v := newestOf(versions, allowed); v != "" {
			at := list[slices.Index(versions, v)]
			r.python(v, "the newest listed version that had been out for six months", at)
			return
		}
	}
	r.pythonByDate(allowed, requires)
}

// pythonByDate chooses where no list helps. Without a date and without a list
// the machine's own Python does.
func (r *pythonRules) pythonByDate(allowed []string, requires finding) {
	if r.facts.Created.IsZero() && satisfies("3.11", requires.value) {
		r.python("3.11", "no list of versions and no date", requires)
		return
	}
	if r.facts.Created.Before(twoAlone()) && slices.Contains(allowed, "2.7") {
		r.python("2.7", "no list of versions, and older than 2015", requires)
		return
	}
	old := settledBy(r.facts.Created.AddDate(0, -12, 0))
	both := slices.DeleteFunc(slices.Clone(old), func(v string) bool { return !slices.Contains(allowed, v) })
	switch {
	case len(both) > 0:
		r.python(both[len(both)-1], "no list of versions: the newest that had been out for a year and a half", requires)
	case len(allowed) > 0:
		r.python(allowed[0], "the oldest version that the package allows", requires)
	default:
		r.python(oldestAllowed(requires.value), "the package asks for a version that was hardly out", requires)
	}
}

// twoAlone is the day before which a project that names no versions is
// treated as one of Python 2.
func twoAlone() time.Time { return time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC) }

var uses2to3 = regexp.MustCompile(`(?m)^[^#\n]*use_?2to3`)

// translated reports where the build or the CI turns the sources into Python 3
// by 2to3.
func translated(repo Repository) (finding, bool) {
	for _, file := range []string{"setup.py", ".travis.yml", "tox.ini"} {
		text := repo.Text(file)
		if at := uses2to3.FindStringIndex(text); at != nil {
			return finding{file: file, line: lineAt(text, at[1])}, true
		}
	}
	return finding{}, false
}

// oldestAllowed is the oldest version within a range; 3.11 where there is none.
func oldestAllowed(specifier string) string {
	for _, rel := range pythonReleases() {
		if satisfies(rel.version, specifier) {
			return rel.version
		}
	}
	return "3.11"
}

// python settles the version, or the nearest one that is available.
func (r *pythonRules) python(version, why string, at finding) {
	found, ok := nearest(version, r.facts.Pythons)
	r.env.Python = version
	if ok && found.Version != version {
		why += fmt.Sprintf("; where it is not available, %s is used", found.Version)
	}
	r.decide("python", version, why, at)
}
