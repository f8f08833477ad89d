package hub

import (
	"regexp"
	"strings"
)

// Name is a dataset of the hub, as in hf:OWNER/NAME:CONFIG@SPLIT#REVISION.
// Everything after OWNER/NAME may be absent.
type Name struct {
	Repo     string // OWNER/NAME
	Config   string
	Split    string
	Revision string // a branch, tag or commit; "main" where it is empty
}

// ParseName splits a name; false where it is not one. The prefix hf: may be
// absent.
func ParseName(text string) (Name, bool) {
	form := regexp.MustCompile(`^(?:hf:)?([\w.-]+/[\w.-]+)(?::([^@#]+))?(?:@([^@#]+))?(?:#([^#]+))?$`)
	m := form.FindStringSubmatch(text)
	if m == nil || strings.Contains(text, "..") || strings.HasPrefix(m[1], ".") || strings.HasPrefix(m[1], "-") {
		return Name{}, false
	}
	return Name{Repo: m[1], Config: m[2], Split: m[3], Revision: m[4]}, true
}

// String writes the name with the prefix.
func (n Name) String() string {
	text := "hf:" + n.Repo
	for _, part := range []struct{ sign, value string }{{":", n.Config}, {"@", n.Split}, {"#", n.Revision}} {
		if part.value != "" {
			text += part.sign + part.value
		}
	}
	return text
}

// isCommit reports whether a revision can't change.
func isCommit(revision string) bool {
	return len(revision) == 40 && strings.Trim(revision, "0123456789abcdef") == ""
}
