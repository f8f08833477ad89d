package languages

import (
	"slices"
	"strings"

	"assay/internal/patch"
)

// freshTests are those of a suite's tests that a test patch adds or changes,
// sorted; nil if they cannot be determined.
func freshTests(l Language, base patch.Tree, s Suite, touched []string) []string {
	contrib, err := contributed(l, base, s.Repo, intersection(s.Files, touched))
	if err != nil || len(s.Decisive) == 0 {
		return nil
	}
	ids := contrib.ids()
	slices.Sort(ids)
	return slices.Compact(ids)
}

// drawn are some of the tests that decide, those that are fresh before others:
// published ids may name a class or a file, most of whose tests call nothing
// of the fix. The draw is the same in all runs of an instance, as what gold's
// copies show excuses others.
func drawn(tests, fresh []string, most int) []string {
	isFresh := func(id string) bool { return slices.Contains(fresh, id) }
	isOld := func(id string) bool { return !isFresh(id) }
	out := drawnOf(slices.DeleteFunc(slices.Clone(tests), isOld), most)
	return append(out, drawnOf(slices.DeleteFunc(slices.Clone(tests), isFresh), most-len(out))...)
}

// drawnOf are some of the names, the same ones for the same names. It changes
// their order.
func drawnOf(names []string, most int) []string {
	draw := namesOf(nil, strings.Join(names, "\n"))
	var out []string
	for len(out) < most && len(names) > 0 {
		i := draw.next(len(names))
		out = append(out, names[i])
		names = slices.Delete(names, i, i+1)
	}
	return out
}

// takenIn reports whether a word occurs in any of the suite's files. A copy gets a
// name that does not occur, so that a test of that name is the copy, also in a
// class that inherits it.
func takenIn(suite Suite) func(word string) bool {
	var texts []string
	return func(word string) bool {
		if texts == nil {
			for _, f := range suite.Files {
				texts = append(texts, suite.Repo.Text(f))
			}
		}
		return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) })
	}
}
