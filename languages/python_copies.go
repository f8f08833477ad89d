package languages

import "strings"

// mostCopies bounds how many tests run again: each costs what the test itself
// costs.
const mostCopies = 4

// pythonCopy is a test of the suite's, and the names that its copies get.
type pythonCopy struct {
	Of     string `json:"of"` // canonical id, without parameters
	Name   string `json:"name"`
	Values string `json:"values,omitempty"` // the name of a copy that expects other values
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

// namedCopies gives each copy names that no file holds.
func namedCopies(tests []string, names *nonceNames, text string) []pythonCopy {
	var out []pythonCopy
	next := func() string {
		name := names.test()
		for strings.Contains(text, name) {
			name = names.test()
		}
		return name
	}
	for _, of := range tests {
		out = append(out, pythonCopy{Of: of, Name: next(), Values: next()})
	}
	return out
}

// copiesOf are the ids of the copies.
func copiesOf(copies []pythonCopy) []NonceCopy {
	var out []NonceCopy
	for _, c := range copies {
		place := c.Of[:strings.LastIndex(c.Of, "::")+2]
		out = append(out, NonceCopy{Of: c.Of, ID: place + c.Name}, NonceCopy{Of: c.Of, ID: place + c.Values, Values: true})
	}
	return out
}
