package agents

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
	"assay/style"
	"assay/style/linters"
	"assay/tasks"
)

func TestDefault(t *testing.T) {
	kinds := tasks.Default(nil, nil)
	r := Default(linters.Default(), kinds)
	require.Equal(t, []string{Autofix, "gold", "empty"}, r.Names()[:3])
	solved := map[string][]string{}
	for _, a := range r.All()[:3] {
		for _, k := range kinds.All() {
			if a.Solves(k) {
				solved[a.Name()] = append(solved[a.Name()], k.Name())
			}
		}
	}
	require.Equal(t, map[string][]string{
		"autofix": {"style"}, "gold": {"bugfix", "testgen", "review"}, "empty": {"bugfix", "testgen", "review", "style"},
	}, solved)
}

// plain is a linter without a fixer.
type plain struct{ style.Linter }

func (plain) About() style.About { return style.About{Name: "plain"} }

// TestAutofixWithoutFixer submits nothing, and starts nothing.
func TestAutofixWithoutFixer(t *testing.T) {
	a := Fixers{Linters: style.NewLinters(plain{})}
	task := tasks.Task{Kind: "style", Instance: &bench.Instance{ID: "i"}, Part: "0", Style: &bench.StyleTask{Linter: "plain"}}
	p, err := Submission(t.Context(), a, languages.Machine{}, task)
	require.NoError(t, err)
	require.Equal(t, bench.Prediction{InstanceID: "i_0", Model: "autofix", Task: "style"}, p)
	task.Style.Linter = "other"
	_, err = a.Solve(t.Context(), Work{Task: task})
	require.ErrorContains(t, err, `linter "other" is not known`)
}

// failing is an agent that cannot be run.
type failing struct{ Fixers }

func (failing) Solve(context.Context, Work) (Outcome, error) {
	return Outcome{}, errors.New("no model")
}

func TestSubmissionPassesErrorsOn(t *testing.T) {
	_, err := Submission(t.Context(), failing{}, languages.Machine{}, tasks.Task{Instance: &bench.Instance{ID: "i"}})
	require.EqualError(t, err, "no model")
}
