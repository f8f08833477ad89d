package languages

import (
	"path"
	"slices"
	"strings"
)

// projectFolder is the folder whose project the tests belong to: the nearest
// above all test files that holds a project's files, where the root holds none.
// "" means the root.
func projectFolder(repo Repository, files []string) string {
	if projectFile(repo) != "" || len(files) == 0 {
		return ""
	}
	dir := path.Dir(files[0])
	for _, f := range files[1:] {
		for dir != "." && !strings.HasPrefix(f, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	for ; dir != "."; dir = path.Dir(dir) {
		if projectFile(inFolder(repo, dir)) != "" {
			return dir
		}
	}
	return ""
}

// folderView is a repository as it is seen from a folder: the folder's files
// are before those of the root, whose CI files still count.
type folderView struct {
	Repository
	dir   string
	own   map[string]bool
	paths []string
}

func inFolder(repo Repository, dir string) folderView {
	v := folderView{Repository: repo, dir: dir, own: map[string]bool{}}
	v.paths = slices.Clone(repo.Paths())
	for _, p := range repo.Paths() {
		if rest, ok := strings.CutPrefix(p, dir+"/"); ok {
			v.own[rest] = true
			v.paths = append(v.paths, rest)
		}
	}
	slices.Sort(v.paths)
	v.paths = slices.Compact(v.paths)
	return v
}

func (v folderView) Paths() []string { return v.paths }

func (v folderView) Text(p string) string { return v.Repository.Text(v.real(p)) }

// real is a path as the repository has it.
func (v folderView) real(p string) string {
	if v.own[p] {
		return path.Join(v.dir, p)
	}
	return p
}

// above is the absolute folder that paths in a file of settings start from.
func (r *pythonRules) above(file string) string {
	if r.real != nil && r.real(file) != file {
		return path.Join(Root, r.folder)
	}
	return Root
}

// enter sets the rules on the folder of the tests' project.
func (r *pythonRules) enter() {
	dir := projectFolder(r.facts.Repo, r.facts.Files)
	if dir == "" {
		return
	}
	repo := inFolder(r.facts.Repo, dir)
	r.folder, r.facts.Repo, r.facts.Gold = dir, repo, inFolder(r.facts.Gold, dir)
	r.real = repo.real
	r.decide("setup", "the project in "+dir, "there is none at the root, and the tests are below", finding{file: projectFile(repo), line: 1})
}
