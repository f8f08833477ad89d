package main

import (
	"context"
	"regexp"
	"strings"

	"assay/agents"
	"assay/languages"
	"assay/tasks"
)

// Tidy is an agent without a model: it takes TODO comments out, and returns what
// the line before gave a name to.
type Tidy struct{}

var _ agents.Agent = Tidy{}

// Name implements agents.Agent.
func (Tidy) Name() string { return "tidy" }

// Solves implements agents.Agent.
func (Tidy) Solves(k tasks.Kind) bool { return k.Name() == "shorten" || k.Name() == "style" }

// Solve implements agents.Agent.
func (Tidy) Solve(ctx context.Context, w agents.Work) (agents.Outcome, error) {
	patch, err := tidy(ctx, w.Machine, w.Task)
	return agents.Outcome{Patch: patch, End: agents.Done}, err
}

func tidy(ctx context.Context, m languages.Machine, t tasks.Task) (string, error) {
	edit, files := direct, of(t).Files
	if t.Style != nil {
		edit, files = done, t.Style.Files
	}
	bed, err := m.Open(ctx, t.Instance)
	if err != nil {
		return "", err
	}
	tree, _, err := bed.Tree(ctx, languages.Variant{Name: "tidy", Code: t.StartPatch()}, files...)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, file := range files {
		text, err := tasks.Text(tree, file)
		if err != nil {
			return "", err
		}
		if now := edit(string(text)); now != string(text) {
			out.WriteString(tasks.Diff(file, text, []byte(now)))
		}
	}
	return out.String(), nil
}

// done takes out the lines that are TODO comments.
func done(text string) string {
	return regexp.MustCompile(`(?m)^[ \t]*# *TODO.*\n`).ReplaceAllString(text, "")
}

// direct returns a value without naming it first.
func direct(text string) string {
	return regexp.MustCompile(`(?m)^( +)result = (.*)\n +return result$`).ReplaceAllString(text, "${1}return $2")
}
