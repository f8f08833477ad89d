package tasks

import (
	"assay/languages"
	"assay/llm/prompts"
)

// Prompt is what an agent is asked.
func (BugFix) Prompt(set prompts.Set, t Task) (string, error) {
	return set.Render(prompts.Bugfix, prompts.BugfixData{Dir: dirOf(t), Language: titleOf(t), Problem: t.Instance.ProblemStatement})
}

// Prompt is what an agent is asked.
func (TestGen) Prompt(set prompts.Set, t Task) (string, error) {
	framework := ""
	if t.Instance.Env != nil {
		framework = t.Instance.Env.Framework
	}
	return set.Render(prompts.Testgen, prompts.TestgenData{
		Dir: dirOf(t), Language: titleOf(t), Problem: t.Instance.ProblemStatement, Framework: framework,
	})
}

// Prompt is what an agent is asked.
func (Review) Prompt(set prompts.Set, t Task) (string, error) {
	return set.Render(prompts.Review, prompts.ReviewData{
		Dir: dirOf(t), Language: titleOf(t), Problem: t.Instance.ProblemStatement, Patch: t.StartPatch(), Review: t.Review.Text,
	})
}

// Withheld reports whether a task must not be given to agents: the leak check
// found gold in its review.
func (Review) Withheld(t Task) bool {
	return t.Review != nil && t.Review.Leak != nil && len(t.Review.Leak.Leaks) > 0
}

// Prompt is what an agent is asked.
func (Style) Prompt(set prompts.Set, t Task) (string, error) {
	return set.Render(prompts.Style, prompts.StyleData{
		Dir: dirOf(t), Language: titleOf(t), Linter: t.Style.Linter, Files: t.Style.Files, Problem: t.Style.ProblemStatement,
	})
}

// dirOf is the folder of the task's repository in its environment.
func dirOf(t Task) string {
	if t.Instance.Root != "" {
		return t.Instance.Root
	}
	return languages.Root
}

// titleOf is the task's language as people write it.
func titleOf(t Task) string {
	if l := t.Language(); !languages.IsGeneric(l) {
		return l.About().Title
	}
	return ""
}
