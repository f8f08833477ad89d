package tasks

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"assay/bench"
	"assay/harness"
	"assay/harness/harnesstest"
	"assay/languages"
)

// world is a machine in memory with an image that holds a repository. Its tests
// are a function of the tree.
type world struct {
	repo  map[string]string
	tests func(tree map[string]string, run int) (end harness.Result, tests []bench.Test)

	mu   sync.Mutex
	runs int
}

// newWorld has a library of one file, and a test file. Its hidden tests are
// test_f, which only the fix passes, and test_p, which half a fix breaks.
func newWorld() *world {
	w := &world{repo: map[string]string{"lib/a.py": "bug\n", "tests/test_a.py": "line\n"}}
	w.tests = func(tree map[string]string, _ int) (harness.Result, []bench.Test) {
		return harness.Result{}, plainTests(tree)
	}
	return w
}

func plainTests(tree map[string]string) []bench.Test {
	f2p, p2p := fail, pass
	switch strings.TrimSpace(tree["lib/a.py"]) {
	case "fix", "other":
		f2p = pass
	case "half":
		p2p = fail
	case "broken":
		f2p, p2p = pass, fail
	}
	tests := []bench.Test{test("test_p", p2p)}
	if strings.Contains(tree["tests/test_a.py"], "new") {
		tests = append(tests, test("test_f", f2p))
	}
	return tests
}

// judge is a Judge on the world's machine. Its clock moves a second each time
// that it is asked.
func (w *world) judge() Judge {
	fake := &harnesstest.Fake{Handle: w.handle}
	var mu sync.Mutex
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		clock = clock.Add(time.Second)
		return clock
	}
	return Judge{Machine: languages.Machine{Runner: fake, Preparer: fake, Secret: []byte("secret")}, Now: now}
}

// instance is one whose image holds the world's repository.
func (w *world) instance(levels ...bench.Level) *bench.Instance {
	inst := instance(levels...)
	inst.Image, inst.Root, inst.Repo = "image", languages.Root, "o/r"
	inst.Env = &bench.Env{Framework: "pytest", Test: "run the tests", Reports: []string{"$ASSAY_REPORTS/*"}}
	return inst
}

// handle copies files out of the image, or runs the tests on the job's tree.
func (w *world) handle(ctx context.Context, job harness.Job) (harness.Result, error) {
	if err := ctx.Err(); err != nil {
		return harness.Result{}, err
	}
	res := harness.Result{End: harness.Exited, Files: map[string][]byte{}}
	if job.Script == "" {
		for _, p := range job.Collect {
			if text, ok := w.repo[strings.TrimPrefix(p, languages.Root+"/")]; ok {
				res.Files[p] = []byte(text)
			}
		}
		return res, nil
	}
	tree := map[string]string{}
	for p, text := range w.repo {
		tree[p] = text
	}
	for _, p := range job.Remove {
		delete(tree, strings.TrimPrefix(p, languages.Root+"/"))
	}
	for _, f := range job.Files {
		tree[strings.TrimPrefix(f.Path, languages.Root+"/")] = string(f.Data)
	}
	w.mu.Lock()
	run := w.runs
	w.runs++
	w.mu.Unlock()
	end, tests := w.tests(tree, run)
	return w.reported(end, tests, job), nil
}

// reported writes what pytest would print.
func (w *world) reported(end harness.Result, tests []bench.Test, job harness.Job) harness.Result {
	end.Files = map[string][]byte{}
	if end.End == "" {
		end.End = harness.Exited
	}
	end.Timings = harness.Timings{Create: time.Second, Start: 2 * time.Second, Run: 3 * time.Second, Collect: 4 * time.Second, Remove: 5 * time.Second}
	end.Output.Head = []byte("printed\n")
	if len(tests) == 0 {
		return end
	}
	var b strings.Builder
	b.WriteString("============================= test session starts ==============================\n")
	failing := 0
	for _, t := range tests {
		fmt.Fprintf(&b, "%s %s\n", t.ID, strings.ToUpper(string(t.Status)))
		if !t.Status.OK() {
			failing++
		}
	}
	fmt.Fprintf(&b, "========================= %d failed, %d passed in 0.01s ==========================\n", failing, len(tests)-failing)
	if failing > 0 && end.ExitCode == 0 {
		end.ExitCode = 1
	}
	for _, e := range job.Env {
		if dir, ok := strings.CutPrefix(e, "ASSAY_REPORTS="); ok {
			end.Files[dir+"/report.txt"] = []byte(b.String())
		}
	}
	return end
}
