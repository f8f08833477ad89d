package zeroshot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/bench"
	"assay/llm/prompts"
	"assay/methods"
)

// Libro draws several answers of ZeroShotPlus, runs their tests on base, lets the
// model judge whether they fail because of the issue, and submits the shortest
// of those that do.
type Libro struct{ Given Given }

var _ methods.Rehearser = Libro{}

// About implements methods.Method.
func (l Libro) About() methods.About {
	return methods.About{
		Name: "libro", Title: "LIBRO as SWT-Bench has it (4.3): several tests, chosen by whether they fail because of the issue",
		Kinds: []string{kindTestgen}, Prompts: []string{prompts.ZeroShotPlus, prompts.LibroJudge}, Runs: true, Source: l.Given.Source,
		Settings: []methods.Setting{
			contextBytes(), temperature(0.7),
			{Name: "samples", Default: 5, Least: 1, Most: 100, Whole: true, What: "tests to choose from"},
		},
	}
}

// sample is one test to choose from.
type sample struct {
	n     int
	patch string
	group group
}

// group ranks how good a sample is; lower is better.
type group int

const (
	related   group = iota // fails, because of the issue as the model judges
	unrelated              // fails
	ran                    // ran, and does not fail
	untried                // could not be run, or was not
)

func (g group) String() string {
	return []string{"fails because of the issue", "fails for another reason", "does not fail", "did not run"}[g]
}

// Solve implements methods.Method. Where the budget ends in the middle, it
// chooses from what there is.
func (l Libro) Solve(ctx context.Context, d *methods.Desk) (string, error) {
	all, err := draw(ctx, d, l.Given)
	for i := range all {
		if ctx.Err() != nil {
			break
		}
		if terr := all[i].try(ctx, d, err == nil); err == nil {
			err = terr
		}
	}
	return choose(d, all), err
}

// draw asks for the samples, and drops those that cannot be applied and those
// that are there already.
func draw(ctx context.Context, d *methods.Desk, g Given) ([]sample, error) {
	text, err := plusPrompt(d, g)
	if err != nil {
		return nil, err
	}
	var all []sample
	for n := range d.Count("samples") {
		p := methods.Say(text).At(d.Number("temperature"))
		p.Sample, p.Samples = n, d.Count("samples")
		answer, err := d.Ask(ctx, fmt.Sprintf("write tests %d", n+1), p)
		if err != nil {
			return all, err
		}
		patch, err := applied(d, fmt.Sprintf("apply %d", n+1), answer)
		if err != nil {
			return all, err
		}
		known := slices.ContainsFunc(all, func(s sample) bool { return s.patch == patch })
		if patch != "" && !known {
			all = append(all, sample{n: n, patch: patch, group: untried})
		}
	}
	return all, nil
}

// try runs a sample on base and, where it fails, asks whether it does so because
// of the issue.
func (s *sample) try(ctx context.Context, d *methods.Desk, ask bool) error {
	run, err := d.Run(ctx, fmt.Sprintf("run %d", s.n+1), methods.Trial{Tests: s.patch})
	if err != nil {
		return err
	}
	failure := failureOf(run)
	switch {
	case failure == "" && len(run.Tests) == 0:
		return nil // nothing ran
	case failure == "":
		s.group = ran
		return nil
	}
	s.group = unrelated
	if !ask {
		return nil
	}
	text, err := d.Template(prompts.LibroJudge, prompts.LibroJudgeData{Problem: d.Task().Problem, Test: s.patch, Failure: failure})
	if err != nil {
		return err
	}
	answer, err := d.Ask(ctx, fmt.Sprintf("judge %d", s.n+1), methods.Say(text).At(0))
	if err != nil {
		return err
	}
	if yes, err := prompts.ReadYes(answer.Text, "Same issue"); err == nil && yes {
		s.group = related
	}
	return nil
}

// failureOf is what a run says about tests that failed; "" where none did. A test
// that does not build fails.
func failureOf(run methods.Run) string {
	var b strings.Builder
	for _, t := range run.Failing() {
		fmt.Fprintf(&b, "%s failed (%s)\n%s\n", t.ID, t.FailsBy, t.Said)
	}
	if b.Len() == 0 && slices.Contains([]bench.RunState{bench.RunUnbuilt, bench.RunCrashed, bench.RunTimeout}, run.State) {
		fmt.Fprintf(&b, "the tests could not be run: %s %s\n%s\n", run.State, run.Detail, run.Log)
	}
	return b.String()
}

// choose takes the shortest sample of the best group, the first of those that are
// equally short.
func choose(d *methods.Desk, all []sample) string {
	if len(all) == 0 {
		return ""
	}
	groups := map[string]string{}
	for _, s := range all {
		groups[fmt.Sprint(s.n+1)] = s.group.String()
	}
	best := slices.MinFunc(all, func(a, b sample) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(len(a.patch), len(b.patch)), cmp.Compare(a.n, b.n))
	})
	d.Note("choose", groups, map[string]any{"chosen": best.n + 1})
	return best.patch
}

// Rehearse implements methods.Rehearser: five samples, of which one is of no use
// and two are the same, and the judgements of the three that are run.
func (Libro) Rehearse() []string {
	return []string{
		rehearsal("first"), rehearsal("second"), "no test", rehearsal("first"), rehearsal("a_longer_one"),
		"Same issue: no", "Same issue: yes", "Same issue: yes",
	}
}
