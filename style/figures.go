package style

import (
	"cmp"
	"maps"
	"slices"

	"assay/bench"
)

// Figures describe a set of style tasks. The paper gives four: the number of
// instances in each of three languages (144 Python, 147 C++, 124 Java), and
// the mean number of findings of an instance (9; section 3.2.4).
type Figures struct {
	Languages []LanguageFigures `json:"languages"` // in the paper's order, then by name
	Tasks     int               `json:"tasks"`
	Findings  int               `json:"findings"`
	Mean      float64           `json:"mean"` // findings of a task; 0 without tasks
}

// LanguageFigures are the figures of one language.
type LanguageFigures struct {
	Language  string  `json:"language"`
	Instances int     `json:"instances"` // that have a task
	Tasks     int     `json:"tasks"`     // the paper's "instances"
	Rules     int     `json:"rules"`     // different ones among the findings
	Findings  int     `json:"findings"`
	Mean      float64 `json:"mean"`
	Least     int     `json:"least"`
	Most      int     `json:"most"`
}

// Describe computes the figures of instances with style tasks.
func Describe(instances []*bench.Instance) Figures {
	byLanguage := map[string]*LanguageFigures{}
	rules := map[string]map[string]bool{}
	for _, in := range instances {
		name := cmp.Or(in.Language, python)
		if len(in.Style) == 0 {
			continue
		}
		if byLanguage[name] == nil {
			byLanguage[name], rules[name] = &LanguageFigures{Language: name}, map[string]bool{}
		}
		byLanguage[name].Instances++
		for _, t := range in.Style {
			byLanguage[name].add(t, rules[name])
		}
	}
	var out Figures
	for _, name := range slices.SortedFunc(maps.Keys(byLanguage), func(a, b string) int {
		return cmp.Or(cmp.Compare(paperOrder(a), paperOrder(b)), cmp.Compare(a, b))
	}) {
		l := byLanguage[name]
		l.Rules, l.Mean = len(rules[name]), mean(l.Findings, l.Tasks)
		out.Languages = append(out.Languages, *l)
		out.Tasks, out.Findings = out.Tasks+l.Tasks, out.Findings+l.Findings
	}
	out.Mean = mean(out.Findings, out.Tasks)
	return out
}

func (l *LanguageFigures) add(t bench.StyleTask, rules map[string]bool) {
	n := len(t.Findings)
	if l.Least = min(l.Least, n); l.Tasks == 0 {
		l.Least = n
	}
	l.Most = max(l.Most, n)
	l.Tasks++
	l.Findings += n
	for _, f := range t.Findings {
		rules[f.Rule] = true
	}
}

func paperOrder(language string) int {
	switch language {
	case python:
		return 0
	case cpp:
		return 1
	}
	return 2
}

func mean(sum, n int) float64 {
	if n == 0 {
		return 0
	}
	return float64(sum) / float64(n)
}
