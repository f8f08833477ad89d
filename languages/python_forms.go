package languages

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// pythonForm is a way of asserting, and the body of a test that uses it wrongly.
type pythonForm struct{ name, body string }

// mostForms bounds the nonce tests of one run.
const mostForms = 30

var (
	// assertingCall is a statement that calls something named after what it
	// does; a with statement, too.
	assertingCall = regexp.MustCompile(`(?m)^[ \t]+(?:async[ \t]+)?(?:with[ \t]+)?((?:[A-Za-z_]\w*\.)*\w*(?:[aA]ssert|[rR]aises|[wW]arns|\.fail\b)\w*)[ \t]*\(`)
	bareAssert    = regexp.MustCompile(`(?m)^[ \t]+assert[ \t(]`)
	mockAssert    = regexp.MustCompile(`\.assert_(?:not_|any_|has_)?(?:called|calls)`)
	approximation = regexp.MustCompile(`\b((?:[A-Za-z_]\w*\.)*(?:approx|isclose|allclose|array_equal))[ \t]*\(`)
)

// pythonForms are the ways of asserting in the files, those used most first.
// What a call takes is not known: it is tried with several arguments, of which
// some must make it fail. One that takes none of them fails with a message of
// its own, with the gold patch as well.
func pythonForms(suite Suite, files []string) []pythonForm {
	count := map[string]int{}
	var rest []pythonForm
	bare, mocks := false, false
	for _, f := range files {
		text := suite.Repo.Text(f)
		known := importedNames(text)
		for _, m := range assertingCall.FindAllStringSubmatch(text, -1) {
			if name := m[1]; reachable(name, known) {
				count[name]++
			}
		}
		for _, m := range approximation.FindAllStringSubmatch(text, -1) {
			if reachable(m[1], known) {
				count["assert "+m[1]]++
			}
		}
		bare, mocks = bare || bareAssert.MatchString(text), mocks || mockAssert.MatchString(text)
	}
	if bare {
		rest = append(rest,
			pythonForm{"assert ==", "        left, right = [1], [2]\n        assert left == right\n"},
			pythonForm{"assert", "        value = []\n        assert value, \"no value\"\n"})
	}
	if mocks {
		rest = append(rest, pythonForm{"mock", "        from unittest import mock\n        mock.Mock().assert_called_once_with(1)\n"})
	}
	names := sortedKeys(count)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	for _, name := range names[:min(len(names), mostForms)] {
		rest = append(rest, pythonForm{name, formBody(name)})
	}
	return rest
}

// reachable reports whether a dotted name begins with what a nonce test has.
func reachable(name string, imported map[string]bool) bool {
	first, rest, dotted := strings.Cut(name, ".")
	if first == "self" {
		return dotted && !strings.Contains(rest, ".")
	}
	return imported[first]
}

var importedName = regexp.MustCompile(`(?:\bimport\s+|,\s*|\bas\s+|\(\s*|^\s*)([A-Za-z_]\w*)`)

// importedNames are the names that a module's top-level imports may bind.
func importedNames(text string) map[string]bool {
	out := map[string]bool{}
	for _, block := range importBlocks(text) {
		for _, line := range block {
			line, _, _ = strings.Cut(line, "#")
			for _, m := range importedName.FindAllStringSubmatch(line, -1) {
				out[m[1]] = true
			}
		}
	}
	return out
}

// formBody calls the function with several arguments. A call that refuses their
// number or kind says nothing.
func formBody(name string) string {
	if function, ok := strings.CutPrefix(name, "assert "); ok {
		return fmt.Sprintf("        check = %s\n        try:\n            same = check(1.0) == 2.0\n        except TypeError:\n            same = check(1.0, 2.0)\n        assert same\n", function)
	}
	return fmt.Sprintf(`        check = %s
        for given in [(False,), (True,), (None,), (1,), (1, 2), (1, 1), (2, 1), (1, []), (1, [1]), ("a", "b"), ("a", "a"), (1, str), ([1], [2]), (1, 2, 3)]:
            try:
                check(*given)
            except TypeError:
                pass
        for given in [(ValueError,), (UserWarning,), (ValueError, "a"), ()]:
            try:
                with check(*given):
                    pass
            except (TypeError, AttributeError):
                pass
`, name)
}
