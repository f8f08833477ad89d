package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// canary is a token that no review can hold by chance. It is made of the seed
// and of what is reviewed, so that the same request is made again.
func (s *Subject) canary(seed int64) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00%s", seed, s.in.Instance.ID, s.in.Bad.Index, s.in.Bad.Patch))
	return "k" + hex.EncodeToString(sum[:])[:11]
}

var hunkLine = regexp.MustCompile(`(?m)^@@ .*$`)

// marked is a diff with the canary as a comment in its first hunk. The diff is
// for reading only: its line counts are off by one.
func marked(diff, canary string, d dialect) string {
	comment := "# ref " + canary
	if d == cLike {
		comment = "// ref " + canary
	}
	m := hunkLine.FindStringIndex(diff)
	if m == nil {
		return diff + "\n" + comment + "\n"
	}
	head, body := diff[:m[1]], diff[m[1]:]
	lines := strings.SplitAfter(body, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "+") && strings.TrimSpace(line) != "+" {
			indent := line[1 : len(line)-len(strings.TrimLeft(line[1:], " \t"))]
			lines[i] = "+" + indent + comment + "\n" + line
			return head + strings.Join(lines, "")
		}
	}
	return head + "\n+" + comment + body
}

// firstDialect is the dialect of the first file of code that gold touches.
func (s *Subject) firstDialect() dialect {
	for _, f := range s.files {
		if f.gold != nil {
			return f.dialect
		}
	}
	return hashed
}
