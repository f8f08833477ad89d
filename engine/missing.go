package engine

import "assay/report"

// whose is a kind of task and the model that submitted to some of its tasks.
type whose struct{ kind, model string }

// missing counts the tasks that a model submitted nothing to, by kind and
// language: of kinds to which it submitted something. Submissions of our own
// leave none out.
type missing map[whose]map[string]int

// missingOf compares the dataset's tasks with the submissions.
func (ev *Evaluation) missingOf(found []candidate) missing {
	out := missing{}
	tasks := map[string]map[string]int{} // kind, language
	for i, k := range ev.kinds {
		byLanguage := map[string]int{}
		for _, c := range found {
			byLanguage[c.entry.Language] += len(c.of(i))
		}
		tasks[k.Name()] = byLanguage
	}
	for _, it := range ev.items {
		w := whose{it.kind.Name(), it.model(ev.options)}
		if out[w] == nil {
			out[w] = map[string]int{}
			for language, n := range tasks[w.kind] {
				out[w][language] = n
			}
		}
		out[w][it.entry.Language]--
	}
	return out
}

// add puts the counts into a summary.
func (m missing) add(s *report.Summary) {
	for w, byLanguage := range m {
		for language, n := range byLanguage {
			if n > 0 {
				s.Miss(w.kind, language, w.model, n)
			}
		}
	}
}
