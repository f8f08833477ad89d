package otter

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"

	"assay/bench"
	"assay/languages"
	"assay/llm/prompts"
	"assay/methods"
	"assay/methods/outline"
)

// mostListed bounds a list of files in a prompt, in bytes; the first ones by name
// stay.
const mostListed = 300_000

// repo is the repository at the task's start.
type repo struct {
	tree     methods.Tree
	language languages.Language
	about    bench.Language
	paths    map[string]bool
	opened   map[string]*outline.File // nil for what cannot be read as code
}

func newRepo(d *methods.Desk) *repo {
	l := d.Task().Language
	r := &repo{tree: d.Tree(), language: l, about: l.About(), paths: map[string]bool{}, opened: map[string]*outline.File{}}
	for _, p := range r.tree.Paths() {
		r.paths[p] = true
	}
	return r
}

// open reads a file of the language; nil where there is none that can be read.
func (r *repo) open(p string) (*outline.File, error) {
	if f, ok := r.opened[p]; ok {
		return f, nil
	}
	if !r.paths[p] || !r.about.IsCode(p) {
		return nil, nil
	}
	src, err := r.tree.Read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := outline.Read(r.about.Name, p, src)
	if err != nil {
		f = nil // too large, or of a language without a grammar
	}
	r.opened[p] = f
	return f, nil
}

// testFiles are the files that hold a test.
func (r *repo) testFiles() ([]string, error) {
	var out []string
	for _, p := range r.tree.Paths() {
		if !r.about.IsRunnable(p) || !languages.IsTest(r.language, p) {
			continue
		}
		f, err := r.open(p)
		if err != nil {
			return nil, err
		}
		if f != nil && len(f.Names(true)) > 0 {
			out = append(out, p)
		}
	}
	return out, nil
}

// sourceFiles are the files in which a fix may be.
func (r *repo) sourceFiles() []string {
	var out []string
	for _, p := range r.tree.Paths() {
		if r.about.IsCode(p) && r.language.Classify(p) == languages.SourcePath {
			out = append(out, p)
		}
	}
	return out
}

// bounded are as many files as a prompt may list.
func bounded(files []string) []string {
	room := mostListed
	for i, f := range files {
		if room -= len(f) + 1; room < 0 {
			return files[:i]
		}
	}
	return files
}

// mostShown bounds the text of functions in a prompt, in bytes.
const mostShown = 60_000

// texts are functions with their text, each once, as far as there is room.
func (r *repo) texts(places []place) ([]prompts.Function, error) {
	var out []prompts.Function
	room := mostShown
	for _, pl := range places {
		f, err := r.open(pl.File)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		for _, name := range pl.Functions {
			fn, ok := f.Find(name)
			one := prompts.Function{Path: pl.File, Name: fn.Name, Start: fn.Start, End: fn.End, Text: f.Text(fn)}
			if !ok || slices.Contains(out, one) || len(one.Text) > room {
				continue
			}
			room -= len(one.Text)
			out = append(out, one)
		}
	}
	return out, nil
}

// newTestFile is the path of a test file that does not exist yet: next to most
// of the tests that there are.
func (r *repo) newTestFile() (string, error) {
	files, err := r.testFiles()
	if err != nil {
		return "", err
	}
	count := map[string]int{}
	for _, f := range files {
		count[path.Dir(f)]++
	}
	dirs := slices.Sorted(maps.Keys(count))
	shape := testFileOf(r.about.Name)
	dir := shape.dir
	if len(dirs) > 0 {
		dir = slices.MinFunc(dirs, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	}
	for n := 0; ; n++ {
		if p := shape.path(dir, n); !r.paths[p] {
			return p, nil
		}
	}
}
