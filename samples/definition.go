package samples

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/goccy/go-yaml"

	"assay/bench"
)

//go:embed all:data
var data embed.FS // never written

// definition is an instance as it is in data/<language>/<id>: the fields of
// instance.yaml, and the patches next to it.
type definition struct {
	ID               string     `json:"id"`
	Repo             string     `json:"repo"`
	Version          string     `json:"version"`
	CreatedAt        string     `json:"created_at"`
	ProblemStatement string     `json:"problem_statement"`
	Env              *bench.Env `json:"env"`
	History          []step     `json:"history"`
	Fix              fix        `json:"fix"`
	BadPatches       []bad      `json:"bad_patches"`
	GoodVariants     []good     `json:"good_variants"`
	FailToPass       []string   `json:"fail_to_pass"`
	PassToPass       []string   `json:"pass_to_pass"`

	dir      string
	language string
}

// step is a commit before the fix: it adds the files below its paths.
type step struct {
	Message string   `json:"message"`
	Paths   []string `json:"paths"`
}

// fix is the commit after base, which an environment must not show.
type fix struct {
	Message string `json:"message"`
	Tag     string `json:"tag"`
}

type bad struct {
	Source   string      `json:"source"`
	Category string      `json:"category"`
	Level    bench.Level `json:"level"`
}

type good struct {
	Source string `json:"source"`
}

// folders lists the instances' folders by language, in the order of the
// paper, and id.
func folders() []string {
	var out []string
	for _, language := range bench.KnownLanguages().Names() {
		// Glob sorts, and fails for a malformed pattern only.
		files, _ := fs.Glob(data, path.Join("data", language, "*", "instance.yaml"))
		for _, f := range files {
			out = append(out, path.Dir(f))
		}
	}
	return out
}

func load(dir string) (definition, error) {
	d := definition{dir: dir, language: path.Base(path.Dir(dir))}
	text, err := data.ReadFile(path.Join(dir, "instance.yaml"))
	if err != nil {
		return d, fmt.Errorf("reading a sample: %w", err)
	}
	// By way of JSON, since bench.Env names its fields for that.
	text, err = yaml.YAMLToJSON(text)
	if err != nil {
		return d, fmt.Errorf("reading sample %s: %w", dir, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return d, fmt.Errorf("reading sample %s: %w", dir, err)
	}
	return d, nil
}

// patch returns a patch by its name without ".patch".
func (d definition) patch(name string) (string, error) {
	text, err := data.ReadFile(path.Join(d.dir, name+".patch"))
	if err != nil {
		return "", fmt.Errorf("reading a patch of %s: %w", d.ID, err)
	}
	return string(text), nil
}

// files returns the tree at base, by path.
func (d definition) files() (map[string][]byte, error) {
	root := path.Join(d.dir, "base")
	out := map[string][]byte{}
	err := fs.WalkDir(data, root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := data.ReadFile(name)
		out[strings.TrimPrefix(name, root+"/")] = text
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the tree of %s: %w", d.ID, err)
	}
	return out, nil
}

// instance returns the instance as a benchmark has it; base is the commit of
// the state before the fix.
func (d definition) instance(base string) (bench.Instance, error) {
	in := bench.Instance{
		ID: d.ID, Repo: d.Repo, BaseCommit: base, ProblemStatement: d.ProblemStatement,
		CreatedAt: d.CreatedAt, Version: d.Version, Language: d.language, Env: d.Env,
		FailToPass: d.FailToPass, PassToPass: d.PassToPass,
		Provenance: &bench.Provenance{Notes: "written for assay"},
	}
	var err error
	if in.Patch, err = d.patch("gold"); err != nil {
		return in, err
	}
	if in.TestPatch, err = d.patch("test"); err != nil {
		return in, err
	}
	for i, name := range numbered("bad", len(d.BadPatches)) {
		text, err := d.patch(name)
		if err != nil {
			return in, err
		}
		b := d.BadPatches[i]
		in.BadPatches = append(in.BadPatches, bench.BadPatch{
			Index: i + 1, Source: b.Source, Patch: text, Category: b.Category, Level: b.Level})
	}
	for i, name := range numbered("good", len(d.GoodVariants)) {
		text, err := d.patch(name)
		if err != nil {
			return in, err
		}
		in.GoodVariants = append(in.GoodVariants, bench.GoodVariant{Index: i + 1, Source: d.GoodVariants[i].Source, Patch: text})
	}
	return in, nil
}

// numbered lists the names of patches of one folder, which count from 1.
func numbered(folder string, count int) []string {
	out := make([]string, count)
	for i := range out {
		out[i] = fmt.Sprintf("%s/%d", folder, i+1)
	}
	return out
}
