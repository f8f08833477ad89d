package patch

import (
	"strings"
	"unicode"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// maxPath is Linux's PATH_MAX.
const maxPath = 4096

// checkPaths refuses what could reach outside the tree, by path alone.
func (s *section) checkPaths() error {
	for _, path := range []string{s.old, s.new} {
		if path == "" {
			continue
		}
		if err := CheckPath(path); err != nil {
			return err
		}
	}
	return nil
}

// checkModes refuses nested repositories.
func (s *section) checkModes() *UnsafeError {
	for _, mode := range []uint32{s.oldMode, s.newMode} {
		if mode&modeTypeMask == modeSubmodule {
			return &UnsafeError{Path: s.path(), Reason: "submodules are not allowed"}
		}
	}
	return nil
}

// checkSafe refuses links out of the tree, as far as the diff shows their
// targets; Apply looks at the outcome again.
func (f *File) checkSafe() error {
	// Again, by the names that the parser made of a header's.
	for _, path := range []string{f.OldPath, f.NewPath} {
		if path == "" {
			continue
		}
		if err := CheckPath(path); err != nil {
			return err
		}
	}
	if f.NewMode != ModeSymlink {
		return nil
	}
	for _, hunk := range f.diff.TextFragments {
		for _, line := range hunk.Lines {
			if line.Op != gitdiff.OpAdd {
				continue
			}
			if err := checkTarget(f.NewPath, strings.TrimRight(line.Line, "\r\n")); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckPath refuses a path that is not plainly inside the tree, with an
// UnsafeError. It is stricter than git on Linux, since trees may be checked out
// elsewhere.
func CheckPath(path string) error {
	if reason := unsafePath(path); reason != "" {
		return &UnsafeError{Path: path, Reason: reason}
	}
	return nil
}

func unsafePath(path string) string {
	switch {
	case path == "":
		return "empty path"
	case len(path) > maxPath:
		return "path too long"
	case strings.HasPrefix(path, "/") || hasDrive(path):
		return "absolute path"
	case strings.ContainsRune(path, 0):
		return "NUL in path"
	case strings.ContainsRune(path, '\\'):
		return "backslash in path"
	}
	for part := range strings.SplitSeq(path, "/") {
		switch {
		case part == "":
			return "empty part in path"
		case part == "." || part == "..":
			return "relative part in path"
		case isGitDir(part):
			return "inside git's own directory"
		}
	}
	return ""
}

// hasDrive sees Windows' C:/ and C:\.
func hasDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '/' || path[2] == '\\') &&
		('a' <= path[0]|0x20 && path[0]|0x20 <= 'z')
}

// isGitDir sees through the spellings that some file systems take for .git:
// other case, trailing dots and blanks, NTFS streams and short names, and
// format characters that HFS+ ignores.
func isGitDir(part string) bool {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, part)
	plain, _, _ = strings.Cut(plain, ":")
	plain = strings.TrimRight(plain, ". ")
	return strings.EqualFold(plain, ".git") || strings.EqualFold(plain, "git~1")
}

// checkTarget refuses a link at path whose target is not inside the tree. Only
// leading ".." parts are taken: after the name of another link, ".." could lead
// anywhere.
func checkTarget(path, target string) error {
	up, rest := 0, target
	for rest == ".." || strings.HasPrefix(rest, "../") {
		up++
		rest = strings.TrimPrefix(rest[2:], "/")
	}
	if up > strings.Count(path, "/") {
		return &UnsafeError{Path: path, Reason: "symbolic link out of the tree"}
	}
	if up > 0 && rest == "" || target == "." {
		return nil
	}
	rest = strings.TrimSuffix(rest, "/")
	if reason := unsafePath(cleanPath(rest)); reason != "" || strings.ContainsRune(target, '\n') {
		return &UnsafeError{Path: path, Reason: "symbolic link to an unsafe target"}
	}
	return nil
}
