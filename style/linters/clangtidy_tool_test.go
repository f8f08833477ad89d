package linters

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/style"
)

const tidyData = "testdata/clangtidy"

// recordedRequest is the request whose outcome is recorded.
func recordedRequest(t *testing.T) (map[string]string, []string, style.Rules) {
	t.Helper()
	list, err := Rules("clang-tidy")
	require.NoError(t, err)
	return readTree(t, tidyData+"/repo"), []string{"include/stock/stock.h", "src/count.c", "src/rows.h", "src/stock.cpp"}, list.Rules()
}

func recordedFindings(t *testing.T) []bench.Finding {
	t.Helper()
	data, err := os.ReadFile(tidyData + "/findings.json")
	require.NoError(t, err)
	var out []bench.Finding
	require.NoError(t, json.Unmarshal(data, &out))
	return out
}

// TestClangTidyRecorded reads what clang-tidy 19.1.7 left once.
func TestClangTidyRecorded(t *testing.T) {
	tree, files, rules := recordedRequest(t)
	req := style.Request{Files: files, Rules: rules, Dir: tidyDir, Sources: map[string][]byte{}}
	for _, f := range files {
		req.Sources[f], _ = style.Neutralise("cpp", f, []byte(tree[f]))
	}
	res := harness.Result{End: harness.Exited, Files: map[string][]byte{}}
	for name, text := range readTree(t, tidyData+"/out") {
		res.Files[tidyDir+"/out/"+name] = []byte(text)
	}
	found, err := clangTidy{}.Read(req, res)
	require.NoError(t, err)
	require.Equal(t, recordedFindings(t), found)
}

// TestClangTidyRuns lints the recorded repository with the real tool. Its
// CMake project hides files from clang-tidy in several ways (-w, SYSTEM, its
// own .clang-tidy), lists a file twice and makes a header when configured.
func TestClangTidyRuns(t *testing.T) {
	longTidy(t)
	tree, files, rules := recordedRequest(t)
	tr := newTidyTree(t, tree, rules, files...)
	cmd, err := clangTidy{}.Lint(tr.req)
	require.NoError(t, err)
	res := tr.run(t, cmd)
	found, err := clangTidy{}.Read(tr.req, res)
	require.NoError(t, err)
	if *update {
		record(t, tr, res, found)
	}
	require.Equal(t, recordedFindings(t), found)
	require.Equal(t, []string{"borrowed", "borrowed", "unit", "database"}, ways(t, tr.req, res))
	tr.req.Dir = t.TempDir()
	again, err := tr.lint(t)
	require.NoError(t, err)
	require.Equal(t, found, again)
}

func record(t *testing.T, tr tidyTree, res harness.Result, found []bench.Finding) {
	t.Helper()
	require.NoError(t, os.RemoveAll(tidyData+"/out"))
	for name, data := range res.Files {
		text := strings.ReplaceAll(strings.ReplaceAll(string(data), tr.root, "/testbed"), tr.req.Dir, tidyDir)
		put(t, tidyData+"/out/"+filepath.Base(name), []byte(text))
	}
	data, err := json.MarshalIndent(found, "", "  ")
	require.NoError(t, err)
	put(t, tidyData+"/findings.json", append(data, '\n'))
}

// ways describes how the commands of the files were found.
func ways(t *testing.T, req style.Request, res harness.Result) []string {
	t.Helper()
	var report tidyReport
	require.NoError(t, json.Unmarshal(res.Files[req.Dir+"/out/report.json"], &report))
	var out []string
	for _, f := range report.Files {
		out = append(out, f.How)
	}
	return out
}

// TestClangTidyKnowsItsRules compares the rule list with the tool's own.
func TestClangTidyKnowsItsRules(t *testing.T) {
	list, err := Rules("clang-tidy")
	require.NoError(t, err)
	require.Len(t, list.Names, 34, "OmniCode's table 7")
	require.Equal(t, clangTidyVersion, list.Version)
	needTidy(t)
	out, err := exec.Command("clang-tidy-19", "-checks=*", "-list-checks").Output()
	require.NoError(t, err)
	for _, rule := range list.Names {
		require.Contains(t, string(out), "    "+rule+"\n")
	}
}

const magic = "cppcoreguidelines-avoid-magic-numbers"

