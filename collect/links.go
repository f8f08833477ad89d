package collect

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// patterns are what links to issues look like in the messages of a repository.
type patterns struct {
	repo string // owner/name, in lower case
	// pull reports whether a number is a pull request's.
	pull func(int) bool
}

var (
	comment     = regexp.MustCompile(`(?s)<!--.*?-->`)
	closingWord = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b\s*:?\s*`)
	filler      = regexp.MustCompile(`^(?i)(?:(?:the|this|an?|issues?|bugs?|tickets?|problems?|reports?|github|in|from|as|part|of)\b[\s:]*){0,4}`)
	reference   = regexp.MustCompile(`^(?i)[\[(<]*(?:https?://[\w.-]+/([\w.-]+/[\w.-]+)/(?:-/)?issues/(\d{1,6})|([\w.-]+/[\w.-]+)?#(\d{1,6})|GH-?(\d{1,6}))\b(?:#[\w-]+)?[\])>]*`)
	separator   = regexp.MustCompile(`^(?i)\s*(?:,\s*and\b|,|&|\+|/|\band\b|\bor\b)\s*(?:(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b\s*:?\s*)?`)
	trailer     = regexp.MustCompile(`(?im)^[ \t]*(?:fix(?:es|ed)?|closes?|closed|resolves?|resolved|(?:github-|gh-)?issues?|bugs?|bug-url|tickets?|gh-issue)\s*:[ \t]*(.+)$`)
	issueWord   = regexp.MustCompile(`(?i)\b(?:issue|bug|ticket)s?\b[\s:]*$`)
	bareNumber  = regexp.MustCompile(`^()()()()(\d{1,6})\b`) // as reference's last group
	plainNumber = regexp.MustCompile(`^\d{1,6}$`)
	mention     = regexp.MustCompile(`(?i)(?:https?://[\w.-]+/[\w.-]+/[\w.-]+/(?:-/)?issues/\d{1,6}|(?:\b[\w.-]+/[\w.-]+)?#\d{1,6}|\bGH-\d{1,6})\b`)
	// plainMention is "issue 291". One digit counts things, or is a step's.
	plainMention = regexp.MustCompile(`(?i)\b(?:issue|bug|ticket)\s+(?:no\.?\s+|number\s+)?(\d{2,6})(?:$|[^\w.%-]|[.-](?:\W|$))`)
	subjectKey   = regexp.MustCompile(`^\W{0,2}([A-Z][A-Z0-9]{1,14}-\d{1,6})\b`)
	notKey       = regexp.MustCompile(`^(?:UTF|ISO|SHA|CVE|RFC|GH|PR|JDK|JEP|PEP|CWE|MD|UTC|WIP)-`)
	// testNumber needs a border before the word: "test_high_1" is about no
	// issue of GitHub.
	testNumber = regexp.MustCompile(`(?:(?:^|[^A-Za-z])(?i:issue|gh|bug|github|ticket)|[A-Za-z](?:Issue|Bug|Git[Hh]ub|Ticket)|[a-z](?:Gh|GH|ISSUE|BUG))s?[_-]?(\d+)`)
)

// links are the issues that the messages name, the strongest naming of each.
// Numbers of pull requests are not issues.
func (p patterns) links(messages []string) []Link {
	var found []Link
	for i, text := range messages {
		text = comment.ReplaceAllString(text, " ")
		for _, at := range closingWord.FindAllStringIndex(text, -1) {
			found = append(found, p.list(text[at[1]:], ByClosingWord)...)
		}
		for _, m := range trailer.FindAllStringSubmatch(text, -1) {
			found = append(found, p.value(strings.TrimSpace(m[1]))...)
		}
		if m := subjectKey.FindStringSubmatch(text); m != nil && !notKey.MatchString(m[1]) {
			found = append(found, Link{m[1], ByKey})
		}
		if i == 0 || !mergeNoise(text) {
			found = append(found, p.mentions(text)...)
		}
	}
	return strongest(found)
}

func (p patterns) mentions(text string) []Link {
	var found []Link
	for _, m := range mention.FindAllString(text, -1) {
		found = append(found, p.list(m, ByMention)...)
	}
	for _, m := range plainMention.FindAllStringSubmatch(text, -1) {
		if l, ok := p.issue("", m[1], ByMention); ok {
			found = append(found, l)
		}
	}
	return found
}

// mergeNoise recognises the messages of merges inside a branch, which name what
// they merge.
func mergeNoise(text string) bool { return strings.HasPrefix(text, "Merge ") }

// list reads "issue #1, #2 and owner/name#3" at the beginning of a text.
func (p patterns) list(text string, by By) []Link {
	var found []Link
	lead := filler.FindString(text)
	text = text[len(lead):]
	for {
		m := reference.FindStringSubmatch(text)
		if m == nil && issueWord.MatchString(lead) {
			m = bareNumber.FindStringSubmatch(text)
		}
		if m == nil {
			return found
		}
		if l, ok := p.issue(m[1]+m[3], m[2]+m[4]+m[5], by); ok {
			found = append(found, l)
		}
		text = text[len(m[0]):]
		next := separator.FindString(text)
		if next == "" {
			return found
		}
		text = text[len(next):]
		text = text[len(filler.FindString(text)):]
	}
}

// value reads what follows a trailer's colon: references, or a number alone.
func (p patterns) value(text string) []Link {
	if plainNumber.MatchString(text) {
		if l, ok := p.issue("", text, ByTrailer); ok {
			return []Link{l}
		}
		return nil
	}
	return p.list(text, ByTrailer)
}

// issue is a link to a number, where it is an issue of this repository.
func (p patterns) issue(repo, number string, by By) (Link, bool) {
	n, err := strconv.Atoi(number)
	if err != nil || n == 0 || p.pull(n) {
		return Link{}, false
	}
	if repo != "" && !strings.EqualFold(repo, p.repo) {
		return Link{}, false
	}
	return Link{strconv.Itoa(n), by}, true
}

// strongest keeps the strongest link to each issue, strongest first.
func strongest(links []Link) []Link {
	slices.SortStableFunc(links, func(a, b Link) int { return strength(a.By) - strength(b.By) })
	seen := map[string]bool{}
	return slices.DeleteFunc(links, func(l Link) bool {
		again := seen[l.Issue]
		seen[l.Issue] = true
		return again
	})
}

func strength(by By) int {
	return slices.Index([]By{ByEvent, ByClosingWord, ByTrailer, ByKey, ByFragment, ByChangelog, ByTestName, ByMention}, by)
}
