package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

func TestCppSourcesOf(t *testing.T) {
	commit := "8982e1ee6aef31e48170400b7d1dc9969b156e5e"
	repo := cppRepo{
		".gitmodules": "[submodule \"x\"]\n\tpath = dependencies/benchmark\n\turl = https://github.com/google/benchmark.git\n[submodule \"gone\"]\n\tpath = gone\n\turl = https://github.com/a/gone\n",
		"CMakeLists.txt": `
FetchContent_Declare(googletest GIT_REPOSITORY https://github.com/google/googletest.git GIT_TAG v1.14.0)
FetchContent_Declare(other URL https://github.com/a/other/archive/refs/tags/v2.zip)
FetchContent_Declare(local GIT_REPOSITORY ${DIR} GIT_TAG HEAD)
ExternalProject_Add(tool GIT_REPOSITORY https://example.org/b/tool)
`,
		"cmake/data.cmake": `
set(DATA_URL https://github.com/a/data)
set(DATA_VERSION 3.1.0)
add_custom_target(download COMMAND git clone --branch v${DATA_VERSION} ${DATA_URL}.git --depth 1)
`,
		"cmake/import.cmake": `
set(root "${foo_SOURCE_DIR}/dependencies/.cache")
if(DEFINED ENV{cache})
  set(root "$ENV{cache}")
endif()
function(import NAME REPO COMMIT)
  set(target "${root}/${NAME}")
  if(EXISTS "${target}")
    return()
  endif()
  set(url "https://github.com/${REPO}/archive/${COMMIT}.zip")
  file(DOWNLOAD "${url}" "${root}/archive.zip")
endfunction()
import(opts jarro/opts 794c975)
`,
	}
	got, why := cppSourcesOf(Facts{Repo: repo, Links: map[string]string{"dependencies/benchmark": commit}}, cmakeFiles(repo))
	require.Equal(t, []bench.Source{
		{Repo: "https://github.com/google/benchmark.git", Ref: commit, Path: "dependencies/benchmark"},
		{Repo: "https://github.com/google/googletest.git", Ref: "v1.14.0", Name: "googletest"},
		{Repo: "https://github.com/a/other", Ref: "v2", Name: "other"},
		{Repo: "https://example.org/b/tool", Ref: "HEAD"},
		{Repo: "https://github.com/a/data.git", Ref: "v3.1.0"},
		{Repo: "jarro/opts", Ref: "794c975", Path: "dependencies/.cache/opts"},
	}, got)
	require.Len(t, why, len(got))
	require.Equal(t, bench.Decision{Field: "sources", Value: "https://github.com/google/benchmark.git@" + commit, Why: "a submodule", File: ".gitmodules", Line: 1}, why[0])
	require.Equal(t, 14, why[5].Line)
}

func TestRepoName(t *testing.T) {
	for url, want := range map[string]string{
		"https://github.com/a/b.git": "a/b",
		"git@github.com:a/b.git":     "a/b",
		"../b.git":                   "own/b",
		"../../c/b.git":              "c/b",
		"a/b":                        "a/b",
		"https://example.org/a/b":    "https://example.org/a/b",
	} {
		require.Equal(t, want, repoName("own/repo", url), url)
	}
}

func FuzzSubmodules(f *testing.F) {
	f.Add("[submodule \"a\"]\npath = b\nurl = c\n")
	f.Add("path = b\n[submodule")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range submodules(text) {
			require.Positive(t, m.line)
		}
	})
}

func TestBranchName(t *testing.T) {
	for ref, want := range map[string]string{"origin/main": "main", "refs/heads/a/b": "a/b", "refs/tags/v1": "v1", "v1": "v1", "HEAD": "HEAD"} {
		require.Equal(t, want, branchName(ref))
	}
}
