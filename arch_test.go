package assay

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allowed says which of our packages each package may import. A new arrow is a
// decision: add it here, with the package's place in mind (docs/architecture.md).
func allowed() map[string][]string {
	return map[string][]string{
		".":                {},
		"scripts/mutate":   {},
		"scripts/linters":  {"harness", "style/linters"},
		"bench":            {"internal/parquet"},
		"harness":          {},
		"internal/hub":     {},
		"internal/parquet": {},
		"internal/patch":   {},
		"internal/mirror":  {"internal/patch"},
		"languages/syntax": {},
		"llm":              {},
		"llm/prompts":      {},

		"harness/docker":      {"harness"},
		"harness/local":       {"harness"},
		"harness/harnesstest": {"harness"},
		"languages/reports":   {"bench"},
		"report":              {"bench", "internal/patch"},
		"samples":             {"bench"},
		"llm/gemini":          {"llm"},
		"llm/openai":          {"llm"},
		"llm/anthropic":       {"llm"},
		"llm/llmtest":         {"llm"},

		"languages": {"bench", "harness", "internal/mirror", "internal/patch", "languages/reports", "languages/syntax"},

		"style":         {"bench", "harness", "languages", "internal/patch", "languages/syntax"},
		"style/linters": {"bench", "harness", "style"},
		"review":        {"bench", "languages", "languages/syntax", "llm", "llm/prompts", "internal/patch"},
		"badpatch":      {"bench", "harness", "languages", "languages/syntax", "llm", "llm/prompts", "tasks", "internal/patch"},
		"tasks":         {"bench", "harness", "languages", "style", "style/linters", "internal/patch"},
		"agents":        {"bench", "harness", "languages", "style", "internal/patch"},
		"dataset":       {"bench", "harness", "languages", "review", "style", "tasks", "internal/patch"},

		"cmd/assay": {
			"agents", "badpatch", "bench", "dataset", "harness", "harness/docker", "harness/local", "internal/hub", "internal/mirror", "internal/patch", "languages",
			"llm", "llm/anthropic", "llm/gemini", "llm/openai", "llm/prompts", "report", "review", "samples", "style", "style/linters", "tasks",
		},
	}
}

// only says which package alone may import a library, so that it can be
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
	}
}

func TestArchitecture(t *testing.T) {
	files := goFiles(t)
	require.NotEmpty(t, files)
	for _, file := range files {
		pkg := filepath.ToSlash(filepath.Dir(file))
		may, known := allowed()[pkg]
		require.True(t, known, "%s: package %q is not in the table of arch_test.go", file, pkg)
		for _, path := range imports(t, file) {
			ours, isOurs := strings.CutPrefix(path, "assay/")
			test := strings.HasSuffix(file, "_test.go")
			if isOurs && ours != pkg && !test {
				require.Contains(t, may, ours, "%s imports %s: that arrow is not allowed", file, path)
			}
			for lib, owner := range only() {
				if strings.HasPrefix(path, lib) {
					require.Equal(t, owner, pkg, "%s imports %s, which only %s may", file, path, owner)
				}
			}
		}
	}
}

// TestDriversAreNamedInCommandOnly holds that no file imports the command, and
// none but the command's and the drivers' own a driver, tests included.
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
