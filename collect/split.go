package collect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

// Part is a candidate that is divided into gold and test patch: a line of
// split.jsonl.
type Part struct {
	ID      string `json:"id"`
	Repo    string `json:"repo"`
	CutOff  string `json:"cut_off"`
	Commit  string `json:"commit"`
	Dropped Reason `json:"dropped,omitempty"`
	Detail  string `json:"detail,omitempty"`
	// Language is the instance's, or that of a change that was dropped.
	Language string `json:"language,omitempty"`
	// Instance has everything but the lists of tests; nil where the change was
	// dropped, unless only for want of a statement.
	Instance *bench.Instance `json:"instance,omitempty"`
}

// Collected is where an instance comes from: its field "collected".
type Collected struct {
	// Canary is the collection's; see Folder.Canary.
	Canary string `json:"canary,omitempty"`
	Commit string `json:"commit"`
	CutOff string `json:"cut_off"`
	Kind   Kind   `json:"kind"`
	Pull   int    `json:"pull_number,omitempty"`
	// Licence is the repository's; "" where it is not known.
	Licence string `json:"licence,omitempty"`
	Links   []Link `json:"links,omitempty"`
	// Statement are the sources of the problem statement.
	Statement []StatementSource `json:"statement"`
	// Issues are those that gave the statement, in its order.
	Issues []Used   `json:"issues,omitempty"`
	Labels []string `json:"labels,omitempty"`
	// Author is who wrote the statement, where that is a model, and Leak what the
	// check said of it.
	Author string            `json:"author,omitempty"`
	Leak   *bench.LeakReport `json:"leak,omitempty"`
	// PullLabels are the pull request's, where GitHub was asked.
	PullLabels []string `json:"pull_labels,omitempty"`
	// SourceFiles and SourceLines (added and removed ones) measure the gold
	// patch without documentation.
	SourceFiles int `json:"source_files"`
	SourceLines int `json:"source_lines"`
	// What validation showed; see Checked.
	Runs   int               `json:"runs,omitempty"`
	Flaky  []string          `json:"flaky,omitempty"`
	Names  []string          `json:"unmentioned_names,omitempty"`
	States map[string]States `json:"states,omitempty"`
	// Env is what was inferred, without its scripts, for other benchmarks' forms.
	// EnvironmentBy is who made the instance's own env ("neighbour ID", "model
	// NAME"), where inference failed.
	Env           *bench.Env `json:"env,omitempty"`
	EnvironmentBy string     `json:"environment_by,omitempty"`
}

// Used is an issue whose text is in a statement.
type Used struct {
	Issue string `json:"issue"` // its number, or a key such as ABC-12
	// Lines are how many the statement has of it; a blank one parts it from the
	// next.
	Lines int `json:"lines"`
	// EditedLater is set if the text was edited after the change came to the
	// main line: it may contain more than its author knew.
	EditedLater bool `json:"edited_later,omitempty"`
}

// extraField is where an instance keeps a Collected.
const extraField = "collected"

// Split divides candidates into gold and test patch. One whose patches equal
// those of an older one, also among the earlier parts, is a duplicate.
func Split(ctx context.Context, s Source, f Filter, issues Issues, candidates []Change, earlier []Part) ([]Part, error) {
	parts := make([]Part, len(candidates))
	seen := map[string]Part{} // also those without a statement, of which a model may make instances
	for _, p := range earlier {
		if p.Instance != nil && p.Repo == s.Name {
			seen[sameness(p.Instance)] = p
		}
	}
	for i := len(candidates) - 1; i >= 0; i-- {
		c := candidates[i]
		p, err := s.split(ctx, f, issues, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", s.Name, c.ID, err)
		}
		if p.Instance != nil {
			key := sameness(p.Instance)
			if first, ok := seen[key]; ok && (first.Dropped == "" || p.Dropped != "") {
				p.Instance, p.Dropped, p.Detail = nil, Duplicate, "of "+first.ID
			} else {
				seen[key] = p
			}
		}
		parts[i] = p
	}
	return parts, nil
}

func (s Source) split(ctx context.Context, f Filter, issues Issues, c Change) (Part, error) {
	p := Part{ID: c.ID, Repo: c.Repo, CutOff: c.CutOff, Commit: c.Commit, Language: c.Language}
	drop := func(why Reason, detail string) (Part, error) {
		p.Dropped, p.Detail = why, detail
		return p, nil
	}
	base, to := c.Onto, c.Commit
	if c.Kind == Merge {
		var err error
		if base, err = s.Repo.MergeBase(ctx, c.Onto, c.Head); err != nil {
			if ctx.Err() != nil {
				return p, err
			}
			return drop(Unsplittable, "the merged branch has no commit in common with the main line")
		}
		to = c.Head
	}
	d, err := s.divide(ctx, base, to)
	var wrong *unsplittableError
	if errors.As(err, &wrong) {
		return drop(Unsplittable, wrong.Error())
	}
	if err != nil {
		return p, err
	}
	if d.why != "" {
		return drop(d.why, "")
	}
	p.Language, c.Language = d.language.About().Name, d.language.About().Name
	files, lines := d.size()
	if why, detail := f.size(files, lines); why != "" {
		return drop(why, detail)
	}
	text, sources, from := statement(c, issues)
	if len(strings.Fields(text)) < minWords {
		p.Dropped = NoStatement
	}
	p.Instance, err = s.instance(c, base, d, text, sources, from)
	return p, err
}

