package collect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Cost is how long the set-ups and validations of a repository took, in
// seconds, those that were repeated included.
type Cost struct {
	Repo      string  `json:"repo"`
	Instances int     `json:"instances"`
	SetUp     float64 `json:"set_up"`
	Validate  float64 `json:"validate"`
}

// Costs adds up the seconds by repository, in the order in which they came.
func (f *Folder) Costs() ([]Cost, error) {
	spent, err := readLines[Spent](filepath.Join(f.Dir, secondsFile))
	if err != nil {
		return nil, err
	}
	repo, at, seen := map[string]string{}, map[string]int{}, map[string]bool{}
	for _, p := range f.Parts {
		repo[p.ID] = p.Repo
	}
	var costs []Cost
	for _, r := range f.state.Repositories {
		at[r.Name] = len(costs)
		costs = append(costs, Cost{Repo: r.Name})
	}
	for _, s := range spent {
		i, ok := at[repo[s.ID]]
		if !ok {
			continue
		}
		if !seen[s.ID] {
			costs[i].Instances++
		}
		seen[s.ID] = true
		costs[i].SetUp += s.SetUp
		costs[i].Validate += s.Validate
	}
	return slices.DeleteFunc(costs, func(c Cost) bool { return c.Instances == 0 }), nil
}

// Stage is a step of the funnel.
type Stage string

// The stages.
const (
	StageFind     Stage = "find"
	StageSplit    Stage = "split"
	StageSetUp    Stage = "set up"
	StageValidate Stage = "validate"
)

// Stages lists the stages in their order.
func Stages() []Stage { return []Stage{StageFind, StageSplit, StageSetUp, StageValidate} }

// Count is how many changes of a repository and a language a stage dropped for a
// reason; without a reason, how many it kept.
type Count struct {
	Repo     string `json:"repo"`
	Language string `json:"language"` // "" where that was not looked at
	Stage    Stage  `json:"stage"`
	Reason   Reason `json:"reason,omitempty"`
	N        int    `json:"n"`
}

// tally counts by all but the number.
type tally map[Count]int

func (t tally) add(repo, language string, s Stage, why Reason) {
	t[Count{Repo: repo, Language: language, Stage: s, Reason: why}]++
}

// Funnel counts the lines of a folder by repository, in the order in which
// they came, by stage, language and reason.
func (f *Folder) Funnel() []Count {
	t := tally{}
	for _, c := range f.Candidates {
		t.add(c.Repo, c.Language, StageFind, c.Dropped)
	}
	tried, untold, written := map[string]bool{}, map[string]bool{}, f.written()
	for _, s := range f.SetUps {
		tried[s.ID] = true
	}
	for _, p := range f.Parts {
		if p.Dropped == NoStatement && tried[p.ID] {
			p.Dropped = "" // a model was to write the statement
			untold[p.ID] = written[p.ID].Text == ""
		}
		t.add(p.Repo, p.Language, StageSplit, p.Dropped)
	}
	for _, s := range f.SetUps {
		t.add(s.Repo, s.Language, StageSetUp, s.Dropped)
	}
	for _, c := range f.Checked {
		if c.Dropped == "" && untold[c.ID] {
			c.Dropped = NoStatement
		}
		t.add(c.Repo, c.Language, StageValidate, c.Dropped)
	}
	order := map[string]int{}
	for i, r := range f.state.Repositories {
		order[r.Name] = i
	}
	var out []Count
	for c, n := range t {
		c.N = n
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Count) int {
		return cmp.Or(order[a.Repo]-order[b.Repo], slices.Index(Stages(), a.Stage)-slices.Index(Stages(), b.Stage),
			cmp.Compare(a.Language, b.Language), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

// SetUpsBy counts the set-ups that worked by who made the environment:
// "inference", "neighbour" or "model NAME".
func (f *Folder) SetUpsBy() map[string]int {
	by := map[string]int{}
	for _, s := range f.SetUps {
		switch {
		case s.Dropped != "":
		case s.By == "":
			by["inference"]++
		case strings.HasPrefix(s.By, "neighbour "):
			by["neighbour"]++
		default:
			by[s.By]++
		}
	}
	return by
}
