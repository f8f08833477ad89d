package collect

import (
	"regexp"
	"slices"
	"strings"
)

// StatementSource is where a part of a problem statement comes from.
type StatementSource string

// The sources. Only the first is what somebody who had the problem wrote.
const (
	FromIssue     StatementSource = "issue"
	FromPull      StatementSource = "pull_request_message" // the message of a merge or squash: the pull request's text
	FromCommit    StatementSource = "commit_message"
	FromChangelog StatementSource = "changelog"
)

var (
	trailerLine = regexp.MustCompile(`(?i)^(?:signed-off-by|co-authored-by|reviewed-by|reviewed-on|acked-by|tested-by|suggested-by|reported-by|change-id|cc|pr-url|pull-request|cherry-picked-from|git-svn-id|piperorigin-revid|copybara-import|closes?|closed|fix(?:es|ed)?|resolves?|resolved|issues?|bugs?|refs?)\s*:`)
	onlyLink    = regexp.MustCompile(`(?i)^\W*(?:(?:this )?(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see|issue|for|ref)\b[\s:]*)?(?:[\w.-]+/[\w.-]+)?#?\d{1,6}\W*$`)
	ruler       = regexp.MustCompile(`^[-*=_#\s]{4,}$`)
	squashItem  = regexp.MustCompile(`^\* (.+)$`)
)

// statement is the text that describes the problem of a change, with its
// sources in their order: the issues that it closes where an export holds
// them, else what its messages and changelogs say. from are these issues; one
// that was opened after the change cannot be its reason.
func statement(c Change, issues Issues) (text string, sources []StatementSource, from []Issue) {
	owner, name := ownerName(c.Repo)
	for _, l := range c.Links {
		issue, ok := issues.Find(owner+"/"+name, l.Issue)
		if ok && !issue.Created.After(c.Date) && (!l.By.isWeak() || len(from) == 0) {
			from = append(from, issue)
		}
	}
	if len(from) > 0 {
		var texts []string
		for _, i := range from {
			texts = append(texts, i.text())
		}
		return strings.Join(texts, "\n\n"), []StatementSource{FromIssue}, from
	}
	text, sources = ownWords(c)
	return text, sources, nil
}

// text is the title above the body, without comments.
func (i Issue) text() string {
	return strings.TrimSpace(i.Title + "\n" + comment.ReplaceAllString(strings.ReplaceAll(i.Body, "\r\n", "\n"), ""))
}

// ownWords is a statement from the change's own message and changelog.
func ownWords(c Change) (string, []StatementSource) {
	source := FromCommit
	if c.Kind == Merge || c.Kind == Squash {
		source = FromPull
	}
	var parts []string
	var sources []StatementSource
	if m := cleanMessage(c); m != "" {
		parts, sources = append(parts, m), append(sources, source)
	}
	if log := cleanLines(c.Changelog); log != "" {
		parts, sources = append(parts, "From the changelog:\n"+log), append(sources, FromChangelog)
	}
	return strings.Join(parts, "\n\n"), sources
}

// cleanMessage is the title and the body of the change's own message, and for
// merges the bodies of what was merged, without trailers and links.
func cleanMessage(c Change) string {
	var lines []string
	for i, message := range c.Messages {
		if i > 0 && mergeNoise(message) {
			continue
		}
		_, body, _ := strings.Cut(message, "\n")
		switch {
		case i == 0:
			lines = append(lines, c.Subject, "")
			if first, rest, _ := strings.Cut(strings.TrimSpace(body), "\n"); title(first, false) == c.Subject {
				body = rest
			}
		case len(c.Messages) <= 6: // of longer series the subjects would be the solution's diary
			body = title(message, false) + "\n" + body
		default:
			continue
		}
		lines = append(lines, strings.Split(body, "\n")...)
		lines = append(lines, "")
	}
	return cleanLines(unique(lines))
}

// unique leaves out lines that were there before, except blank ones.
func unique(lines []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(lines, func(line string) bool {
		key := strings.ToLower(strings.Trim(titleNumber.ReplaceAllString(line, ""), " *-.\t\r"))
		again := key != "" && seen[key]
		seen[key] = true
		return again
	})
}

// cleanLines takes trailers, bare links, rulers and numbers of pull requests
// out, and all but one of blank lines in a row.
func cleanLines(lines []string) string {
	var out []string
	for _, line := range lines {
		line = strings.TrimRight(comment.ReplaceAllString(line, ""), " \t\r")
		if trailerLine.MatchString(strings.TrimSpace(line)) || onlyLink.MatchString(line) || mergeRequest.MatchString(line) || ruler.MatchString(line) {
			continue
		}
		if m := squashItem.FindStringSubmatch(line); m != nil {
			line = "- " + m[1]
		}
		line = titleNumber.ReplaceAllString(line, "")
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// minWords is what a statement must have to say something.
const minWords = 4
