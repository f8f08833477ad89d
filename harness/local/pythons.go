//go:build linux

package local

import (
	"os"
	"path/filepath"
	"regexp"
)

// interpreterDirs are the folders of the host in which pyenv and uv keep
// interpreters. Jobs see them as they see /usr.
func interpreterDirs() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "/nonexistent"
	}
	var out []string
	for _, dir := range []string{
		or(os.Getenv("PYENV_ROOT"), filepath.Join(home, ".pyenv")) + "/versions",
		or(os.Getenv("UV_PYTHON_INSTALL_DIR"), filepath.Join(home, ".local/share/uv/python")),
	} {
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || real != filepath.Clean(dir) || !filepath.IsAbs(dir) || servedAnyway(real) {
			continue
		}
		out = append(out, real)
	}
	return out
}

// servedAnyway reports whether a folder is in a tree that jobs see, or is one
// that they must not see as a whole.
func servedAnyway(dir string) bool {
	for _, top := range []string{"/usr", "/opt", "/etc"} {
		if dir == top || below(top, dir) {
			return true
		}
	}
	return filepath.Dir(dir) == "/" || filepath.Dir(filepath.Dir(dir)) == "/"
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Pythons finds the interpreters that jobs can start: those of the system,
// of pyenv and of uv, as path by version ("3.9"). Of several of one version the
// last by name counts, which is the newest or the system's own.
func Pythons() map[string]string {
	name := regexp.MustCompile(`/python([23]\.[0-9]+)$`)
	patterns := []string{"/opt/*/bin/python[23].*", "/usr/local/bin/python[23].*", "/usr/bin/python[23].*"}
	for _, dir := range interpreterDirs() {
		patterns = append(patterns, dir+"/*/bin/python[23].*")
	}
	out := map[string]string{}
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // the patterns are well-formed
		for _, p := range found {
			if m := name.FindStringSubmatch(p); m != nil {
				out[m[1]] = p
			}
		}
	}
	return out
}
