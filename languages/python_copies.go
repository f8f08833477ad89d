package languages

import "strings"

// mostCopies bounds how many tests run once more: each costs what the test
// itself costs.
const mostCopies = 4

// pythonCopy is a test of the suite's, and the name that its copy gets.
type pythonCopy struct {
	Of   string `json:"of"` // canonical id, without parameters
	Name string `json:"name"`
}

// pythonCopies chooses among the tests that decide, as the nonce says. A run of
// some tests alone has none: it only adds to a run that had.
func pythonCopies(suite Suite) []pythonCopy {
	if len(suite.Decisive) == 0 || len(suite.Select) > 0 {
		return nil
	}
	var known []string
	text := ""
	for _, f := range suite.Files {
		tests, err := syntaxTests(Python, f, []byte(suite.Repo.Text(f)))
		if err != nil {
			continue
		}
		text += suite.Repo.Text(f)
		for _, t := range tests {
			known = append(known, t.ID)
		}
	}
	set := map[string]bool{}
	find := pythonLanguage{}.Finder(known)
	for _, id := range suite.Decisive {
		bare, _, _ := strings.Cut(id, "[")
		if found := find(bare); len(found) == 1 {
			set[found[0]] = true
		}
	}
	return namedCopies(drawn(sortedKeys(set), suite.Fresh, mostCopies), newNonceNames(suite, suite.Files), text)
}

// namedCopies gives each copy a name that no file holds.
func namedCopies(tests []string, names *nonceNames, text string) []pythonCopy {
	var out []pythonCopy
	for _, of := range tests {
		name := names.test()
		for strings.Contains(text, name) {
			name = names.test()
		}
		out = append(out, pythonCopy{Of: of, Name: name})
	}
	return out
}

// copiesOf are the ids of the copies.
func copiesOf(copies []pythonCopy) []NonceCopy {
	var out []NonceCopy
	for _, c := range copies {
		out = append(out, NonceCopy{Of: c.Of, ID: c.Of[:strings.LastIndex(c.Of, "::")+2] + c.Name})
	}
	return out
}
