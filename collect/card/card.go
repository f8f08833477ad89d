// Package card describes a dataset as SetUpAgent's paper describes its own
// (Vergopoulos et al., 2025, table 2 and figures 5 to 8): issues, patches, tests
// and code bases, by language, with the data of the distributions; where the
// instances come from, under which licences, and from when they are.
package card

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"assay/bench"
	"assay/collect"
	"assay/languages"
)

// Card describes a dataset.
type Card struct {
	// Canary is text that every instance holds: a model that knows it has seen
	// the dataset.
	Canary    string `json:"canary,omitempty"`
	Instances int    `json:"instances"`
	// Earliest and Latest are the days of the first and the last change. A model
	// that learnt from data up to a day may have seen the changes before it.
	Earliest string `json:"earliest,omitempty"`
	Latest   string `json:"latest,omitempty"`
	// ByMonth counts instances by the month of their change, Licences by licence
	// ("" where that is not known), Statements by the source of the statement, and
	// Environments by who made them ("" for inference).
	ByMonth      map[string]int `json:"by_month"`
	Licences     map[string]int `json:"licences"`
	Statements   map[string]int `json:"statements"`
	Environments map[string]int `json:"environments"`
	Repositories []Repository   `json:"repositories"`
	// Flaky counts instances with flaky tests, which all lists leave out.
	// Unmentioned counts those with names that a solution must have and that
	// the statement does not mention.
	Flaky       int `json:"with_flaky_tests"`
	Unmentioned int `json:"with_unmentioned_names"`
	// Figures are those of each language, "all" being one, by name.
	Figures map[string]map[Name]Figure `json:"figures"`
}

// Repository is a repository of the dataset.
type Repository struct {
	Name      string `json:"name"`
	Language  string `json:"language"`
	Licence   string `json:"licence,omitempty"`
	Stars     int    `json:"stars,omitempty"` // 0 where it is not known
	Instances int    `json:"instances"`
}

// Size measures a code base.
type Size struct{ Files, Lines int }

// Input is what a card is made of.
type Input struct {
	Instances []bench.Instance
	Languages *languages.Registry
	Canary    string
	Stars     map[string]int // by repository; may be nil
	// Size measures the code of an instance's language at base; ok is false
	// where that is not known. It may be nil.
	Size func(inst *bench.Instance) (size Size, ok bool)
}

// all is the row of all languages.
const all = "all"

// Make describes a dataset. The same instances give the same card.
func Make(in Input) (Card, error) {
	c := Card{
		Canary: in.Canary, Instances: len(in.Instances), ByMonth: map[string]int{}, Licences: map[string]int{}, Statements: map[string]int{},
		Environments: map[string]int{}, Figures: map[string]map[Name]Figure{},
	}
	values := map[string]map[Name][]float64{}
	repos := map[string]*Repository{}
	for i := range in.Instances {
		inst := &in.Instances[i]
		about, err := collected(inst)
		if err != nil {
			return c, err
		}
		c.count(inst, about)
		key := inst.Repo + "\n" + inst.Language
		if repos[key] == nil {
			repos[key] = &Repository{Name: inst.Repo, Language: inst.Language, Licence: about.Licence, Stars: in.Stars[inst.Repo]}
		}
		repos[key].Instances++
		measured, err := in.measure(inst, about)
		if err != nil {
			return c, fmt.Errorf("%s: %w", inst.ID, err)
		}
		for _, row := range []string{all, inst.Language} {
			if values[row] == nil {
				values[row] = map[Name][]float64{}
			}
			for name, v := range measured {
				values[row][name] = append(values[row][name], v)
			}
		}
	}
	for row, byName := range values {
		c.Figures[row] = map[Name]Figure{}
		for name, list := range byName {
			c.Figures[row][name] = figure(list)
		}
	}
	for _, r := range repos {
		c.Repositories = append(c.Repositories, *r)
	}
	slices.SortFunc(c.Repositories, func(a, b Repository) int {
		return cmp.Or(b.Instances-a.Instances, cmp.Compare(a.Name, b.Name), cmp.Compare(a.Language, b.Language))
	})
	return c, nil
}

// collected is what package collect noted; nothing for other instances.
func collected(inst *bench.Instance) (about collect.Collected, err error) {
	raw, ok := inst.Extra["collected"]
	if !ok {
		return about, nil
	}
	if err := json.Unmarshal(raw, &about); err != nil {
		return about, fmt.Errorf("%s: collected: %w", inst.ID, err)
	}
	return about, nil
}

// count adds an instance to all that is not a figure.
func (c *Card) count(inst *bench.Instance, about collect.Collected) {
	c.Licences[about.Licence]++
	c.Environments[about.EnvironmentBy]++
	for _, s := range about.Statement {
		c.Statements[string(s)]++
	}
	if len(about.Flaky) > 0 {
		c.Flaky++
	}
	if len(about.Names) > 0 {
		c.Unmentioned++
	}
	if len(inst.CreatedAt) < len("2006-01-02") {
		return
	}
	day := inst.CreatedAt[:len("2006-01-02")]
	c.ByMonth[day[:len("2006-01")]]++
	if c.Earliest == "" || day < c.Earliest {
		c.Earliest = day
	}
	c.Latest = max(c.Latest, day)
}

// Figure sums a characteristic up over instances.
type Figure struct {
	N      int     `json:"n"` // instances of which it is known
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	// CDF is the distribution: for each value that occurs, rising, the share of
	// instances that have it or less.
	CDF []Point `json:"cdf"`
}

// Point is a point of a distribution.
type Point struct {
	Value float64 `json:"value"`
	Share float64 `json:"share"`
}

// figure needs at least one value.
func figure(values []float64) Figure {
	sort.Float64s(values)
	n := len(values)
	f := Figure{N: n, Min: values[0], Max: values[n-1], Median: (values[(n-1)/2] + values[n/2]) / 2}
	sum := 0.0
	for i, v := range values {
		sum += v
		if i+1 == n || values[i+1] != v {
			f.CDF = append(f.CDF, Point{v, float64(i+1) / float64(n)})
		}
	}
	f.Mean = sum / float64(n)
	return f
}
