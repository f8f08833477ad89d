package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/style"
)

// StyleRecord describes how the style tasks of one linter came about.
type StyleRecord struct {
	Linter   string       `json:"linter"`
	Version  string       `json:"version"`
	Sources  int          `json:"sources"` // files of the language that are neither tests nor generated
	Linted   int          `json:"linted"`
	Broken   []string     `json:"broken,omitempty"` // cannot be parsed: left out
	Findings int          `json:"findings"`
	Pruned   style.Pruned `json:"pruned"`
	Tasks    int          `json:"tasks"`
}

// style lints the instance's sources at base and makes tasks of what is
// found. Style tasks of the instance are kept.
func (b Builder) style(ctx context.Context, inst *bench.Instance, rec *Record) error {
	if len(inst.Style) > 0 {
		return nil
	}
	var reasons []error
	for _, name := range b.Options.Linters {
		linter, err := b.Linters.Lookup(name)
		if err != nil {
			return err
		}
		if linter.About().Language != inst.Language {
			continue
		}
		withLinter := *inst
		withLinter.Env = envWith(inst.Env, name)
		made, r, err := b.lint(ctx, &withLinter, linter)
		if err != nil {
			return named("linting with "+name, err)
		}
		r.Tasks = len(made)
		rec.Style = append(rec.Style, r)
		if len(made) == 0 {
			reasons = append(reasons, fmt.Errorf("%s: none of %d linted files has a fitting number of findings after pruning (%d findings in all)", name, r.Linted, r.Findings))
			continue
		}
		inst.Env = withLinter.Env
		for _, t := range made {
			t.Index = len(inst.Style)
			inst.Style = append(inst.Style, t)
		}
	}
	if len(inst.Style) > 0 {
		return nil
	}
	return errors.Join(append(reasons, errIf(len(reasons) == 0, "no linter for "+inst.Language))...)
}

func errIf(holds bool, text string) error {
	if holds {
		return errors.New(text)
	}
	return nil
}

// envWith is the environment with a linter in it.
func envWith(env *bench.Env, linter string) *bench.Env {
	out := bench.Env{}
	if env != nil {
		out = *env
	}
	if !slices.Contains(out.Linters, linter) {
		out.Linters = slices.Sorted(slices.Values(append(slices.Clone(out.Linters), linter)))
	}
	return &out
}

func (b Builder) lint(ctx context.Context, inst *bench.Instance, linter style.Linter) ([]bench.StyleTask, StyleRecord, error) {
	about := linter.About()
	rec := StyleRecord{Linter: about.Name, Version: about.Version}
	bed, err := b.Machine.Open(ctx, inst)
	if err != nil {
		return nil, rec, err
	}
	base := languages.Variant{Name: "lint"}
	_, paths, err := bed.Tree(ctx, base)
	if err != nil {
		return nil, rec, err
	}
	first := touchedBy(inst.Patch)
	all := sources(b.Machine.Languages.Named(inst.Language), paths)
	rec.Sources = len(all)
	files := sample(all, first, b.lintFiles(linter), b.Options.Seed)
	rules := b.Options.Rules[about.Name]
	var findings []bench.Finding
	texts := map[string][]byte{}
	for _, some := range batches(files, 20) {
		o, broken, err := lintAll(ctx, bed, base, linter, rules.Rules(), some)
		if err != nil {
			return nil, rec, err
		}
		rec.Broken = append(rec.Broken, broken...)
		findings = append(findings, o.Findings...)
		for p, text := range o.Sources {
			texts[p] = text
		}
	}
	rec.Linted, rec.Findings = len(files)-len(rec.Broken), len(findings)
	options := b.Options.Select
	options.Seed, options.First = b.Options.Seed, first
	tasks, pruned := style.Select(findings, rules, options)
	rec.Pruned = pruned
	for i := range tasks {
		tasks[i].Linter, tasks[i].Version = about.Name, about.Version
		tasks[i].Rules = rules.Set()
		tasks[i].ProblemStatement = style.Statement(tasks[i], texts)
	}
	return tasks, rec, nil
}

// lintAll lints files, and leaves those out that cannot be parsed.
func lintAll(ctx context.Context, bed *languages.Testbed, v languages.Variant, linter style.Linter, rules style.Rules, files []string) (style.LintOutcome, []string, error) {
	var broken []string
	for len(files) > 0 {
		o, err := style.Lint(ctx, bed, v, linter, rules, files, nil)
		switch {
		case err != nil:
			return o, broken, err
		case o.State == bench.RunDone:
			return o, broken, nil
		case o.State != bench.RunUnbuilt || len(o.Broken) == 0:
			return o, broken, fmt.Errorf("linting at base: %s: %s", o.State, o.Detail)
		}
		left := slices.DeleteFunc(slices.Clone(files), func(p string) bool { return slices.Contains(o.Broken, p) })
		if len(left) == len(files) {
			return o, broken, fmt.Errorf("linting at base: %s: %s", o.State, o.Detail)
		}
		broken = append(broken, o.Broken...)
		files = left
	}
	return style.LintOutcome{State: bench.RunDone}, broken, nil
}

// SlowLinter is a linter that takes so long for a file that fewer than
// usual are linted.
type SlowLinter interface {
	style.Linter
	LintFiles() int
}

// lintFiles is the most files that are linted; 0 means all.
func (b Builder) lintFiles(l style.Linter) int {
	slow, ok := l.(SlowLinter)
	switch {
	case b.Options.LintFiles >= 0:
		return b.Options.LintFiles
	case ok:
		return slow.LintFiles()
	}
	return 100
}

// sources are the files that a linter of the language is for: no tests, no
// build files, nothing that others wrote or tools made.
func sources(l languages.Language, paths []string) []string {
	about := l.About()
	var out []string
	for _, p := range paths {
		if about.IsWhole(p) && l.Classify(p) == languages.SourcePath && !foreign(p) {
			out = append(out, p)
		}
	}
	return out
}

// foreign recognises folders of vendored or generated code.
func foreign(p string) bool {
	for _, part := range strings.Split(path.Dir(p), "/") {
		switch strings.ToLower(part) {
		case "vendor", "vendored", "_vendor", "third_party", "third-party", "thirdparty", "extern", "external", "deps",
			"node_modules", "generated", "gen", "single_include", "examples", "example", "docs", "doc", "benchmark", "benchmarks":
			return true
		}
	}
	return strings.HasPrefix(path.Base(p), "package-info.") || strings.HasPrefix(path.Base(p), "module-info.")
}

// sample takes at most so many files: those to come first, then by the seed.
func sample(all []string, first map[string]bool, most int, seed int64) []string {
	if most <= 0 || len(all) <= most {
		return all
	}
	rank := func(p string) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d\x00%s", seed, p)
		return h.Sum64()
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b string) int {
		if first[a] != first[b] {
			if first[a] {
				return -1
			}
			return 1
		}
		return cmp.Compare(rank(a), rank(b))
	})
	return slices.Sorted(slices.Values(sorted[:most]))
}

func batches(files []string, size int) [][]string {
	return slices.Collect(slices.Chunk(files, size))
}

func touchedBy(text string) map[string]bool {
	set := map[string]bool{}
	for _, p := range patch.PathsIn(text) {
		set[p] = true
	}
	return set
}
