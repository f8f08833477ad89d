package mirror

import (
	"os"
	"path/filepath"
	"strings"
)

// Find returns the git directory of the local mirror of owner/name below dir.
func Find(dir, name string) (string, bool) {
	owner, short := SplitName(name)
	for _, candidate := range candidates(dir, owner, short) {
		if g, ok := gitDir(candidate); ok {
			return g, true
		}
		if g, ok := onlyRepo(candidate); ok {
			return g, true
		}
	}
	return "", false
}

// SplitName takes owner and name from owner/name, a path or a clone URL. What the
// text does not have is empty.
func SplitName(name string) (owner, short string) {
	name = strings.TrimSuffix(strings.TrimRight(name, "/"), ".git")
	if i := strings.Index(name, "://"); i >= 0 {
		name = name[i+3:]
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == ':' })
	if len(parts) == 0 {
		return "", ""
	}
	short = parts[len(parts)-1]
	if len(parts) > 1 {
		owner = parts[len(parts)-2]
	}
	return owner, short
}

// candidates lists the existing folders that may be the mirror, in the order
// in which the spellings are documented.
func candidates(dir, owner, short string) []string {
	var out []string
	for _, e := range list(dir) {
		if strings.EqualFold(e, owner) {
			for _, f := range list(filepath.Join(dir, e)) {
				if same(f, short) {
					out = append(out, filepath.Join(dir, e, f))
				}
			}
		}
	}
	for _, sep := range []string{"__", "+"} {
		for _, e := range list(dir) {
			if same(e, owner+sep+short) {
				out = append(out, filepath.Join(dir, e))
			}
		}
	}
	return out
}

func same(entry, want string) bool {
	return strings.EqualFold(entry, want) || strings.EqualFold(entry, want+".git")
}

func list(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// gitDir recognises a work tree or a bare repository by the files that git
// itself looks for.
func gitDir(dir string) (string, bool) {
	for _, d := range []string{filepath.Join(dir, ".git"), dir} {
		if isFile(filepath.Join(d, "HEAD")) && isDir(filepath.Join(d, "objects")) {
			return d, true
		}
	}
	return "", false
}

// onlyRepo returns the repository that a folder holds, when it holds just one.
func onlyRepo(dir string) (string, bool) {
	var found []string
	for _, e := range list(dir) {
		if g, ok := gitDir(filepath.Join(dir, e)); ok {
			found = append(found, g)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return found[0], true
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
