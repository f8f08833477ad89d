package methods

import (
	"assay/languages"
	"assay/tasks"
)

// View is what a method may see of a task: nothing of gold, hidden tests or bad
// patches but that of a review.
type View struct {
	Kind     string // bugfix, testgen, review, style
	Name     string // as a prediction gives it
	Instance string // the instance's id
	Repo     string // owner/name
	Language languages.Language
	// Problem is the issue, or a style task's findings.
	Problem string
	// Framework is that of the tests (pytest, maven, ...), where the dataset says
	// it.
	Framework string
	// Review is the review to answer and Start the patch that it is about, which
	// is applied already; "" for other kinds.
	Review, Start string
	// Attempt is the number of the attempt, from 1.
	Attempt int
}

// viewOf leaves out what is not for agents.
func viewOf(t tasks.Task, attempt int) View {
	v := View{Kind: t.Kind, Name: t.Name(), Instance: t.Instance.ID, Repo: t.Instance.Repo, Language: t.Language(), Problem: t.Instance.ProblemStatement, Start: t.StartPatch(), Attempt: attempt}
	if t.Instance.Env != nil {
		v.Framework = t.Instance.Env.Framework
	}
	if t.Review != nil {
		v.Review = t.Review.Text
	}
	if t.Style != nil {
		v.Problem = t.Style.ProblemStatement
	}
	return v
}
