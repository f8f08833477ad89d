// Package setupagent has a model make environments, as SetUpAgent does: it
// reads what a project needs from its files, names the cause of a failure,
// and repairs the part that has the cause. Package collect runs the recipes
// and bounds how often the model is asked.
package setupagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"assay/collect"
	"assay/llm"
	"assay/llm/prompts"
)

// Agent is a model as a collect.Fitter.
type Agent struct {
	Client  llm.Client
	Model   string // provider/model
	Prompts prompts.Set
}

var _ collect.Fitter = Agent{}

// maxTokens bounds an answer, with room for models that think in tokens.
const maxTokens = 8192

// tries is how often the model is asked for an answer that can be read.
const tries = 2

// Name implements collect.Fitter.
func (a Agent) Name() string { return a.Model }

// Extract implements collect.Fitter. Answers that cannot be read are an empty
// recipe.
func (a Agent) Extract(ctx context.Context, s collect.Site) (collect.Recipe, error) {
	inferred := ""
	if s.Inferred != nil {
		inferred = jsonOf(*s.Inferred)
	}
	data := func(retry string) any {
		return prompts.SetupExtractData{
			Language: collect.RecipeFormOf(s.Instance.Language).Title, Repo: s.Instance.Repo, Date: day(s), Inferred: inferred, Failure: s.Failure,
			Documents: documents(s), Fields: fields(s, ""), Retry: retry,
		}
	}
	var found collect.Recipe
	_, err := a.insist(ctx, prompts.SetupExtract, s, data, func(answer string) (err error) {
		found, err = readRecipe(answer, s.Instance.Language)
		return err
	})
	return found, err
}

// Diagnose implements collect.Fitter.
func (a Agent) Diagnose(ctx context.Context, s collect.Site, r collect.Recipe, failure string) (collect.Cause, string, error) {
	data := func(retry string) any {
		return prompts.SetupCauseData{
			Language: collect.RecipeFormOf(s.Instance.Language).Title, Repo: s.Instance.Repo, Date: day(s), Recipe: jsonOf(r), Failure: failure, Retry: retry,
		}
	}
	cause, reason := collect.CauseUndecidable, "the answer could not be read"
	_, err := a.insist(ctx, prompts.SetupCause, s, data, func(answer string) error {
		c, why, err := prompts.ReadCause(answer)
		if err == nil {
			cause, reason = collect.Cause(c), why
		}
		return err
	})
	return cause, reason, err
}

// Repair implements collect.Fitter. Of the answer, it only takes the part that the
// cause is in.
func (a Agent) Repair(ctx context.Context, s collect.Site, r collect.Recipe, c collect.Cause, reasoning, failure string) (collect.Recipe, bool, error) {
	tried := jsonOf(r)
	data := func(retry string) any {
		return prompts.SetupRepairData{
			Language: collect.RecipeFormOf(s.Instance.Language).Title, Repo: s.Instance.Repo, Date: day(s), Recipe: tried, Failure: failure,
			Cause: strings.ReplaceAll(string(c), "_", " "), Reason: reasoning, Documents: documents(s), Fields: fields(s, c), Retry: retry,
		}
	}
	changed := false
	ok, err := a.insist(ctx, prompts.SetupRepair, s, data, func(answer string) error {
		if strings.Trim(answer, " \t\n`*.<>") == "NONE" {
			return nil
		}
		found, err := readRecipe(answer, s.Instance.Language)
		if err != nil {
			return err
		}
		next := merge(r, found, c)
		if changed = !same(next, r); !changed {
			return errors.New("it changes nothing in this part")
		}
		r = next
		return nil
	})
	return r, ok && changed, err
}

// merge takes the part that a cause is in.
func merge(r, found collect.Recipe, c collect.Cause) collect.Recipe {
	switch c {
	case collect.CauseToolChain:
		r.ToolChain = found.ToolChain
	case collect.CauseInstall:
		r.Packages, r.Install, r.Variables = found.Packages, found.Install, found.Variables
	case collect.CauseTesting:
		r.Arguments, r.Variables, r.Framework = found.Arguments, found.Variables, found.Framework
	}
	return r
}

func same(a, b collect.Recipe) bool { return jsonOf(a) == jsonOf(b) }

// jsonOf is what a model is shown of a value that always has a JSON form.
func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// insist asks until read accepts an answer; ok is false if it accepted none, if
// the model refused, or if the question was too long. All other failures of the
// model are errors.
func (a Agent) insist(ctx context.Context, prompt string, s collect.Site, data func(retry string) any, read func(answer string) error) (ok bool, err error) {
	retry := ""
	for try := range tries {
		text, err := a.Prompts.Render(prompt, data(retry))
		if err != nil {
			return false, err
		}
		res, err := a.Client.Complete(ctx, llm.Request{
			Model: a.Model, Messages: []llm.Message{{Role: llm.User, Text: text}}, MaxTokens: maxTokens, Purpose: "setup/" + s.Instance.ID, Sample: try,
		})
		var e *llm.Error
		if errors.As(err, &e) && (e.Class == llm.Refused || e.Class == llm.TooLong) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("setting %s up: %w", s.Instance.ID, err)
		}
		wrong := read(res.Text)
		if wrong == nil {
			return true, nil
		}
		retry = wrong.Error()
	}
	return false, nil
}

// day is that of the change.
func day(s collect.Site) string {
	d, _, _ := strings.Cut(s.Instance.CreatedAt, "T")
	return d
}

func documents(s collect.Site) []prompts.Document {
	var out []prompts.Document
	for _, d := range s.Documents {
		out = append(out, prompts.Document{Path: d.Path, Text: d.Text})
	}
	return out
}

// fields describes the fields that are asked for, a line each; with a cause
// only those of its part.
func fields(s collect.Site, c collect.Cause) string {
	form := collect.RecipeFormOf(s.Instance.Language)
	var lines []string
	add := func(of collect.Cause, name, what string) {
		if what != "" && (c == "" || c == of || name == "variables" && c != collect.CauseToolChain) {
			lines = append(lines, fmt.Sprintf("- %q: %s", name, what))
		}
	}
	add(collect.CauseToolChain, "tool_chain", form.ToolChain)
	add(collect.CauseInstall, "packages", "list of Debian packages that are needed in addition")
	add(collect.CauseInstall, "install", "list of shell commands, "+form.Install)
	add(collect.CauseInstall, "variables", "object of environment variables")
	add(collect.CauseTesting, "arguments", "list of arguments of "+form.Runner+" that are needed in addition")
	add(collect.CauseTesting, "framework", "the test runner ("+form.Frameworks+"), where it is not the one that was chosen")
	return strings.Join(lines, "\n")
}
