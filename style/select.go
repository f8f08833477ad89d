package style

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"path"
	"slices"

	"assay/bench"
)

// SelectOptions choose the findings of a repository that become tasks. Start
// from DefaultSelect.
type SelectOptions struct {
	// MinFindings and MaxFindings bound the findings of a task: one finding is
	// a coin's toss as a score, more than thirty are a rewrite. The paper's
	// extremes are 1 and 30.
	MinFindings, MaxFindings int
	// Aim is the mean that files are chosen for; the paper's is 9 (section
	// 3.2.4). 0 means not to care.
	Aim int
	// MaxTasks is the most tasks of one instance; 0 means all.
	MaxTasks int
	// MaxFiles is the most files of one task. With more than one, files of a
	// directory that have too few findings are taken together.
	MaxFiles int
	// CommonShare and CommonLeast prune a rule that makes up more than this
	// share of all findings, when there are at least so many of it: it says
	// nothing of any one file.
	CommonShare float64
	CommonLeast int
	// Zealous rules and Conflicts add to those of the rule list.
	Zealous   []string
	Conflicts [][]string
	// First are files that go before others: those that gold touches, since
	// the hidden tests run them. Those that Covered reports, if it is set, as
	// reached by tests come next.
	First   map[string]bool        `json:"-"`
	Covered func(path string) bool `json:"-"`
	Seed    int64
}

// DefaultSelect is what assay build starts from.
func DefaultSelect() SelectOptions {
	return SelectOptions{MinFindings: 3, MaxFindings: 30, Aim: 9, MaxTasks: 3, MaxFiles: 1, CommonShare: 0.25, CommonLeast: 20}
}

// Select makes tasks of a repository's findings: rules that are zealous, at
// odds or common are pruned, the rest is grouped by file, and files with a
// sensible number of findings are taken, those to come first, then by nearness
// to the aim, then by the seed. The caller gives findings of files that may
// become tasks: no tests, nothing generated. The same findings in any order
// give the same tasks. Their statements are left to the caller.
func Select(findings []bench.Finding, rules RuleFile, o SelectOptions) ([]bench.StyleTask, Pruned) {
	kept, p := prune(sortedFindings(findings), rules, o)
	var out []bench.StyleTask
	for _, t := range grouped(kept, o) {
		switch n := len(t.Findings); {
		case n < o.MinFindings:
			p.FewFiles += len(t.Files)
		case n > o.MaxFindings:
			p.ManyFiles += len(t.Files)
		default:
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, o.compare)
	for o.MaxTasks > 0 && len(out) > o.MaxTasks {
		p.OverFiles += len(out[len(out)-1].Files)
		out = out[:len(out)-1]
	}
	for i := range out {
		out[i].Index, out[i].Linter, out[i].Version = i, rules.Linter, rules.Version
	}
	return out, p
}

// grouped puts sorted findings together by file, and files with too few by
// directory where a task may have several.
func grouped(findings []bench.Finding, o SelectOptions) []bench.StyleTask {
	var out []bench.StyleTask
	open := map[string]int{} // by directory, the task that takes more files
	for _, f := range byPath(findings) {
		dir, few := path.Dir(f.Files[0]), len(f.Findings) < o.MinFindings
		n, ok := open[dir]
		if few && ok && len(out[n].Files) < o.MaxFiles && len(out[n].Findings) < o.MinFindings {
			out[n].Files = append(out[n].Files, f.Files...)
			out[n].Findings = append(out[n].Findings, f.Findings...)
			continue
		}
		if few {
			open[dir] = len(out)
		}
		out = append(out, f)
	}
	return out
}

func byPath(findings []bench.Finding) []bench.StyleTask {
	var out []bench.StyleTask
	for _, f := range findings {
		if n := len(out); n == 0 || out[n-1].Files[0] != f.Path {
			out = append(out, bench.StyleTask{Files: []string{f.Path}})
		}
		last := &out[len(out)-1]
		last.Findings = append(last.Findings, f)
	}
	return out
}

func (o SelectOptions) compare(a, b bench.StyleTask) int {
	return cmp.Or(
		cmp.Compare(o.tier(a), o.tier(b)), cmp.Compare(o.distance(a), o.distance(b)),
		cmp.Compare(o.draw(a), o.draw(b)), slices.Compare(a.Files, b.Files),
	)
}

func (o SelectOptions) tier(t bench.StyleTask) int {
	switch {
	case slices.ContainsFunc(t.Files, func(p string) bool { return o.First[p] }):
		return 0
	case o.Covered != nil && slices.ContainsFunc(t.Files, o.Covered):
		return 1
	}
	return 2
}

// distance from the aim, in half octaves: coarse, so that the seed matters.
func (o SelectOptions) distance(t bench.StyleTask) int {
	if o.Aim <= 0 {
		return 0
	}
	return int(2 * math.Abs(math.Log2(float64(len(t.Findings))/float64(o.Aim))))
}

// draw is a task's place in the order that a seed makes.
func (o SelectOptions) draw(t bench.StyleTask) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d", o.Seed)
	for _, p := range t.Files {
		fmt.Fprintf(h, "\x00%s", p)
	}
	return h.Sum64()
}
