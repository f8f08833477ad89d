package languages

import (
	"encoding/json"
	"path"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages/reports"
)

// pythonStart is one start of a runner under our keeper and bootstrap: the
// keeper alone holds the key of the report, and the bootstrap loads the runner
// before the repository is on the path.
type pythonStart struct {
	runner   string // module; empty where our reporter is the runner
	reporter string // its source
	own      []string
	args     []string
	added    []string // modules
	selected string   // file with the selection; may be empty
	files    []string // test files that the reporter compares with what it collects
	copies   []pythonCopy
	prepare  string // shell that runs code of the repository: after the key is gone
}

// keeperSettings and bootSettings are what the two programs read.
type keeperSettings struct {
	Report      string            `json:"report"`
	Key         string            `json:"key"`
	Command     []string          `json:"command"`
	Environment map[string]string `json:"environment"`
	Prepare     string            `json:"prepare"`
}

type bootSettings struct {
	Module string   `json:"module"`
	Source string   `json:"source"`
	Runner string   `json:"runner"`
	Own    []string `json:"own"`
	Added  []string `json:"added"`
	// Guard is the source of the module that watches Files and makes Copies;
	// empty where the runner cannot.
	Guard  string       `json:"guard,omitempty"`
	Files  []string     `json:"files,omitempty"`
	Copies []pythonCopy `json:"copies,omitempty"`
}

// command is the shell of the start, and the files that it needs.
func (p pythonStart) command(suite Suite, report, key string) (string, []harness.File) {
	lib := suite.dir() + "/lib/"
	// The reporter's name holds the nonce, so that no file of the tree can
	// stand in for it.
	module := "assay_" + suite.Nonce
	boot := bootSettings{Module: module, Source: lib + module + ".py", Runner: p.runner, Own: p.own, Added: p.added}
	if len(p.files) > 0 {
		boot.Guard, boot.Files, boot.Copies = lib+module+"_copies.py", p.files, p.copies
	}
	keeper := keeperSettings{
		Report: report, Key: report + ".key",
		Command:     append([]string{"{python}", lib + "assay_boot.py", lib + "boot.json"}, p.args...),
		Environment: map[string]string{},
		Prepare:     p.prepare,
	}
	if p.selected != "" {
		keeper.Environment[reports.SelectVariable] = p.selected
	}
	files := []harness.File{
		{Path: lib + "assay_keeper.py", Data: []byte(reports.PythonKeeper())},
		{Path: lib + "assay_boot.py", Data: []byte(reports.PythonBoot())},
		{Path: boot.Source, Data: []byte(p.reporter)},
		{Path: lib + "boot.json", Data: jsonText(boot)},
		{Path: lib + "keeper.json", Data: jsonText(keeper)},
		{Path: keeper.Key, Data: []byte(key), Mode: 0o600},
	}
	if boot.Guard != "" {
		files = append(files, harness.File{Path: boot.Guard, Data: []byte(reports.PythonCopies())})
	}
	return `"$PY" -E -s -S ` + quoteAll([]string{lib + "assay_keeper.py", lib + "keeper.json"}) + "\n", files
}

func jsonText(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // of strings and lists alone
	}
	return append(data, '\n')
}

// addedModules are the names of top-level modules that the code adds and base
// does not have, as far as paths show.
func addedModules(suite Suite, env bench.Env) []string {
	folders := map[string]bool{".": true, "src": true, "lib": true}
	for p := range strings.SplitSeq(env.Vars["PYTHONPATH"], ":") {
		if rest, ok := strings.CutPrefix(path.Clean(p), suite.root()+"/"); ok {
			folders[rest] = true
		}
	}
	for _, f := range suite.Files {
		folders[packageRoot(suite.Repo, path.Dir(f))] = true
	}
	names := map[string]bool{}
	for folder := range folders {
		for _, p := range suite.Added {
			if name := moduleBelow(folder, p); name != "" {
				names[name] = true
			}
		}
	}
	return sortedKeys(names)
}

// packageRoot is the first folder upward that is not a package: pytest puts
// it on the path.
func packageRoot(repo Repository, dir string) string {
	listed, ok := repo.(interface{ exists(string) bool })
	for ok && dir != "." && dir != "/" && listed.exists(path.Join(dir, "__init__.py")) {
		dir = path.Dir(dir)
	}
	return dir
}

// moduleBelow is the top-level module that a file belongs to, where a folder
// is on the path; "" where it is not one.
func moduleBelow(folder, file string) string {
	rest := file
	if folder != "." {
		var ok bool
		if rest, ok = strings.CutPrefix(file, folder+"/"); !ok {
			return ""
		}
	}
	name, _, inPackage := strings.Cut(rest, "/")
	stem, ext, _ := strings.Cut(name, ".")
	switch {
	case !inPackage && (ext == "py" || strings.HasSuffix(ext, "so")):
		return stem
	case inPackage && path.Join(folder, name, "__init__.py") == file:
		return name
	}
	return ""
}
