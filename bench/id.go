package bench

import (
	"strings"
	"unicode"
)

// NormaliseID returns the one spelling of an instance id by which ids are
// compared. Benchmarks write the same id in several ways: owner/repo:pr-12 and
// owner/repo:12 (Multi-SWE-bench), owner__repo_12 (OmniCode for Java and
// C++), owner__repo-12 (SWE-bench); all become owner__repo-12. Any other id
// stays as it is. NormaliseID(NormaliseID(id)) is NormaliseID(id).
func NormaliseID(id string) string {
	owner, rest, ok := strings.Cut(id, "/")
	if !ok {
		owner, rest, ok = strings.Cut(id, "__")
	}
	head := strings.TrimRight(rest, "0123456789")
	number := rest[len(head):]
	if !ok || owner == "" || number == "" || strings.Contains(head, "/") {
		return id
	}
	for _, sep := range []string{":pr-", ":", "-", "_"} {
		if repo, ok := strings.CutSuffix(head, sep); ok && repo != "" && !strings.HasSuffix(repo, ":pr") {
			return owner + "__" + repo + "-" + number
		}
	}
	return id
}

// safeID returns the id that assay uses for an instance: the published one,
// unless it could not be a file's name.
func safeID(id string) string {
	if strings.Contains(id, "/") {
		return NormaliseID(id)
	}
	return id
}

// expectedID is what checkID demands, for people.
const expectedID = `an id that can name a file (at most 200 bytes, no "/", "\", ".." or control characters)`

// isID reports whether an id may name a file or a directory.
func isID(id string) bool {
	if id == "" || len(id) > 200 || id == "." || strings.Contains(id, "..") || strings.ContainsAny(id, `/\`) {
		return false
	}
	return !strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) })
}
