package linters

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/style"
)

func TestClangTidyConfig(t *testing.T) {
	config, err := tidyConfig(style.Rules{
		Names: []string{"a-b", "clang-analyzer-core.X"},
		Options: map[string]map[string]string{
			"a-b": {"Limit": "3"}, "clang-analyzer-core.X": {"Deep": "true"}, "clang-analyzer": {"mode": "deep", "max-nodes": "9"},
		},
	})
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(config), &got))
	require.Equal(t, "-*,a-b,clang-analyzer-core.X", got["Checks"])
	require.Equal(t, map[string]any{"a-b.Limit": "3", "clang-analyzer-core.X:Deep": "true"}, got["CheckOptions"])
	require.Equal(t, false, got["SystemHeaders"])
	require.Equal(t, []string{"max-nodes=9", "mode=deep"}, tidyAnalyzer(style.Rules{Options: map[string]map[string]string{"clang-analyzer": {"mode": "deep", "max-nodes": "9"}}}))
	require.Equal(t, []string{"mode=shallow"}, tidyAnalyzer(style.Rules{}))
}

func TestClangTidyConfigRefused(t *testing.T) {
	for name, rules := range map[string]style.Rules{
		"no rule":                {},
		"a pattern":              {Names: []string{"misc-*"}},
		"a list":                 {Names: []string{"a-b,c-d"}},
		"a rule turned off":      {Names: []string{"-a-b"}},
		"the repository's rules": {Config: []byte("InheritParentConfig: true\nChecks: '*'\n")},
		"no YAML":                {Config: []byte("\t{")},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ClangTidy().Lint(style.Request{Files: []string{"a.cpp"}, Rules: rules, Dir: "/d"})
			require.Error(t, err)
		})
	}
}

// TestClangTidyOptions: options and a user's own configuration reach the tool.
func TestClangTidyOptions(t *testing.T) {
	needTidy(t)
	tree := map[string]string{"a.cpp": "int a() { return 7 + 8; }\nint g = 0;\n"}
	for name, c := range map[string]struct {
		rules style.Rules
		want  []string
	}{
		"an option": {
			style.Rules{Names: []string{magic}, Options: map[string]map[string]string{magic: {"IgnoredIntegerValues": "7;8"}}},
			[]string{},
		},
		"own configuration": {
			style.Rules{Config: []byte("Checks: '-*,cppcoreguidelines-avoid-non-const-*'\nWarningsAsErrors: '*'\n")},
			[]string{"a.cpp:2 cppcoreguidelines-avoid-non-const-global-variables"},
		},
		"the compiler's own warnings": {
			style.Rules{Names: []string{"clang-diagnostic-return-type", magic}, Options: map[string]map[string]string{magic: {"IgnoredIntegerValues": "7"}}},
			[]string{"a.cpp:1 " + magic},
		},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := newTidyTree(t, tree, c.rules, "a.cpp").lint(t)
			require.NoError(t, err)
			require.Equal(t, c.want, brief(found))
		})
	}
}
