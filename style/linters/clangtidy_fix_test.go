package linters

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/style"
)

func fixTidy(t *testing.T, tr tidyTree) map[string]string {
	t.Helper()
	cmd, err := ClangTidy().(style.Fixer).Fix(tr.req)
	require.NoError(t, err)
	require.Zero(t, tr.run(t, cmd).ExitCode)
	return readTree(t, tr.root)
}

func TestClangTidyFix(t *testing.T) {
	cases := map[string]struct {
		tree  map[string]string
		files []string
		rules []string
		want  map[string]string // what differs afterwards
	}{
		"only the files asked for": {
			tree: map[string]string{
				"a.cpp": "#include \"a.h\"\nS::S() : x(0), y(1) {}\nint f() { int n = 1; int k; return n; }\n",
				"a.h":   "#pragma once\nstruct S { S(); int x; int y; };\n",
			},
			files: []string{"a.cpp"},
			rules: []string{"cppcoreguidelines-init-variables", "cppcoreguidelines-use-default-member-init", "misc-const-correctness"},
			want: map[string]string{
				"a.cpp": "#include \"a.h\"\nS::S() : x(0), y(1) {}\nint f() { int const n = 1; int const k = 0; return n; }\n",
			},
		},
		"a header, with the commas of an initialiser list": {
			tree: map[string]string{
				"a.cpp": "#include \"a.h\"\n", "a.h": "#pragma once\nstruct S { S() : x(0), y(1) {} int x; int y; };\n",
			},
			files: []string{"a.h"}, rules: []string{"cppcoreguidelines-use-default-member-init"},
			want: map[string]string{"a.h": "#pragma once\nstruct S { S()  {} int x{0}; int y{1}; };\n"},
		},
		"an edit that the compiler refuses": {
			tree: map[string]string{
				"a.cpp": "#include <cstring>\n#ifndef __clang__\nlong l(const char *s) { return std::strlen(s); }\n#endif\nint f() { int n = 1; return n; }\n",
			},
			files: []string{"a.cpp"}, rules: []string{"misc-const-correctness", "misc-include-cleaner"},
			want: map[string]string{
				"a.cpp": "#include <cstring>\n#ifndef __clang__\nlong l(const char *s) { return std::strlen(s); }\n#endif\nint f() { int const n = 1; return n; }\n",
			},
		},
		"a file that does not parse": {
			tree:  map[string]string{"a.cpp": "int f() { int n = 1; return n }\n", "b.cpp": "int g() { int n = 1; return n; }\n"},
			files: []string{"a.cpp", "b.cpp"}, rules: []string{"misc-const-correctness"},
			want: map[string]string{"b.cpp": "int g() { int const n = 1; return n; }\n"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			needTidy(t)
			want := map[string]string{}
			for p, text := range c.tree {
				want[p] = text
			}
			for p, text := range c.want {
				want[p] = text
			}
			require.Equal(t, want, fixTidy(t, newTidyTree(t, c.tree, tidyRules(c.rules...), c.files...)))
		})
	}
}

// TestClangTidyFixHelps fixes the recorded repository.
func TestClangTidyFixHelps(t *testing.T) {
	longTidy(t)
	tree, files, rules := recordedRequest(t)
	tr := newTidyTree(t, tree, rules, files...)
	fixTidy(t, tr)
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(tr.root, f))
		require.NoError(t, err)
		tr.req.Sources[f] = data
	}
	tr.req.Dir = t.TempDir()
	left, err := tr.lint(t)
	require.NoError(t, err)
	require.Less(t, len(left), len(recordedFindings(t)))
	for _, f := range left {
		require.NotContains(t, []string{"cppcoreguidelines-init-variables", "misc-const-correctness", "cppcoreguidelines-use-default-member-init"}, f.Rule, "%+v", f)
	}
}

func TestClangTidyInstall(t *testing.T) {
	r := ClangTidy().Install()
	require.Contains(t, r.Packages, "clang-tidy-19")
	require.Nil(t, r.Parent)
	require.Empty(t, r.Base)
	require.Contains(t, r.Script, "/opt/assay/clang-tidy/version")
}
