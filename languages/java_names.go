package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// javaNames makes names of classes and tests from the words that a test
// file's own have, so that only a secret distinguishes them.
type javaNames struct{ *nonceNames }

var (
	javaMethod   = regexp.MustCompile(`\b(?:void|fun)\s+` + "`?" + `(\w+)`)
	javaNameWord = regexp.MustCompile(`^[a-z]{3,}$`)
)

func newJavaNames(suite Suite, file string) javaNames {
	set := map[string]bool{"value": true, "default": true, "result": true, "empty": true, "input": true, "order": true}
	for _, m := range javaMethod.FindAllStringSubmatch(suite.Repo.Text(file), 200) {
		for _, w := range nameWords(m[1]) {
			if javaNameWord.MatchString(w) && w != "test" {
				set[w] = true
			}
		}
	}
	return javaNames{namesOf(set, suite.Nonce)}
}

// class is a name that no file of a test file's folder has, made as that file's.
func (n javaNames) class(suite Suite, file string) string {
	dir, base := path.Dir(file), strings.TrimSuffix(path.Base(file), path.Ext(file))
	before, after := "", "Test"
	for _, ending := range []string{"Tests", "TestCase"} {
		if strings.HasSuffix(base, ending) {
			after = ending
		}
	}
	if strings.HasPrefix(base, "Test") && !strings.HasSuffix(base, after) {
		before, after = "Test", ""
	}
	for {
		name := before + n.camel(2) + after
		taken := func(p string) bool {
			return path.Dir(p) == dir && strings.TrimSuffix(path.Base(p), path.Ext(p)) == name
		}
		if !slices.ContainsFunc(suite.Repo.Paths(), taken) {
			return name
		}
	}
}

// test is a name that was not given yet. It begins as JUnit 3 wants it.
func (n javaNames) test() string {
	for {
		if name := "test" + n.camel(2); !n.used[name] {
			n.used[name] = true
			return name
		}
		if len(n.used) > 20 {
			n.words = append(n.words, n.joined(1)[0]+"again")
		}
	}
}

// camel is some words in CamelCase.
func (n javaNames) camel(count int) string {
	name := ""
	for _, w := range n.joined(count) {
		name += strings.ToUpper(w[:1]) + w[1:]
	}
	return name
}
