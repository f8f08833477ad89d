package export

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"assay/bench"
	"assay/internal/mirror"
)

// multiRecord is a record of Multi-SWE-bench. instance_id is an addition, for
// ids that do not follow from the number.
type multiRecord struct {
	Org        string              `json:"org"`
	Repo       string              `json:"repo"`
	Number     int                 `json:"number"`
	State      string              `json:"state"`
	Title      string              `json:"title"`
	Body       string              `json:"body"`
	Base       multiBase           `json:"base"`
	Issues     []multiIssue        `json:"resolved_issues"`
	Patch      string              `json:"fix_patch"`
	TestPatch  string              `json:"test_patch"`
	Hints      string              `json:"hints,omitempty"`
	Fixed      map[string]multiRun `json:"fixed_tests"`
	P2P        map[string]multiRun `json:"p2p_tests"`
	F2P        map[string]multiRun `json:"f2p_tests"`
	S2P        map[string]multiRun `json:"s2p_tests"`
	N2P        map[string]multiRun `json:"n2p_tests"`
	RunResult  multiResult         `json:"run_result"`
	TestResult multiResult         `json:"test_patch_result"`
	FixResult  multiResult         `json:"fix_patch_result"`
	ID         string              `json:"instance_id"`
	Lang       string              `json:"lang"`
	Created    string              `json:"created_at,omitempty"`
}

type multiBase struct {
	Label string `json:"label"`
	Ref   string `json:"ref"`
	SHA   string `json:"sha"`
}

type multiIssue struct {
	Number int    `json:"number"`
	Title  string `json:"title"`
	Body   string `json:"body"`
}

// multiRun is what a test did without a patch, with the tests and with gold.
type multiRun struct {
	Run  string `json:"run"`
	Test string `json:"test"`
	Fix  string `json:"fix"`
}

type multiResult struct {
	Passed  int      `json:"passed_count"`
	Failed  int      `json:"failed_count"`
	Skipped int      `json:"skipped_count"`
	PassedT []string `json:"passed_tests"`
	FailedT []string `json:"failed_tests"`
	SkipT   []string `json:"skipped_tests"`
}

// collected is the part of package collect's record of an instance that is used
// here.
type collected struct {
	Pull   int                        `json:"pull_number"`
	Issues []issueLines               `json:"issues"`
	States map[string][3]bench.Status `json:"states"`
}

// issueLines is how many lines of the statement an issue gave.
type issueLines struct {
	Issue string `json:"issue"`
	Lines int    `json:"lines"`
}

// issues divides a statement into the texts of the issues that gave it, each a
// title and a body, with a blank line between them.
func (c collected) issues(statement string) []multiIssue {
	out := []multiIssue{}
	lines := strings.Split(statement, "\n")
	for i, used := range c.Issues {
		own := lines[:min(used.Lines, len(lines))]
		if i == len(c.Issues)-1 {
			own = lines
		}
		title, body, _ := strings.Cut(strings.Join(own, "\n"), "\n")
		n, _ := strconv.Atoi(used.Issue) // a key has no number
		out = append(out, multiIssue{Number: n, Title: title, Body: body})
		lines = lines[min(len(own)+1, len(lines)):]
	}
	return out
}

// multiSWEBench adds a line to LANGUAGE/ORG__REPO_dataset.jsonl.
func multiSWEBench(dir string, inst bench.Instance) error {
	var about collected
	if raw := inst.Extra["collected"]; raw != nil {
		if err := json.Unmarshal(raw, &about); err != nil {
			return err
		}
	}
	org, name := mirror.SplitName(inst.Repo)
	org, name = cmp.Or(org, "local"), cmp.Or(name, "repository")
	title, body, _ := strings.Cut(inst.ProblemStatement, "\n")
	r := multiRecord{
		Org: org, Repo: name, Number: number(inst, about), State: "closed", Title: title, Body: body,
		Base:   multiBase{Label: org + ":" + inst.BaseCommit, Ref: inst.BaseCommit, SHA: inst.BaseCommit},
		Issues: about.issues(inst.ProblemStatement), Patch: inst.Patch, TestPatch: inst.TestPatch, Hints: inst.HintsText,
		ID: inst.ID, Lang: inst.Language, Created: inst.CreatedAt,
	}
	r.tests(inst, about.States)
	line, err := jsonText(r)
	if err != nil {
		return err
	}
	below := filepath.Join(dir, inst.Language)
	if err := os.MkdirAll(below, 0o755); err != nil {
		return err
	}
	return appendTo(below, org+"__"+name+"_dataset.jsonl", []byte(line+"\n"))
}

// tests sorts the tests into the four sets by what they did with the hidden
// tests alone, and counts the three states.
func (r *multiRecord) tests(inst bench.Instance, states map[string][3]bench.Status) {
	r.Fixed, r.P2P, r.F2P, r.S2P, r.N2P = map[string]multiRun{}, map[string]multiRun{}, map[string]multiRun{}, map[string]multiRun{}, map[string]multiRun{}
	for _, id := range inst.FailToPass {
		s, ok := states[id]
		if !ok {
			s = [3]bench.Status{bench.Missing, bench.Failed, bench.Passed}
		}
		run := multiRun{word(s[0]), word(s[1]), word(s[2])}
		r.Fixed[id] = run
		switch run.Test {
		case "NONE":
			r.N2P[id] = run
		case "SKIP":
			r.S2P[id] = run
		default:
			r.F2P[id] = run
		}
	}
	for _, id := range inst.PassToPass {
		s, ok := states[id]
		if !ok {
			s = [3]bench.Status{bench.Passed, bench.Passed, bench.Passed}
		}
		r.P2P[id] = multiRun{word(s[0]), word(s[1]), word(s[2])}
	}
	all := []map[string]multiRun{r.Fixed, r.P2P}
	r.RunResult = count(all, func(m multiRun) string { return m.Run })
	r.TestResult = count(all, func(m multiRun) string { return m.Test })
	r.FixResult = count(all, func(m multiRun) string { return m.Fix })
}

func word(s bench.Status) string {
	switch {
	case s.OK():
		return "PASS"
	case s == bench.Skipped:
		return "SKIP"
	case s == bench.Missing:
		return "NONE"
	}
	return "FAIL"
}

func count(sets []map[string]multiRun, state func(multiRun) string) multiResult {
	m := multiResult{PassedT: []string{}, FailedT: []string{}, SkipT: []string{}}
	for _, set := range sets {
		for id, run := range set {
			switch state(run) {
			case "PASS":
				m.PassedT = append(m.PassedT, id)
			case "FAIL":
				m.FailedT = append(m.FailedT, id)
			case "SKIP":
				m.SkipT = append(m.SkipT, id)
			}
		}
	}
	for _, l := range [][]string{m.PassedT, m.FailedT, m.SkipT} {
		slices.Sort(l)
	}
	m.Passed, m.Failed, m.Skipped = len(m.PassedT), len(m.FailedT), len(m.SkipT)
	return m
}

// number is the pull request's; of a change without one, the digits at the end
// of the id, or the first seven of the commit.
func number(inst bench.Instance, about collected) int {
	if about.Pull > 0 {
		return about.Pull
	}
	digits := inst.ID[len(strings.TrimRight(inst.ID, "0123456789")):]
	if n, err := strconv.Atoi(digits); err == nil && len(digits) < 8 && strings.HasSuffix(inst.ID, "-"+digits) {
		return n
	}
	n, _ := strconv.ParseInt(inst.BaseCommit[:min(7, len(inst.BaseCommit))], 16, 64) // 0 if it is not a commit
	return int(n)
}
