package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// importedModules lists the modules that the test files and the conftest files
// above them import and that the repository does not hold, sorted. The set-up installs those that are missing.
func importedModules(f Facts) []string {
	own := ownModules(f.Repo.Paths())
	files := slices.Clone(f.Files)
	for _, p := range f.Files {
		for dir := path.Dir(p); ; dir = path.Dir(dir) {
			if c := path.Join(dir, "conftest.py"); f.Repo.Text(c) != "" {
				files = append(files, c)
			}
			if dir == "." {
				break
			}
		}
	}
	slices.Sort(files)
	out := []string{}
	for _, p := range slices.Compact(files) {
		if path.Ext(p) != ".py" {
			continue
		}
		for _, m := range topModules(strings.Join(importLines(f.Repo.Text(p)), "\n")) {
			if !own[m] && m != "assay" {
				out = append(out, m)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ownModules are names of all folders and files of the repository: what tests
// import by such a name is most likely that.
func ownModules(paths []string) map[string]bool {
	own := map[string]bool{}
	for _, p := range paths {
		if path.Ext(p) != ".py" && path.Ext(p) != ".pyx" {
			continue
		}
		own[strings.TrimSuffix(path.Base(p), path.Ext(p))] = true
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			own[path.Base(dir)] = true
		}
	}
	return own
}

// topModules are the first parts of the modules that import lines name.
func topModules(text string) []string {
	pattern := regexp.MustCompile(`(?m)^(?:import\s+(.+)|from\s+([A-Za-z_][A-Za-z0-9_]*)[.\s])`)
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
	var out []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if m[2] != "" {
			out = append(out, m[2])
			continue
		}
		for _, part := range strings.Split(m[1], ",") {
			if n := name.FindString(strings.TrimSpace(part)); n != "" {
				out = append(out, n)
			}
		}
	}
	return out
}
