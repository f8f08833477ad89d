// Package report turns results into figures: counts by task and language for
// people (a table, Markdown) and for programs (JSON). It judges nothing.
package report

import (
	"sort"

	"assay/bench"
)

// Summary is what a run's results come to. It grows by Add, so that results
// need not be kept.
type Summary struct {
	Rows  []Row `json:"rows"`  // by task, then language, then model
	Total Row   `json:"total"` // over all rows
	// Uplift is there where review tasks can be paired with others.
	Uplift []Uplift `json:"uplift,omitempty"`
	// Best is there where a submitter made several attempts at a task.
	Best []Best `json:"best,omitempty"`

	index     map[key]int
	arms      arms
	attempts  attempts
	uncovered uncovered
}

type key struct{ task, language, model string }

// Row counts the results of one task kind, language and model.
type Row struct {
	Task     string `json:"task,omitempty"`
	Language string `json:"language,omitempty"`
	Model    string `json:"model_name_or_path,omitempty"`
	// Submitted counts results; Judged those of them that are about the
	// submission (no failure of machine or harness).
	Submitted int `json:"submitted"`
	Judged    int `json:"judged"`
	Resolved  int `json:"resolved"`
	// Missing counts tasks that the model submitted nothing to; All are these
	// and the submitted ones.
	Missing  int                   `json:"missing"`
	All      int                   `json:"all"`
	Verdicts map[bench.Verdict]int `json:"verdicts"`
	// TestGen counts are kept separate, as the paper's section 5.5 asks for.
	TestGen     *TestGenRow     `json:"testgen,omitempty"`
	Transitions *TransitionsRow `json:"transitions,omitempty"`
	Coverage    *CoverageRow    `json:"coverage,omitempty"`
	Quality     *QualityRow     `json:"quality,omitempty"`
	Style       *StyleRow       `json:"style,omitempty"`
	// Figures are the means of the figures of kinds from outside assay, by
	// name.
	Figures map[string]Mean `json:"figures,omitempty"`
	Seconds float64         `json:"-"`
}

// TestGenRow checks the rates of generated tests, each with its own
// denominator: results for which the question could be answered.
type TestGenRow struct {
	GoldPass        Rate `json:"gold_pass"` // fails on base and passes on gold
	AllBadFail      Rate `json:"all_bad_fail"`
	PaperAllBadFail Rate `json:"paper_all_bad_fail"`
	GoodPass        Rate `json:"good_pass"`
	Killed          Rate `json:"killed"` // eligible bad patches, not results
}

// Rate is a count out of those that were asked.
type Rate struct {
	Yes int `json:"yes"`
	Of  int `json:"of"`
}

func (r *Rate) count(b *bool) {
	if b == nil {
		return
	}
	r.Of++
	if *b {
		r.Yes++
	}
}

// Add counts one result.
func (s *Summary) Add(r bench.Result) {
	row := s.row(key{r.Task, r.Language, r.Model})
	row.add(r)
	s.Total.add(r)
	s.Total.Figures = nil // those of one kind mean nothing in another
	s.arms.add(r)
	if s.attempts == nil {
		s.attempts = attempts{}
	}
	s.attempts.add(r)
	if r.Coverage == nil || !r.Verdict.Judged() {
		return
	}
	if s.uncovered == nil {
		s.uncovered = uncovered{}
	}
	if !s.uncovered.add(r) {
		success := r.Transitions != nil && r.Transitions.FailToPass
		row.cover(*r.Coverage, success)
		s.Total.cover(*r.Coverage, success)
	}
}

// Miss counts tasks of a kind and language that a model submitted nothing to.
func (s *Summary) Miss(task, language, model string, n int) {
	row := s.row(key{task, language, model})
	for _, r := range []*Row{row, &s.Total} {
		r.Missing += n
		r.All += n
	}
}

func (s *Summary) row(k key) *Row {
	if s.index == nil {
		s.index = map[key]int{}
		s.Total.Verdicts = map[bench.Verdict]int{}
	}
	i, ok := s.index[k]
	if !ok {
		i = len(s.Rows)
		s.index[k] = i
		s.Rows = append(s.Rows, Row{Task: k.task, Language: k.language, Model: k.model, Verdicts: map[bench.Verdict]int{}})
	}
	return &s.Rows[i]
}

func (row *Row) add(r bench.Result) {
	row.Submitted++
	row.All++
	row.Verdicts[r.Verdict]++
	if r.Verdict.Judged() {
		row.Judged++
	}
	if r.Verdict == bench.Resolved {
		row.Resolved++
	}
	if r.Timing != nil {
		row.Seconds += r.Timing.Seconds
	}
	if r.TestGen != nil && r.Verdict.Judged() {
		if row.TestGen == nil {
			row.TestGen = &TestGenRow{}
		}
		row.TestGen.add(*r.TestGen)
	}
	if r.Transitions != nil && r.Verdict.Judged() {
		if row.Transitions == nil {
			row.Transitions = &TransitionsRow{}
		}
		row.Transitions.add(*r.Transitions)
	}
	if r.Quality != nil && r.TestGen != nil && r.Verdict.Judged() {
		if row.Quality == nil {
			row.Quality = &QualityRow{}
		}
		row.Quality.add(*r.Quality, len(r.TestGen.Killed))
	}
	if r.Style != nil && r.Verdict.Judged() {
		if row.Style == nil {
			row.Style = &StyleRow{}
		}
		row.Style.add(*r.Style)
	}
	if r.Verdict.Judged() {
		row.figures(r.Figures)
	}
}

func (row *Row) figures(values map[string]float64) {
	for name, v := range values {
		if row.Figures == nil {
			row.Figures = map[string]Mean{}
		}
		m := row.Figures[name]
		m.add(v)
		row.Figures[name] = m
	}
}

func (t *TestGenRow) add(g bench.TestGen) {
	gold := g.FailsBase != nil && *g.FailsBase && g.PassesGold != nil && *g.PassesGold
	t.GoldPass.count(&gold)
	t.AllBadFail.count(g.AllBadFail)
	t.PaperAllBadFail.count(g.PaperAllBadFail)
	t.GoodPass.count(g.GoodPass)
	t.Killed.Yes += len(g.Killed)
	t.Killed.Of += len(g.Eligible)
}

// Sort puts the rows into the order in which they are shown, draws the comparisons
// between them, and counts the submissions that cover nothing. Reviews are compared with the first kind of task.
// Nothing is added after it.
func (s *Summary) Sort(tasks []string) {
	s.settle()
	rank := map[string]int{}
	for i, t := range tasks {
		rank[t] = i
	}
	sort.SliceStable(s.Rows, func(i, j int) bool {
		a, b := s.Rows[i], s.Rows[j]
		switch {
		case a.Task != b.Task:
			return rank[a.Task] < rank[b.Task]
		case a.Language != b.Language:
			return a.Language < b.Language
		}
		return a.Model < b.Model
	})
	s.index, s.Best, s.attempts = nil, s.attempts.best(), nil
	if len(tasks) > 0 {
		s.Uplift = s.arms.uplift(tasks[0])
	}
}
