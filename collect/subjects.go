package collect

import (
	"regexp"
	"strconv"
	"strings"
)

// The forms in which forges and bots write the number of a pull request into
// the message of a commit. The first group is the number; of those with a
// second one, that is the branch.
var (
	mergeForms = []*regexp.Regexp{
		regexp.MustCompile(`^Merge(?:d)? pull request #(\d+)(?: (?:in|from) (\S+))?`),
		regexp.MustCompile(`^Merge PR #(\d+)`),
		regexp.MustCompile(`^(?:Auto merge of|Merge) #(\d+)`),
		regexp.MustCompile(`^Merged? in (?:\S+) \(pull request #(\d+)\)`),
		regexp.MustCompile(`^Merge(?:d)? PR (\d+)\b`),
		regexp.MustCompile(`(?m)^See merge request \S*!(\d+)\s*$`),
		regexp.MustCompile(`^Merge branch '[^']+'.*\(#(\d+)\)$`),
	}
	squashForms = []*regexp.Regexp{
		regexp.MustCompile(`^[^\n]*\((?:#|GH-|!)(\d+)\)\.?\s*(?:\n|$)`),
		regexp.MustCompile(`^Merged? PR #?(\d+):`),
		regexp.MustCompile(`^Merged in \S+ \(pull request #(\d+)\)`),
		regexp.MustCompile(`^Merge(?:d)? pull request #(\d+)(?: (?:in|from) (\S+))?`),
		regexp.MustCompile(`(?m)^See merge request \S*!(\d+)\s*$`),
		regexp.MustCompile(`(?m)^(?:PR-URL|Pull-Request|PR|Reviewed-on):\s*(?:https?://\S+/pulls?/|#)(\d+)\s*$`),
	}
	// closesPull is how some projects close pull requests that they push by
	// hand. It names an issue as often: the refs show which it is.
	closesPull = regexp.MustCompile(`(?im)^\s*(?:this closes|closes|close) #(\d+)\b`)

	// mergedBranch is git's own subject of a merge, and inlineTitle the subject
	// of one that has a title after the number.
	mergedBranch = regexp.MustCompile(`^Merged? (?:remote-tracking )?(?:branch(?:es)?|tag|commit) '`)
	inlineTitle  = regexp.MustCompile(`^Merged? (?:(?:PR|pull request) )?#?\d+:\s+(\S.*)$`)
	mergeRequest = regexp.MustCompile(`^\s*See merge request \S*!\d+\s*$`)

	revertSubject = regexp.MustCompile(`^(?i:revert|reland|reapply)\b`)
	revertedID    = regexp.MustCompile(`(?i)\bThis reverts commit ([0-9a-f]{7,40})`)
	revertedPull  = regexp.MustCompile(`(?im)^\s*(?:Reverts (?:([\w.-]+/[\w.-]+))?#|This reverts merge request (\S*)!)(\d{1,6})\b`)
	backport      = regexp.MustCompile(`(?i)\bback-?port(?:s|ed|ing)?\b|\(cherry picked from commit|\bcherry[- ]pick|^\[\d+\.(?:\d+|x)(?:\.(?:\d+|x))?\]`)
	titleNumber   = regexp.MustCompile(`\s*\((?:#|GH-|!)\d+\)\.?\s*$`)
)

// pullNumber is the number of the pull request that a message names; 0 where
// it names none. branch is the merged branch, where the message has it.
func pullNumber(message string, merge bool) (number int, branch string) {
	forms := squashForms
	if merge {
		forms = mergeForms
	}
	for _, form := range forms {
		m := form.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil && n > 0 {
			if len(m) > 2 {
				branch = m[2]
			}
			return n, branch
		}
	}
	return 0, ""
}

// closedPull is a pull request that a message closes, among those known.
func closedPull(message string, known map[int]string) int {
	for _, m := range closesPull.FindAllStringSubmatch(message, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil && known[n] != "" {
			return n
		}
	}
	return 0
}

// title is what a change is called: the subject without the number. Of a merge,
// whose subject is a form, it is the first line below it, or "" where there is
// none.
func title(message string, merge bool) string {
	subject, rest, _ := strings.Cut(message, "\n")
	n, _ := pullNumber(subject, true)
	switch m := inlineTitle.FindStringSubmatch(subject); {
	case m != nil:
		subject = m[1]
	case merge && n > 0, merge && mergedBranch.MatchString(subject), strings.HasPrefix(subject, "Merge pull request #"):
		subject, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
		if mergeRequest.MatchString(subject) {
			subject = ""
		}
	}
	for {
		cut := titleNumber.ReplaceAllString(subject, "")
		if cut == subject {
			return strings.TrimSpace(subject)
		}
		subject = cut
	}
}
