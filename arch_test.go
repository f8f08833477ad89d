package assay

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allowed lists, for each of our packages, those that it may import. A new arrow
// is a decision: add it here, with the package's place in mind
// (docs/architecture.md).
func allowed() map[string][]string {
	return map[string][]string{
		".":                   {},
		"scripts/mutate":      {"internal/pool"},
		"scripts/linters":     {"harness", "style/linters"},
		"scripts/words":       {},
		"bench":               {"internal/atomicfile", "internal/jsonl", "internal/parquet"},
		"harness":             {"internal/atomicfile"},
		"internal/decoded":    {},
		"internal/hub":        {},
		"internal/parquet":    {},
		"internal/patch":      {},
		"internal/registry":   {},
		"internal/atomicfile": {},
		"internal/jsonl":      {},
		"internal/pool":       {},
		"internal/mirror":     {"internal/patch"},
		"languages/token":     {},
		"llm":                 {"internal/atomicfile"},
		"internal/github":     {"llm"},
		"llm/prompts":         {},

		"harness/relay":       {"harness"},
		"harness/snapshot":    {"harness"},
		"harness/docker":      {"harness", "harness/relay", "harness/snapshot"},
		"harness/local":       {"harness", "harness/relay", "harness/snapshot"},
		"harness/harnesstest": {"harness"},
		"languages/reports":   {"bench"},
		"languages/syntax":    {"languages/token"},
		"report":              {"bench", "internal/patch"},
		"samples":             {"bench"},
		"llm/gemini":          {"llm"},
		"llm/openai":          {"llm"},
		"llm/anthropic":       {"llm"},
		"llm/llmtest":         {"llm"},
		"llm/scripted":        {"internal/decoded", "llm"},
		"proxy":               {"internal/decoded", "llm"},
		"trajectory":          {"internal/decoded", "proxy"},

		"languages": {"bench", "harness", "internal/mirror", "internal/patch", "internal/registry", "languages/reports", "languages/syntax"},

		"style":           {"bench", "harness", "languages", "internal/patch", "internal/registry", "languages/syntax", "languages/token"},
		"style/linters":   {"bench", "harness", "style"},
		"review":          {"bench", "languages", "languages/syntax", "llm", "llm/prompts", "internal/patch"},
		"tasks":           {"bench", "harness", "languages", "llm/prompts", "style", "style/linters", "internal/patch", "internal/pool", "internal/registry"},
		"agents":          {"agents/adapter", "agents/worktree", "bench", "harness", "internal/mirror", "internal/patch", "internal/registry", "languages", "llm", "style", "tasks"},
		"agents/adapter":  {"harness"},
		"agents/worktree": {"harness", "internal/mirror", "internal/patch"},
		"dataset":         {"bench", "harness", "languages", "review", "style", "tasks", "internal/patch"},
		"attempts":        {"agents", "bench", "harness", "internal/atomicfile", "internal/jsonl", "internal/patch", "internal/pool", "languages", "tasks"},
		"engine":          {"agents", "bench", "harness", "internal/jsonl", "internal/mirror", "internal/pool", "languages", "llm/prompts", "methods", "methods/fixer", "methods/otter", "methods/zeroshot", "report", "style", "style/linters", "tasks"},

		"methods":             {"agents", "bench", "harness", "internal/patch", "languages", "languages/syntax", "llm", "llm/anthropic", "llm/gemini", "llm/openai", "llm/prompts", "tasks", "trajectory"},
		"methods/retrieve":    {"languages/syntax"},
		"methods/fixer":       {"agents", "badpatch/code", "badpatch/searchreplace", "bench", "internal/patch", "languages", "languages/syntax", "llm/prompts", "methods", "methods/retrieve"},
		"methods/nearest":     {},
		"methods/zeroshot":    {"bench", "internal/patch", "llm/prompts", "methods", "methods/retrieve", "methods/tolerant"},
		"methods/tolerant":    {"internal/patch", "languages", "languages/syntax", "methods/nearest", "methods/outline"},
		"methods/outline":     {"languages", "languages/syntax", "languages/token", "methods/nearest"},
		"methods/imports":     {"languages", "languages/syntax", "languages/token", "methods/nearest", "methods/outline"},
		"methods/otter":       {"bench", "harness", "languages", "languages/syntax", "llm/prompts", "methods", "methods/imports", "methods/nearest", "methods/outline"},
		"methods/methodstest": {"languages", "llm", "llm/prompts", "methods", "trajectory"},

		"collect":            {"bench", "harness", "internal/atomicfile", "internal/github", "internal/jsonl", "internal/mirror", "internal/patch", "internal/pool", "languages", "tasks"},
		"collect/card":       {"bench", "collect", "internal/patch", "languages"},
		"collect/setupagent": {"collect", "llm", "llm/prompts"},

		"export": {"bench", "internal/atomicfile", "internal/mirror", "internal/patch"},

		"badpatch/code":          {"languages", "languages/syntax", "languages/token", "internal/patch"},
		"badpatch/killset":       {},
		"badpatch/schemata":      {"badpatch/code", "languages", "languages/syntax", "languages/token"},
		"badpatch":               {"badpatch/code", "badpatch/killset", "badpatch/schemata", "bench", "languages", "languages/syntax", "languages/token", "tasks", "internal/patch"},
		"badpatch/badpatchtest":  {"badpatch", "badpatch/code", "bench", "languages", "internal/patch"},
		"badpatch/mutation":      {"badpatch", "badpatch/code", "languages/syntax"},
		"badpatch/rewrite":       {"badpatch", "badpatch/code", "bench", "languages/syntax"},
		"badpatch/antipattern":   {"badpatch", "badpatch/code", "badpatch/mutation", "badpatch/rewrite", "languages/syntax"},
		"badpatch/category":      {"badpatch", "badpatch/code", "languages/syntax", "internal/patch"},
		"badpatch/attempt":       {"badpatch", "badpatch/category", "bench", "languages", "internal/patch"},
		"badpatch/searchreplace": {"badpatch/code"},
		"badpatch/modelsource":   {"badpatch", "badpatch/category", "badpatch/code", "badpatch/searchreplace", "languages/syntax", "llm", "llm/prompts"},
		"badpatch/measure":       {"badpatch", "badpatch/code", "badpatch/killset", "bench", "languages", "languages/syntax", "internal/patch"},

		"cmd/assay": {
			"agents", "attempts", "badpatch", "badpatch/antipattern", "badpatch/attempt", "badpatch/measure", "badpatch/modelsource", "badpatch/mutation", "badpatch/rewrite",
			"bench", "dataset", "engine", "harness", "harness/docker", "harness/local", "internal/hub", "internal/patch", "internal/pool", "internal/registry", "languages",
			"llm", "llm/anthropic", "llm/gemini", "llm/openai", "llm/prompts", "llm/scripted", "methods", "methods/fixer", "methods/zeroshot", "proxy", "report", "review", "samples", "style", "tasks", "trajectory",
			"collect", "collect/card", "collect/setupagent", "export", "internal/atomicfile", "internal/github", "internal/mirror",
		},
	}
}

