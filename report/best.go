package report

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"assay/bench"
)

// Best counts the tasks that some of a submitter's attempts solved: pass@k, where
// an oracle chooses the best of k attempts (SWT-Bench's Pass@5).
type Best struct {
	Task     string `json:"task"`
	Language string `json:"language"`
	// Model is the submitter's name without the number of the attempt.
	Model    string `json:"model_name_or_path"`
	Attempts int    `json:"attempts"` // k: the most that some task has
	// Resolved counts tasks with an attempt that is resolved, of those with one
	// that was judged; the other two are SWT-Bench's rates, for generated tests.
	Resolved   Rate `json:"resolved"`
	Applies    Rate `json:"applies"`
	FailToPass Rate `json:"fail_to_pass"`
}

// attempts are the results of a run by task, of submitters that made several.
type attempts map[key]map[string]*solved

// solved is what the attempts at one task came to.
type solved struct {
	names                         map[string]bool // of the attempts
	judged                        bool
	resolved, applies, failToPass bool
	transitions                   bool
}

// numbered is the name of an attempt after the first.
var numbered = regexp.MustCompile(`#\d+$`)

func (a attempts) add(r bench.Result) {
	k := key{r.Task, r.Language, numbered.ReplaceAllString(r.Model, "")}
	if a[k] == nil {
		a[k] = map[string]*solved{}
	}
	id := r.InstanceID + "\x00" + r.Part
	s := a[k][id]
	if s == nil {
		s = &solved{names: map[string]bool{}}
		a[k][id] = s
	}
	s.names[r.Model] = true
	if !r.Verdict.Judged() {
		return
	}
	s.judged = true
	s.resolved = s.resolved || r.Verdict == bench.Resolved
	if t := r.Transitions; t != nil {
		s.transitions = true
		s.applies, s.failToPass = s.applies || t.Applies, s.failToPass || t.FailToPass
	}
}

// best are the submitters with several attempts at a task, sorted.
func (a attempts) best() []Best {
	var out []Best
	for k, tasks := range a {
		b := Best{Task: k.task, Language: k.language, Model: k.model}
		for _, s := range tasks {
			b.Attempts = max(b.Attempts, len(s.names))
			if !s.judged {
				continue
			}
			b.Resolved.count(&s.resolved)
			if s.transitions {
				b.Applies.count(&s.applies)
				b.FailToPass.count(&s.failToPass)
			}
		}
		if b.Attempts > 1 {
			out = append(out, b)
		}
	}
	slices.SortFunc(out, func(a, b Best) int {
		return cmp.Or(cmp.Compare(a.Task, b.Task), cmp.Compare(a.Language, b.Language), cmp.Compare(a.Model, b.Model))
	})
	return out
}

// bestTable shows what the best of several attempts come to.
func (s *Summary) bestTable() table.Writer {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"best of k", "language", "submission", "k", "resolved", "rate", "applies", "fail-pass"})
	rightFrom(t, 4, 8)
	for _, b := range s.Best {
		t.AppendRow(table.Row{b.Task, b.Language, b.Model, b.Attempts, b.Resolved.String(), b.Resolved.percent(), b.Applies.String(), b.FailToPass.String()})
	}
	return t
}
