package collect

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/bench"
	"assay/internal/mirror"
	"assay/languages"
)

var (
	changelogName  = regexp.MustCompile(`(?i)^(?:change(?:s|log|_log|-log)?|news|history|release(?:s|[-_ ]?notes)?|whats[-_]?new)(?:[-_.].*)?$`)
	changelogDir   = regexp.MustCompile(`(?i)^(?:change(?:s|logs?)|news|newsfragments?|fragments?|changelog\.d|changes\.d|news\.d|whatsnew|whats_new|releases?|release[-_]?notes|upcoming_changes|towncrier)$`)
	fragmentName   = regexp.MustCompile(`^(?:[a-z]+[-_.])?(\d{1,6})(?:[-_.][A-Za-z][\w.-]*)?$`)
	changelogIssue = regexp.MustCompile(`(?i)(?:#|\bGH-?|\bissues?[ :/#]+|:(?:issue|gh|ghissue|bug|iss):` + "`" + `#?)(\d{1,6})\b`)
)

// changelogSpecs are the pathspecs of what isChangelog may accept.
func changelogSpecs() []string {
	var specs []string
	for _, word := range []string{"change", "news", "history", "release", "whats", "fragment", "towncrier"} {
		specs = append(specs, ":(icase,glob)**/*"+word+"*", ":(icase,glob)**/*"+word+"*/**")
	}
	return specs
}

// isChangelog recognises changelogs and news fragments, which are text.
func isChangelog(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case "", ".md", ".rst", ".txt", ".adoc", ".xml", ".markdown", ".yml", ".yaml":
	default:
		return fragment(p) > 0 // 123.bugfix
	}
	dirs, name := path.Split(p)
	if changelogName.MatchString(strings.TrimSuffix(name, path.Ext(name))) {
		return true
	}
	return slices.ContainsFunc(strings.Split(dirs, "/"), changelogDir.MatchString)
}

// fragment is the number in the name of a news fragment; 0 where there is none.
func fragment(p string) int {
	dirs, name := path.Split(p)
	m := fragmentName.FindStringSubmatch(name)
	if m == nil || isCode(name) || !slices.ContainsFunc(strings.Split(dirs, "/"), changelogDir.MatchString) {
		return 0
	}
	n, _ := strconv.Atoi(m[1]) // digits
	return n
}

// isCode recognises the sources of the languages that come with assay.
func isCode(name string) bool {
	return slices.ContainsFunc(bench.KnownLanguages(), func(l bench.Language) bool { return l.IsRelated(name) })
}

// fromFiles are the links in what a change adds to files: names of news
// fragments, lines of changelogs, names of tests. The lines of the changelogs
// are returned as well.
func (p patterns) fromFiles(l languages.Language, added []mirror.AddedLines) (links []Link, changelog []string) {
	add := func(number string, by By) {
		if link, ok := p.issue("", number, by); ok {
			links = append(links, link)
		}
	}
	for _, f := range added {
		switch {
		case isChangelog(f.Path):
			if n := fragment(f.Path); n > 0 {
				add(strconv.Itoa(n), ByFragment)
			}
			for _, line := range f.Lines {
				for _, m := range changelogIssue.FindAllStringSubmatch(line, -1) {
					add(m[1], ByChangelog)
				}
				changelog = append(changelog, line)
			}
		case languages.IsTest(l, f.Path):
			names := declaredTests(l, f)
			if f.New {
				names = append([]string{path.Base(f.Path)}, names...)
			}
			for _, number := range inTestNames(names) {
				add(number, ByTestName)
			}
		}
	}
	return strongest(links), changelog
}

// declaredTests are the names of the tests that the added lines of a file
// declare, without path and class.
func declaredTests(l languages.Language, f mirror.AddedLines) []string {
	tests, err := l.Tests(f.Path, []byte(strings.Join(f.Lines, "\n")))
	if err != nil {
		return nil
	}
	var names []string
	for _, t := range tests {
		parts := strings.Split(t.ID, "::")
		names = append(names, parts[len(parts)-1])
	}
	return names
}

// inTestNames are the numbers of issues in names of tests or of their files.
func inTestNames(names []string) []string {
	var numbers []string
	for _, name := range names {
		for _, m := range testNumber.FindAllStringSubmatch(name, -1) {
			if plainNumber.MatchString(m[1]) {
				numbers = append(numbers, m[1])
			}
		}
	}
	return numbers
}
