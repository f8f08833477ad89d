package linters

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"assay/harness"
	"assay/style"
)

// clangTidyVersion is Debian 12's, which has no later one and gets only fixes.
const clangTidyVersion = "19.1.7"

// warmBuild is where languages builds C++ projects in an environment.
const warmBuild = "/build"

//go:embed clangtidy/*.py
var clangTidyScripts embed.FS

// ClangTidy is clang-tidy 19 for C and C++ (clang.llvm.org/extra/clang-tidy).
//
// Each file is linted by itself, with the flags that the project compiles it
// with: CMake projects are configured, in a directory outside the tree, never
// built; projects with a Makefile or configure are built in a copy under
// Bear, Request.Args being arguments of make; others get plain flags. A
// header is linted as a main file, or, where it does not compile by itself,
// through one translation unit that includes it. The repository's .clang-tidy
// is never read. The static analyzer works in its shallow mode unless the
// option mode of clang-analyzer says "deep" (ten times the time).
//
// Columns count bytes.
func ClangTidy() style.Linter { return clangTidy{} }

type clangTidy struct{}

var _ style.Fixer = clangTidy{}

func (clangTidy) About() style.About {
	return style.About{Name: "clang-tidy", Language: "cpp", Version: clangTidyVersion}
}

// Rules implements style.RuleLister.
func (clangTidy) Rules() (style.RuleFile, error) { return Rules("clang-tidy") }

// LintFiles is how many files of an instance are linted: each takes seconds.
func (clangTidy) LintFiles() int { return 15 }

// Silence is the comment that silences the linter on a line.
func (clangTidy) Silence() string { return " // NOLINT" }

// Install takes Debian's packages without their exact version: Debian keeps
// one only. What was installed is written down, and refused where it is of
// another series.
func (clangTidy) Install() harness.Recipe {
	return harness.Recipe{
		Name:     "clang-tidy 19",
		Packages: []string{"bear", "clang-tidy-19"},
		Script: `mkdir -p /opt/assay/clang-tidy
dpkg-query -W -f='${Package} ${Version}\n' bear clang-tidy-19 clang-tools-19 libclang-common-19-dev >/opt/assay/clang-tidy/version
clang-tidy-19 --version | grep -F 'LLVM version 19.1.'
clang-apply-replacements-19 --version >/dev/null
`,
	}
}

func (clangTidy) Lint(req style.Request) (style.Command, error) {
	return tidyCommand(req, false)
}

// Fix applies the fixes that the tool itself offers for the rules, to the
// files asked for and no others. An edit after which a file does not parse, or
// no longer compiles, is taken back; fixes of notes are never taken.
func (clangTidy) Fix(req style.Request) (style.Command, error) {
	return tidyCommand(req, true)
}

// tidyRequest is what the scripts get.
type tidyRequest struct {
	Files    []string `json:"files"`
	Args     []string `json:"args"`
	Rules    []string `json:"rules"`
	Config   string   `json:"config"`
	Analyzer []string `json:"analyzer"` // settings: key=value
	Warnings bool     `json:"warnings"` // the compiler's own count, too
	Warm     string   `json:"warm"`
	Fix      bool     `json:"fix"`
}

func tidyCommand(req style.Request, fix bool) (style.Command, error) {
	config, err := tidyConfig(req.Rules)
	if err != nil {
		return style.Command{}, err
	}
	data, err := json.Marshal(tidyRequest{
		Files: req.Files, Args: append([]string{}, req.Args...), Rules: append([]string{}, req.Rules.Names...),
		Config: config, Analyzer: tidyAnalyzer(req.Rules), Warnings: tidyWarnings(req.Rules), Warm: warmBuild, Fix: fix,
	})
	if err != nil {
		return style.Command{}, fmt.Errorf("writing clang-tidy's request: %w", err)
	}
	cmd := style.Command{
		// The system's own Python, of whose YAML library the package
		// depends; it reads neither the environment nor the repository.
		Script:  fmt.Sprintf("exec /usr/bin/python3 -I '%s/lint.py' '%s'\n", req.Dir, req.Dir),
		Files:   []harness.File{{Path: req.Dir + "/request.json", Data: data}},
		Collect: []string{req.Dir + "/out/*.json", req.Dir + "/out/*.yaml"},
	}
	scripts, err := tidyScripts(req.Dir)
	cmd.Files = append(cmd.Files, scripts...)
	return cmd, err
}

func tidyScripts(dir string) ([]harness.File, error) {
	var out []harness.File
	err := fs.WalkDir(clangTidyScripts, "clangtidy", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := clangTidyScripts.ReadFile(path)
		out = append(out, harness.File{Path: dir + strings.TrimPrefix(path, "clangtidy"), Data: data})
		return err
	})
	return out, err
}
