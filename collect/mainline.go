package collect

import (
	"assay/internal/mirror"
)

// history is what a repository's log says, by commit.
type history struct {
	order   []string // of the log: children before parents
	commits map[string]mirror.Commit
	pulls   map[int]string // heads, by number
	byHead  map[string]int // numbers, by head
	merged  map[string]int // numbers, by the commit that a forge names; may be nil
}

func newHistory(commits []mirror.Commit, pulls map[int]string) *history {
	h := &history{commits: map[string]mirror.Commit{}, pulls: pulls, byHead: map[string]int{}}
	for _, c := range commits {
		h.order = append(h.order, c.ID)
		h.commits[c.ID] = c
	}
	for _, n := range sortedKeys(pulls) {
		if _, ok := h.byHead[pulls[n]]; !ok {
			h.byHead[pulls[n]] = n
		}
	}
	return h
}

// found is a commit of the main line as a change, before it is looked at.
type found struct {
	commit  mirror.Commit
	kind    Kind
	number  int
	branch  string
	onto    string
	head    string
	side    []string // the other commits of the change, newest first
	nothing bool     // a merge of a branch, or a first commit
}

// mainline lists the changes of the main line, newest first. That line consists
// of the first parents of head, and those of each branch that was merged without
// a pull request: a fix merged into a maintenance branch counts, too. The commits
// of a pull request belong to that pull request.
func (h *history) mainline(head string) []found {
	line := h.lines(head)
	var out []found
	for _, id := range h.order {
		if line[id] {
			out = append(out, h.change(h.commits[id], line))
		}
	}
	return out
}

// lines are the commits of the main line.
func (h *history) lines(head string) map[string]bool {
	line := map[string]bool{}
	for todo := []string{head}; len(todo) > 0; {
		at := todo[0]
		todo = todo[1:]
		for c, ok := h.commits[at]; ok && !line[at]; c, ok = h.commits[at] {
			line[at] = true
			if len(c.Parents) == 0 {
				break
			}
			if n, _ := h.mergeNumber(c); len(c.Parents) > 1 && n == 0 {
				todo = append(todo, c.Parents[1:]...)
			}
			at = c.Parents[0]
		}
	}
	return line
}

// mergeNumber is the number of the pull request that a commit merges: a forge
// reports it, the message has it, or the merged commit is the head of one.
func (h *history) mergeNumber(c mirror.Commit) (number int, branch string) {
	if n := h.merged[c.ID]; n > 0 {
		return n, ""
	}
	if n, branch := pullNumber(c.Message, true); n > 0 {
		return n, branch
	}
	if len(c.Parents) == 2 {
		return h.byHead[c.Parents[1]], ""
	}
	return 0, ""
}

// change describes what a commit of the main line changed.
func (h *history) change(c mirror.Commit, line map[string]bool) found {
	f := found{commit: c, kind: Direct}
	if len(c.Parents) == 0 {
		f.nothing = true
		return f
	}
	f.onto = c.Parents[0]
	if len(c.Parents) > 1 {
		f.kind = Merge
		f.number, f.branch = h.mergeNumber(c)
		f.nothing = f.number == 0 || len(c.Parents) > 2
		f.head = c.Parents[1]
		if !f.nothing {
			f.side = h.side(f.head, line)
		}
		return f
	}
	if f.number, f.branch = pullNumber(c.Message, false); f.number == 0 {
		f.number = closedPull(c.Message, h.pulls)
	}
	if n := h.merged[c.ID]; n > 0 {
		f.number = n
	}
	if f.number > 0 {
		f.kind = Squash
	}
	return f
}

// maxSide bounds the commits that are read of one pull request.
const maxSide = 200

// side lists the commits that a merge added, newest first.
func (h *history) side(head string, line map[string]bool) []string {
	var out []string
	seen := map[string]bool{}
	for todo := []string{head}; len(todo) > 0 && len(out) < maxSide; {
		at := todo[0]
		todo = todo[1:]
		c, ok := h.commits[at]
		if !ok || seen[at] || line[at] {
			continue
		}
		seen[at] = true
		out = append(out, at)
		todo = append(todo, c.Parents...)
	}
	return out
}