func (s Source) instance(c Change, base string, d division, text string, sources []StatementSource, from []Issue) (*bench.Instance, error) {
	about := Collected{
		Commit: c.Commit, CutOff: c.CutOff, Kind: c.Kind, Pull: c.Number, Licence: s.Licence, Links: c.Links, Statement: sources,
	}
	about.SourceFiles, about.SourceLines = d.size()
	for _, i := range from {
		about.Labels = append(about.Labels, i.Labels...)
		about.Issues = append(about.Issues, Used{i.Key, strings.Count(i.text(), "\n") + 1, i.Edited.After(c.Date)})
	}
	if pull, ok := s.Forge.pull(c.Number); ok {
		about.PullLabels = pull.Labels
	}
	about.Labels = slices.Compact(slices.Sorted(slices.Values(about.Labels)))
	raw, err := json.Marshal(about)
	if err != nil {
		return nil, err
	}
	words := make([]string, len(sources))
	for i, from := range sources {
		words[i] = strings.ReplaceAll(string(from), "_", " ")
	}
	return &bench.Instance{
		ID: c.ID, Repo: c.Repo, BaseCommit: base, Patch: d.gold, TestPatch: d.tests,
		ProblemStatement: text, CreatedAt: c.Date.Format(time.RFC3339), Language: c.Language,
		Provenance: &bench.Provenance{Notes: "collected from the history; problem statement: " + strings.Join(words, ", ")},
		Extra:      map[string]json.RawMessage{extraField: raw},
	}, nil
}

// unsplittableError explains why a patch cannot be divided.
type unsplittableError struct{ why string }

func (e *unsplittableError) Error() string { return e.why }

// division is a patch in two parts; why names what it lacks.
type division struct {
	language    languages.Language
	gold, tests string
	source      *patch.Patch
	why         Reason
}

// divide takes the tests out of the patch between two commits: all paths that
// the language's rules give to tests or to their runner. A file that moves
// between code and tests is a removal and an addition.
func (s Source) divide(ctx context.Context, base, to string) (division, error) {
	p, err := s.diff(ctx, base, to, true)
	if err != nil {
		return division{}, err
	}
	l, why := languageOf(s.Languages, p.Paths())
	if why != "" {
		return division{why: why}, nil
	}
	hidden := func(path string) bool {
		k := l.Classify(path)
		return k == languages.TestPath || k == languages.RunnerPath
	}
	moved := func(f *patch.File) bool {
		return f.OldPath != "" && f.NewPath != "" && hidden(f.OldPath) != hidden(f.NewPath)
	}
	if slices.ContainsFunc(p.Files, moved) {
		if p, err = s.diff(ctx, base, to, false); err != nil {
			return division{}, err
		}
	}
	tests, gold := p.Split(hidden)
	d := division{language: l, gold: string(gold.Bytes()), tests: string(tests.Bytes()), source: gold}
	switch {
	case !slices.ContainsFunc(tests.Files, func(f *patch.File) bool {
		return f.Added() > 0 && l.Classify(f.Path()) == languages.TestPath
	}):
		d.why = NoTests
	case !slices.ContainsFunc(gold.Files, func(f *patch.File) bool { return l.Classify(f.Path()) == languages.SourcePath }):
		d.why = NoSource
	case !utf8.ValidString(d.gold) || !utf8.ValidString(d.tests):
		return d, &unsplittableError{"the patch is not UTF-8"}
	}
	return d, nil
}

func (s Source) diff(ctx context.Context, base, to string, renames bool) (*patch.Patch, error) {
	text, err := s.Repo.Diff(ctx, base, to, renames)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil: // a mirror that lacks content
		return nil, &unsplittableError{err.Error()}
	}
	p, err := patch.Parse(text)
	if err != nil {
		return nil, &unsplittableError{"the patch: " + err.Error()}
	}
	return p, nil
}

// size counts files and lines of the gold patch without documentation.
func (d division) size() (files, lines int) {
	for _, f := range d.source.Files {
		if k := d.language.Classify(f.Path()); k == languages.SourcePath || k == languages.BuildPath {
			files++
			lines += f.Added() + f.Removed()
		}
	}
	return files, lines
}

// sameness is equal for instances whose patches make the same change, also at
// other places.
func sameness(inst *bench.Instance) string {
	h := sha256.New()
	for _, diff := range []string{inst.Patch, inst.TestPatch} {
		for line := range strings.Lines(diff) {
			if !strings.HasPrefix(line, "@@ ") && !strings.HasPrefix(line, "index ") {
				h.Write([]byte(line))
			}
		}
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}
