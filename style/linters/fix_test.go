package linters

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"assay/style"
)

const mended = "mended/" // before the names of what a fixer changes

// TestFix runs the fixers that are installed.
func TestFix(t *testing.T) {
	tests := map[string]style.Fixer{"pylint": Pylint{}, "pmd": PMD{}}
	for name, fixer := range tests {
		t.Run(name, func(t *testing.T) {
			if name == "pmd" {
				toolsDir(t, "pmd/fixer")
			}
			path := filepath.Join("testdata/fix", name+".txtar")
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			req, want := fixRequest(t, name, archive)
			cmd, err := fixer.Fix(req)
			require.NoError(t, err)
			res := execute(t, name, req, cmd)
			require.Zero(t, res.ExitCode)
			got := map[string]string{}
			for _, p := range req.Files {
				if text := string(res.Files["/testbed/"+p]); text != string(req.Sources[p]) {
					got[p] = text
				}
			}
			if *update {
				keep(t, path, archive, got)
				want = got
			}
			require.Equal(t, want, got)
		})
	}
}

func fixRequest(t *testing.T, linter string, archive *txtar.Archive) (style.Request, map[string]string) {
	f, err := Rules(linter)
	require.NoError(t, err)
	req := style.Request{Rules: f.Rules(), Dir: "/assay/a1b2c3", Sources: map[string][]byte{}}
	want := map[string]string{}
	for _, f := range archive.Files {
		if p, ok := strings.CutPrefix(f.Name, mended); ok {
			want[p] = string(f.Data)
			continue
		}
		req.Files = append(req.Files, f.Name)
		req.Sources[f.Name] = f.Data
	}
	slices.Sort(req.Files)
	return req, want
}

func keep(t *testing.T, path string, archive *txtar.Archive, got map[string]string) {
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, mended) })
	for _, p := range slices.Sorted(maps.Keys(got)) {
		archive.Files = append(archive.Files, txtar.File{Name: mended + p, Data: []byte(got[p])})
	}
	require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o666))
}

// TestFixKeepsBytes has sources that are not UTF-8, and lines that end as on
// Windows.
func TestFixKeepsBytes(t *testing.T) {
	toolsDir(t, "pmd/fixer")
	const text = "class A {\r\n  // \xe9\r\n  int f() {\r\n    return (1);\r\n  }\r\n}\r\n"
	req := style.Request{
		Rules: style.Rules{Names: []string{"UselessParentheses"}}, Dir: "/assay/a1b2c3",
		Files: []string{"A.java", "module-info.java"}, Sources: map[string][]byte{"A.java": []byte(text), "module-info.java": []byte("module a { }\n")},
	}
	cmd, err := PMD{}.Fix(req)
	require.NoError(t, err)
	res := execute(t, "pmd", req, cmd)
	require.Zero(t, res.ExitCode)
	require.Equal(t, strings.Replace(text, "(1)", "1", 1), string(res.Files["/testbed/A.java"]))
	require.Equal(t, "module a { }\n", string(res.Files["/testbed/module-info.java"]))
}

func TestFixNothing(t *testing.T) {
	for _, f := range []style.Fixer{Pylint{}, PMD{}} {
		cmd, err := f.Fix(style.Request{Rules: style.Rules{Names: []string{"no-such-rule"}}, Files: []string{"a"}})
		require.NoError(t, err)
		require.Equal(t, style.Command{Script: "exit 0\n"}, cmd)
	}
}

// TestCommands keeps what is run and installed: a change is meant.
func TestCommands(t *testing.T) {
	req := style.Request{Files: []string{"-a.b", "@c/it's d.e", "f.g"}, Dir: "/assay/a1b2c3"}
	rules := map[string]style.Rules{
		"pylint":     {Names: []string{"unused-argument", "unused-import"}, Options: map[string]map[string]string{"unused-argument": {"ignored-argument-names": "_.*"}}},
		"pmd":        {Names: []string{"CyclomaticComplexity", "UselessParentheses"}, Options: map[string]map[string]string{"CyclomaticComplexity": {"methodReportLevel": "5", "x": `"<`}}},
		"checkstyle": {Names: []string{"FileTabCharacter", "MagicNumber"}, Options: map[string]map[string]string{"MagicNumber": {"ignoreNumbers": "1, 2"}}},
	}
	for _, l := range []style.Linter{Pylint{}, PMD{}, Checkstyle{}} {
		name := l.About().Name
		t.Run(name, func(t *testing.T) {
			req.Rules = rules[name]
			archive := &txtar.Archive{}
			install := l.Install()
			add := func(name, data string) {
				archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(data)})
			}
			add("install", fmt.Sprintf("%s\n%v\n%s", install.Name, install.Packages, install.Script))
			for _, f := range install.Files {
				add(f.Path, string(f.Data))
			}
			cmd, err := l.Lint(req)
			require.NoError(t, err)
			addCommand(add, "lint", cmd)
			if f, ok := l.(style.Fixer); ok {
				cmd, err := f.Fix(req)
				require.NoError(t, err)
				addCommand(add, "fix", cmd)
			}
			golden(t, filepath.Join("testdata/lint", name+".txtar"), txtar.Format(archive))
		})
	}
}

func addCommand(add func(name, data string), what string, cmd style.Command) {
	add(what, strings.TrimSuffix(cmd.Script, "\n")+"\n")
	add(what+" env", strings.Join(cmd.Env, "\n"))
	add(what+" collect", strings.Join(cmd.Collect, "\n"))
	for _, f := range cmd.Files {
		if !strings.HasSuffix(f.Path, ".py") && !strings.HasSuffix(f.Path, ".java") {
			add(what+" "+f.Path, string(f.Data))
		}
	}
}

func golden(t *testing.T, path string, got []byte) {
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestLintRefusesUnknownRules(t *testing.T) {
	for _, l := range []style.Linter{PMD{}, Checkstyle{}} {
		_, err := l.Lint(style.Request{Rules: style.Rules{Names: []string{"NoSuchRule"}}, Dir: "/assay/a"})
		require.ErrorContains(t, err, `rule "NoSuchRule" is not one of`)
		cmd, err := l.Lint(style.Request{Rules: style.Rules{Names: []string{"NoSuchRule"}, Config: []byte("own")}, Dir: "/assay/a"})
		require.NoError(t, err, "a configuration of one's own may have rules of one's own")
		require.Condition(t, func() bool {
			for _, f := range cmd.Files {
				if string(f.Data) == "own" {
					return true
				}
			}
			return false
		})
	}
}