// only names the one package that may import a library, so that it can be
// exchanged in one place.
func only() map[string]string {
	return map[string]string{
		"github.com/docker/docker":           "harness/docker",
		"github.com/bluekeyes/go-gitdiff":    "internal/patch",
		"github.com/aymanbagabas/go-udiff":   "internal/patch",
		"github.com/parquet-go":              "internal/parquet",
		"github.com/tree-sitter":             "languages/syntax",
		"github.com/google/generative-ai-go": "llm/gemini",
		"github.com/BurntSushi/toml":         "languages",
		"github.com/openai/openai-go":        "llm/openai",
		"github.com/anthropics":              "llm/anthropic",
		"github.com/agnivade/levenshtein":    "methods/nearest",
	}
}

func TestArchitecture(t *testing.T) {
	files := goFiles(t)
	require.NotEmpty(t, files)
	used := map[string]map[string]bool{}
	for _, file := range files {
		pkg := filepath.ToSlash(filepath.Dir(file))
		may, known := allowed()[pkg]
		require.True(t, known, "%s: package %q is not in the table of arch_test.go", file, pkg)
		for _, path := range imports(t, file) {
			ours, isOurs := strings.CutPrefix(path, "assay/")
			test := strings.HasSuffix(file, "_test.go")
			if isOurs && ours != pkg && !test {
				require.Contains(t, may, ours, "%s imports %s: that arrow is not allowed", file, path)
				if used[pkg] == nil {
					used[pkg] = map[string]bool{}
				}
				used[pkg][ours] = true
			}
			for lib, owner := range only() {
				if strings.HasPrefix(path, lib) {
					require.Equal(t, owner, pkg, "%s imports %s, which only %s may", file, path, owner)
				}
			}
		}
	}
	for pkg, may := range allowed() {
		for _, ours := range may {
			require.True(t, used[pkg][ours], "%s does not import %s any more: take it out of the table", pkg, ours)
		}
	}
}

// TestArchitectureIsDocumented checks that the table of docs/architecture.md
// describes what the one above says.
func TestArchitectureIsDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	documented := map[string]bool{".": true} // the module's root has tests only
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		for _, pkg := range strings.Split(strings.ReplaceAll(cells[1], "`", ""), ",") {
			pkg = strings.TrimSpace(pkg)
			documented[pkg] = true
			if pkg == "cmd/assay" {
				continue // it wires nearly all
			}
			want, known := allowed()[pkg]
			require.True(t, known, "docs/architecture.md has a package %q, arch_test.go does not", pkg)
			var says []string
			if imports := strings.TrimSpace(cells[3]); imports != "-" {
				says = strings.Split(imports, ", ")
			}
			require.ElementsMatch(t, want, says, "docs/architecture.md: imports of %s", pkg)
		}
	}
	for pkg := range allowed() {
		require.True(t, documented[pkg], "docs/architecture.md does not have the package %q", pkg)
	}
}

// TestDriversAreNamedInCommandOnly checks that no file imports the command,
// and none but the command's and the drivers' own a driver, tests included.
func TestDriversAreNamedInCommandOnly(t *testing.T) {
	seen := 0
	for _, file := range goFiles(t) {
		pkg := filepath.ToSlash(filepath.Dir(file))
		for _, path := range imports(t, file) {
			ours, isOurs := strings.CutPrefix(path, "assay/")
			if !isOurs {
				continue
			}
			require.False(t, ours == "cmd" || strings.HasPrefix(ours, "cmd/"), "%s imports the command", file)
			if ours == "harness/docker" || ours == "harness/local" {
				seen++
				require.Contains(t, []string{"cmd/assay", ours}, pkg, "%s imports %s", file, path)
			}
		}
	}
	require.Positive(t, seen, "the command names the drivers")
}

func goFiles(t *testing.T) []string {
	var out []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && isModule(path):
			return filepath.SkipDir // a module of its own
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "data" || path != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			out = append(out, path)
		}
		return nil
	})
	require.NoError(t, err)
	return out
}

// isModule reports whether a folder is a module of its own.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

func imports(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	require.NoError(t, err)
	var out []string
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		out = append(out, path)
	}
	return out
}