func TestClangTidyProjects(t *testing.T) {
	const source = "#include \"n.h\"\n#ifdef EXTRA\nint f() { return EXTRA * 9; }\n#endif\n"
	cases := map[string]struct {
		tree  map[string]string
		files []string
		args  []string
		need  string
		want  []string
		how   []string
	}{
		"arguments of cmake": {
			tree: map[string]string{
				"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_library(a a.cpp)\ntarget_compile_definitions(a PRIVATE EXTRA=${EXTRA})\n",
				"a.cpp":          source, "n.h": "",
			},
			args: []string{"-DEXTRA=17 + 1"}, files: []string{"a.cpp"}, how: []string{"database"},
			want: []string{"a.cpp:3 " + magic},
		},
		"make, with a header that it generates": {
			tree: map[string]string{
				"Makefile":  "all: a.o\na.o: sub/a.cpp gen.h\n\t$(CXX) -DEXTRA=$(EXTRA) -I. -Iinc -c -o $@ $<\ngen.h:\n\techo 'inline int g() { return 3 + 40; }' >$@\n",
				"sub/a.cpp": "#include \"gen.h\"\n" + source, "inc/n.h": "inline int n() { return 77; }\n",
			},
			args: []string{"EXTRA=16"}, files: []string{"inc/n.h", "sub/a.cpp"}, need: "bear", how: []string{"borrowed", "database"},
			want: []string{"inc/n.h:1 " + magic, "sub/a.cpp:4 " + magic},
		},
		"nothing known": {
			tree:  map[string]string{"src/a.cpp": "#include \"n.h\"\nint k = n() + 5;\n", "include/n.h": "inline int n() { if constexpr (true) return 6; }\n"},
			files: []string{"include/n.h", "src/a.cpp"}, how: []string{"fallback", "fallback"},
			want: []string{"include/n.h:1 " + magic, "src/a.cpp:2 " + magic},
		},
		"a file that no target compiles": {
			tree: map[string]string{
				"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\nadd_library(a a.cpp)\ntarget_include_directories(a PRIVATE inc)\n",
				"a.cpp":          "", "b.cpp": "#include \"n.h\"\nint b() { return 8; }\n", "inc/n.h": "",
			},
			files: []string{"b.cpp"}, how: []string{"borrowed"}, want: []string{"b.cpp:2 " + magic},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			needTidy(t)
			if c.need != "" {
				needTidy(t, c.need, "make")
			}
			tr := newTidyTree(t, c.tree, tidyRules(magic), c.files...)
			tr.req.Args = c.args
			cmd, err := clangTidy{}.Lint(tr.req)
			require.NoError(t, err)
			res := tr.run(t, cmd)
			found, err := clangTidy{}.Read(tr.req, res)
			require.NoError(t, err)
			require.Equal(t, c.want, brief(found))
			require.Equal(t, c.how, ways(t, tr.req, res))
			require.Equal(t, c.tree, readTree(t, tr.root), "the tree stays as it is")
		})
	}
}

func TestClangTidyReportedErrors(t *testing.T) {
	needTidy(t)
	broken := func(t *testing.T, tree map[string]string, files ...string) map[string]string {
		_, err := newTidyTree(t, tree, tidyRules(magic), files...).lint(t)
		var b *style.BrokenError
		require.ErrorAs(t, err, &b)
		return b.Files
	}
	t.Run("files that do not parse", func(t *testing.T) {
		tree := map[string]string{"a.cpp": "int a() { return 7; }\n", "b.cpp": "int b() {\n  return 7\n}\n", "c.cpp": "#include \"d.h\"\n", "d.h": "x d;\n", "e.h": "x y;\n"}
		got := broken(t, tree, "a.cpp", "b.cpp", "c.cpp", "e.h")
		require.Equal(t, "line 2: expected ';' after return statement", got["b.cpp"])
		require.Contains(t, got["c.cpp"], "d.h: ")
		require.Contains(t, got["e.h"], "line 1: ")
		require.Len(t, got, 3)
	})
	t.Run("a project that cannot be configured", func(t *testing.T) {
		got := broken(t, map[string]string{"CMakeLists.txt": "project(\n", "a.cpp": ""}, "a.cpp")
		require.Contains(t, got["a.cpp"], "cmake cannot configure the project")
	})
	t.Run("a tool that crashes", func(t *testing.T) {
		bin := t.TempDir()
		real, err := exec.LookPath("clang-tidy-19")
		require.NoError(t, err)
		put(t, bin+"/clang-tidy-19", []byte("#!/bin/sh\nif [ \"$1\" = --version ]; then exec "+real+" --version; fi\necho gone >&2\nkill -SEGV $$\n"))
		require.NoError(t, os.Chmod(bin+"/clang-tidy-19", 0o755))
		_, err = newTidyTree(t, map[string]string{"a.cpp": ""}, tidyRules(magic), "a.cpp").lint(t, "PATH="+bin+":"+os.Getenv("PATH"))
		require.ErrorContains(t, err, "on a.cpp it ended with code -11: gone")
	})
	t.Run("no tool", func(t *testing.T) {
		_, err := newTidyTree(t, map[string]string{"a.cpp": ""}, tidyRules(magic), "a.cpp").lint(t, "PATH="+t.TempDir())
		var failed *style.ToolError
		require.ErrorAs(t, err, &failed)
		require.Contains(t, failed.Reason, "clang-tidy-19 is not installed")
	})
}

// TestClangTidyHidingPlaces: what a project may do when it is configured does
// not keep findings away unseen.
func TestClangTidyHidingPlaces(t *testing.T) {
	longTidy(t)
	cmake := func(line string) string {
		return "cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\n" + line + "\nadd_library(a a.cpp)\n"
	}
	t.Run("settings overwritten", func(t *testing.T) {
		tree := map[string]string{"a.cpp": "int a() { return 7; }\n", "CMakeLists.txt": cmake(`file(GLOB_RECURSE own ${CMAKE_BINARY_DIR}/../../*.json ${CMAKE_BINARY_DIR}/../../*.py)
foreach(f ${own})
  file(WRITE ${f} "{}")
endforeach()
execute_process(COMMAND sh -c "(while :; do rm -rf ../../out/*; sleep 0.01; done) >/dev/null 2>&1 </dev/null &" WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
file(WRITE ${CMAKE_BINARY_DIR}/../../out/report.json "{}")`)}
		found, err := newTidyTree(t, tree, tidyRules(magic), "a.cpp").lint(t)
		require.NoError(t, err)
		require.Equal(t, []string{"a.cpp:1 " + magic}, brief(found))
	})
	t.Run("source overwritten", func(t *testing.T) {
		tree := map[string]string{"a.cpp": "int a() { return 7; }\n", "CMakeLists.txt": cmake(`file(WRITE a.cpp "")`)}
		_, err := newTidyTree(t, tree, tidyRules(magic), "a.cpp").lint(t)
		require.ErrorContains(t, err, "a.cpp was changed before it was linted")
	})
}
