package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"assay/bench"
)

// Text writes the tables for a terminal.
func (s *Summary) Text(w io.Writer) error {
	for _, t := range s.tables() {
		t.SetStyle(table.StyleLight)
		t.Style().Format.Header = text.FormatDefault
		t.Style().Format.Footer = text.FormatDefault
		if _, err := fmt.Fprintln(w, t.Render()); err != nil {
			return err
		}
	}
	return nil
}

// Markdown writes the tables and what their columns mean.
func (s *Summary) Markdown(w io.Writer) error {
	for _, t := range s.tables() {
		if _, err := fmt.Fprintf(w, "%s\n\n", t.RenderMarkdown()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, legend)
	return err
}

const legend = `Resolved counts submissions, and "rate" is over those that were judged; "not judged" counts those without a verdict because of a failure of the machine or of the dataset. "Missing" counts tasks without a submission, and "of all" is the rate over every task, these and those not judged included.
For test generation: "gold" are tests that fail on base and pass on the gold patch; "bad" are those that also fail on every eligible bad patch, out of those that have one; "killed" counts eligible bad patches; "paper" takes every bad patch as published.
Transitions are over judged test generation submissions, empty ones and those that do not apply included, and by the tests that a submission adds or changes: "fail-any" has a test that fails before the gold patch; "fail-pass", the success of SWT-Bench, has one that fails before and passes after, and none that does not pass after; "pass-pass" has one that passes before and after, and none that fails; "pass-fail" has one that passes before and fails after; "any-fail" has one that fails after.
Strength: of the submissions with success, how many have a test that fails before the gold patch by an assertion, else by another exception, else by a crash, a time-out or a build that fails, else only because a name or an argument is missing, which proves little; "killed" are eligible bad patches, "good passed" the submissions that pass on every rewrite of gold.
Coverage is the share of the executable lines that gold removes (run on base) and adds (run on gold) which the contributed tests execute, importing included, as a mean over submissions: all, those with success, and the others; "by F2P tests" and "by others" split the tests of each submission. tddScore is the mean of 100 x success x coverage. A submission that was not run counts as 0 in the figures that some other submission to its instance has. None of these is the papers' own figure: those "after papers and programs" follow TDD-Bench-Verified's formula (tdd_bench_paper_*), its program (tdd_bench_code_*), and, closely, SWT-Bench's change coverage (swt_bench_delta).
Quality (--quality): "flaky" are contributed tests that did not end alike in all runs on the same code, "pass on rewrites" those that pass on gold and every rewrite of it; "killed before" are killed bad patches that the tests that exist kill already, "covered before" lines of the gold patch that these execute, too; "run, not seen" are bad patches that the tests let pass although they execute where these are wrong.
Best of k: tasks of which some of a submitter's k attempts is resolved, applies, or is a success (pass@k): an oracle chooses.
For style: "held score" is the mean score, counted as 0 where existing tests broke or something was cheated; "score" is max((resolved-new)/original, 0), "net" the same unclipped, both without regard to function; means are over tasks, the last columns count findings.
For reviews: how many of the same tasks were resolved with the review, and without it.
`

// tables lists what there is to show: tables without rows are left out.
func (s *Summary) tables() []table.Writer {
	out := []table.Writer{s.table()}
	for _, t := range []table.Writer{s.transitionsTable(), s.strengthTable(), s.coverageTable(), s.publishedTable(), s.qualityTable(), s.bestTable(), s.styleTable(), s.upliftTable(), s.figuresTable()} {
		if t.Length() > 0 {
			out = append(out, t)
		}
	}
	return out
}

func (s *Summary) table() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"task", "language", "submission", "resolved", "rate", "of all", "gold", "bad", "killed", "paper", "not judged", "missing"})
	var hidden []int
	if s.Total.All == s.Total.Judged { // then both rates are the same
		hidden = []int{6, 12}
	}
	rightFrom(t, 4, 12, hidden...)
	for _, r := range s.Rows {
		t.AppendRow(r.cells())
	}
	total := s.Total
	total.Task, total.TestGen = "all", nil
	t.AppendFooter(total.cells())
	return t
}

func (r Row) cells() table.Row {
	g := TestGenRow{}
	if r.TestGen != nil {
		g = *r.TestGen
	}
	return table.Row{
		r.Task, r.Language, r.Model, fmt.Sprintf("%d/%d", r.Resolved, r.Judged), percent(r.Resolved, r.Judged), percent(r.Resolved, r.All),
		g.GoldPass.String(), g.AllBadFail.String(), g.Killed.String(), g.PaperAllBadFail.String(),
		unlessZero(r.Verdicts[bench.Infra] + r.Verdicts[bench.HarnessError]), unlessZero(r.Missing),
	}
}

// unlessZero keeps cells empty where there is nothing to show.
func unlessZero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// String is empty where no model was asked.
func (r Rate) String() string {
	if r.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", r.Yes, r.Of)
}

func percent(n, of int) string {
	if of == 0 {
		return "n/a"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
