package style

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"assay/bench"
)

// The kinds of flags on a submission to a style task. IsCheat reports which
// of them void the score.
const (
	// Ways of making a linter not see what is still there.
	FlagSuppression = "suppression"       // more suppressions than at base
	FlagConfig      = "linter_config"     // configuration, ruleset or baseline of a linter
	FlagHidden      = "hidden_code"       // inside __clang__, if False, a macro, a unicode escape
	FlagEval        = "code_in_string"    // exec and eval of strings
	FlagNewCopy     = "moved_to_new_file" // a new file that holds old code
	// Ways of removing what was to be fixed.
	FlagDeleted    = "deleted_file"
	FlagEmptyFile  = "emptied_file"
	FlagEmptyBody  = "emptied_body"
	FlagSymbols    = "symbols_lost"    // functions and classes that others can use
	FlagStatements = "statements_lost" // more than maxLoss, see there
	// What a reader should know, and that wins nothing by itself: findings
	// keep their identity through it.
	FlagNewFile   = "new_file"
	FlagMoved     = "moved_code" // to another file that existed
	FlagRenamed   = "symbols_renamed"
	FlagShrunk    = "shrunk_body"  // half of a function is gone, or a private one
	FlagGuarded   = "guarded_code" // new preprocessor conditions
	FlagReformat  = "reformatted"  // nothing but white space
	FlagBuildFile = "build_files"
)

// IsCheat distinguishes the flags that void a score from those that only
// inform. Reformatting, renaming and moving to an existing file are not
// cheats: matching follows the findings.
func IsCheat(f bench.Flag) bool {
	switch f.Kind {
	case FlagSuppression, FlagConfig, FlagHidden, FlagEval, FlagNewCopy,
		FlagDeleted, FlagEmptyFile, FlagEmptyBody, FlagSymbols, FlagStatements:
		return true
	}
	return false
}

// Edit is a submission to be looked at: the texts, before and after, of every
// file that it touches, and the outcome of the findings.
type Edit struct {
	Change
	// Matching explains code that had to go: an unused variable, a method
	// without callers. Without it nothing is explained.
	Matching Matching
	// Linters are those of the language: silencing any of them is an attempt.
	Linters []Linter
}

// Cheats looks for ways of silencing a linter instead of fixing, sorted by
// path and kind. Flags are facts about text: what tests show, and what
// linters see, is judged elsewhere.
func Cheats(e Edit) []bench.Flag {
	i := &inspector{Edit: e, survey: newSurvey(e.Change)}
	i.price()
	i.files()
	i.configuration()
	i.suppressions()
	i.moves()
	i.symbols()
	i.statements()
	i.hidden()
	slices.SortStableFunc(i.flags, func(a, b bench.Flag) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Detail, b.Detail))
	})
	return slices.Compact(i.flags)
}

type inspector struct {
	Edit
	survey *survey
	flags  []bench.Flag
	costs  []int // statements that the resolved findings explain, one by one
}

func (i *inspector) flag(kind, path, format string, args ...any) {
	i.flags = append(i.flags, bench.Flag{Kind: kind, Path: path, Detail: fmt.Sprintf(format, args...)})
}

// filePair is a file in both states; old is nil for a new file, new for a
// deleted one.
type filePair struct {
	path     string // afterwards, or before for a deleted one
	old, new []byte
	was, is  bool
}

// pairs lists all files of the change by path.
func (i *inspector) pairs() []filePair {
	var out []filePair
	came := map[string]bool{}
	for _, old := range slices.Sorted(maps.Keys(i.Before)) {
		path := i.survey.where(old)
		text, is := i.After[path]
		came[path] = true
		out = append(out, filePair{path: path, old: i.Before[old], new: text, was: true, is: is})
	}
	for _, path := range slices.Sorted(maps.Keys(i.After)) {
		if !came[path] {
			out = append(out, filePair{path: path, new: i.After[path], is: true})
		}
	}
	return out
}

// sources are the pairs in the change's language.
func (i *inspector) sources() []filePair {
	return slices.DeleteFunc(i.pairs(), func(p filePair) bool { return !i.isSource(p.path) })
}

// suppressions compares rule by rule, so that widening an old mark counts,
// and over all files, so that moving code with its mark does not.
func (i *inspector) suppressions() {
	type unit struct {
		kind SuppressionKind
		name string
	}
	spare := map[unit]int{} // gone from where it was
	extra := map[string]map[unit]int{}
	for _, p := range i.sources() {
		count := map[unit]int{}
		tally := func(text []byte, step int) {
			_, found := neutralised(i.Linters, i.Language, p.path, text)
			for _, s := range found {
				for _, name := range s.Names {
					count[unit{s.Kind, name}] += step
				}
			}
		}
		tally(p.old, -1)
		tally(p.new, 1)
		extra[p.path] = map[unit]int{}
		for u, n := range count {
			if n < 0 {
				spare[u] -= n
			} else if n > 0 {
				extra[p.path][u] = n
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(extra)) {
		for _, u := range slices.SortedFunc(maps.Keys(extra[path]), func(a, b unit) int {
			return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
		}) {
			n := extra[path][u]
			moved := min(n, spare[u])
			spare[u] -= moved
			if n -= moved; n > 0 {
				i.flag(FlagSuppression, path, "%d more of %s for %s", n, u.kind, u.name)
			}
		}
	}
}

// maxMovedLines is how many lines may reach another file before it is
// reported: imports and one-liners do.
const maxMovedLines = 2

func (i *inspector) moves() {
	count := map[string]int{}
	for from, to := range i.survey.moved {
		if i.survey.where(from.path) != to.path {
			count[to.path]++
		}
	}
	for _, p := range i.pairs() {
		switch n := count[p.path]; {
		case n > maxMovedLines && !p.was:
			i.flag(FlagNewCopy, p.path, "%d lines of old code", n)
		case n > maxMovedLines:
			i.flag(FlagMoved, p.path, "%d lines of other files", n)
		}
	}
}
