package worktree

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"assay/harness"
)

// filter decides which changes are part of a submission.
type filter struct {
	start   Start
	now     map[string]harness.Entry
	own     []string
	ignored map[string]string
	builds  map[string]bool // folders that a build tool made in the end
	sources map[string]bool // folders with a tracked file in them, at any depth
}

// leftOut is why a change is not part of the submission; "" if it is.
func (f filter) leftOut(p string) string {
	e, there := f.now[p]
	_, before := f.start.Entries[p]
	switch {
	case unsafe(p):
		return "its name is not possible in a patch"
	case there && !e.Mode.IsRegular() && e.Mode&fs.ModeSymlink == 0:
		return "neither a file nor a link: " + e.Mode.Type().String()
	case there && e.Omitted:
		return "too large, or not readable"
	case there && !utf8.ValidString(e.Link):
		return "where it points to is not possible in a patch"
	case f.start.Tracked[p]:
		return ""
	case before:
		return "not in the repository: the environment has it"
	case matches(f.own, p):
		return "a file of the agent's own"
	case f.ignored[p] != "":
		return f.ignored[p]
	}
	return f.built(p, e)
}

// unsafe recognises paths that no patch can name: see package patch.
func unsafe(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return strings.ContainsAny(p, "\\\x00")
}

func matches(globs []string, p string) bool {
	for _, g := range globs {
		if harness.MatchGlob(g, p) {
			return true
		}
	}
	return false
}

var (
	outputDir = regexp.MustCompile(`(^|/)(__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.eggs|\.hypothesis|htmlcov|\.gradle|node_modules|CMakeFiles|\.ipynb_checkpoints|\.benchmarks|[^/]+\.(egg|dist)-info)/`)
	output    = regexp.MustCompile(`(^|/)([^/]+\.(pyc|pyo|class|o|obj|lo|la|gcda|gcno|orig|rej|swp)|[^/]*~|\.coverage(\..*)?|CMakeCache\.txt|cmake_install\.cmake|CTestTestfile\.cmake|build\.ninja|\.ninja_(log|deps)|core(\.[0-9]+)?|hs_err_pid[0-9]+\.log|\.DS_Store|nohup\.out)$`)
)

// built is the rule by which a new file is output of a build or of a test run.
func (f filter) built(p string, e harness.Entry) string {
	if m := outputDir.FindString(p); m != "" {
		return "build output: " + strings.Trim(m, "/")
	}
	if output.MatchString(p) {
		return "build output: " + path.Base(p)
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if !f.sources[dir] && (f.builds[dir] || f.outputOf(dir)) {
			return "build output: " + dir
		}
	}
	switch {
	case compiled(e.Data):
		return "build output: compiled"
	case bytes.HasPrefix(e.Data, []byte("# CMAKE generated file")):
		return "build output: made by CMake"
	}
	return ""
}

// outputOf reports whether a folder is where a build tool, whose file is next to
// it, writes.
func (f filter) outputOf(dir string) bool {
	above, name := path.Split(dir)
	for _, rule := range []struct{ name, beside string }{
		{"target", "pom.xml"}, {"target", "Cargo.toml"}, {"target", "build.sbt"},
		{"build", "build.gradle"}, {"build", "build.gradle.kts"}, {"out", "build.gradle"},
		{"build", "setup.py"}, {"dist", "setup.py"}, {"build", "pyproject.toml"}, {"dist", "pyproject.toml"},
	} {
		if name == rule.name && f.start.Tracked[above+rule.beside] {
			return true
		}
	}
	return false
}

// sourceDirs are the folders in which the repository has files. They are not
// output as a whole, regardless of their names and of what a build puts there.
func sourceDirs(tracked map[string]bool) map[string]bool {
	out := map[string]bool{}
	for p := range tracked {
		for dir := path.Dir(p); dir != "." && !out[dir]; dir = path.Dir(dir) {
			out[dir] = true
		}
	}
	return out
}

// buildDirs are the folders in which CMake, Ninja or Meson build.
func buildDirs(now map[string]harness.Entry) map[string]bool {
	out := map[string]bool{}
	for p := range now {
		switch dir, name := path.Split(p); name {
		case "CMakeCache.txt", "build.ninja", ".ninja_log":
			out[strings.TrimSuffix(dir, "/")] = dir != ""
		}
	}
	return out
}

// compiled recognises programs and libraries by how they begin.
func compiled(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\x7fELF")) || bytes.HasPrefix(data, []byte("!<arch>\n"))
}
