package main

import (
	_ "embed"
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/harness"
	"assay/languages"
	"assay/languages/reports"
	"assay/languages/syntax"
)

// Shell is a language: scripts for sh. Tests are functions test_NAME in files
// of a folder "tests", each run in a shell of its own. Their ids are
// FILE::FUNCTION.
type Shell struct{}

var _ languages.Language = Shell{}

// runTests is the runner. It writes its report in TAP.
//
//go:embed shell_run.sh
var runTests []byte

// About implements languages.Language.
func (Shell) About() bench.Language {
	return bench.Language{
		Name: "shell", Title: "Shell", Aliases: []string{"sh"},
		Sources: []string{".sh"}, Tests: []string{".sh"},
	}
}

// Classify implements languages.Language.
func (Shell) Classify(p string) languages.PathKind {
	p = path.Clean(strings.TrimPrefix(strings.ReplaceAll(p, `\`, "/"), "/"))
	switch {
	case slices.Contains(strings.Split(path.Dir(p), "/"), "tests"):
		return languages.TestPath
	case path.Ext(p) == ".md":
		return languages.DocPath
	}
	return languages.SourcePath
}

// Tests implements languages.Language. A test ends with the first "}" at the
// start of a line.
func (Shell) Tests(p string, src []byte) ([]syntax.Test, error) {
	head := regexp.MustCompile(`^(test_\w+)\(\) \{`)
	var out []syntax.Test
	open := false
	for i, line := range strings.Split(string(src), "\n") {
		if m := head.FindStringSubmatch(line); m != nil {
			out, open = append(out, syntax.Test{ID: p + "::" + m[1], Start: i + 1, End: i + 1}), true
		}
		if open {
			out[len(out)-1].End = i + 1
			open = !strings.HasPrefix(line, "}")
		}
	}
	return out, nil
}

// Finder implements languages.Language: ids are published as they are.
func (Shell) Finder(known []string) func(string) []string { return languages.ExactIDs(known) }

// PublishedFiles implements languages.Language.
func (Shell) PublishedFiles(published []string, repo languages.Repository) []string {
	var out []string
	for _, id := range published {
		if file, _, ok := strings.Cut(id, "::"); ok && repo.Text(file) != "" {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Defaults implements languages.Language: every image has a shell.
func (Shell) Defaults(env bench.Env, _ languages.Facts) (bench.Env, []bench.Decision, error) {
	if env.Framework != "" {
		return env, nil, nil
	}
	env.Framework = "tap"
	return env, []bench.Decision{{Field: "framework", Value: env.Framework, Why: "shell scripts have no other"}}, nil
}

// Warm implements languages.Language: there is nothing to build.
func (Shell) Warm(bench.Env, languages.Suite) string { return "" }

// Command implements languages.Language.
func (Shell) Command(_ bench.Env, suite languages.Suite) languages.Command {
	report := suite.ReportDir() + "/report.tap"
	runner := path.Join(path.Dir(suite.ReportDir()), "run.sh")
	return languages.Command{
		Script:  "sh " + runner + " " + report + " " + strings.Join(suite.Files, " ") + "\n",
		Files:   []harness.File{{Path: runner, Data: runTests, Mode: 0o644}},
		Reports: []string{report},
		Format:  reports.MakeText,
	}
}
