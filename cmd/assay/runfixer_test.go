package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/llm/scripted"
	"assay/report"
	"assay/trajectory"
)

// fixerScript is a model that finds the place, and fixes the problem once of
// three times: a fix that is wrong comes twice.
func fixerScript() scripted.Script {
	block := func(with string) string {
		return "shop.py\n<<<<<<< SEARCH\n    return 0\n=======\n    return " + with + "\n>>>>>>> REPLACE\n"
	}
	s := scripted.Script{InOrder: true}
	for _, text := range []string{"shop.py", "shop.py\nfunction: count", "shop.py\nfunction: count", block("1"), block("1  # of them"), block("len(names(text))")} {
		s.Acts = append(s.Acts, scripted.Act{Say: text})
	}
	return s
}

// TestFixer: the real binary. The fix that most samples have is submitted, or,
// with generated tests, the one that they let pass. The samples are predictions of
// which assay filter gives precision and recall, and assay badpatch gen makes a
// bad patch.
func TestFixer(t *testing.T) {
	w := newWorld(t)
	const counts = "\n\ndef count(text):\n    return "
	test := "import shop\n\n\ndef test_total():\n    assert shop.total([1, 2]) == 3\n"
	base := map[string]string{"shop.py": shopBase + counts + "0\n", "tests/test_shop.py": test}
	gold := map[string]string{"shop.py": shopBase + counts + "len(text.split(','))\n"}
	hidden := map[string]string{"tests/test_shop.py": test + "\n\ndef test_count():\n    assert shop.count('a,b') == 2\n"}
	own, inst := w.own(t, victim, project{
		base: base, gold: gold, hidden: hidden, f2p: []string{"tests/test_shop.py::test_count"}, p2p: []string{"tests/test_shop.py::test_total"},
		bad: map[string]string{"shop.py": shopBase + "\n\nLIMIT = 9\n" + counts + "0\n"},
		change: func(i *bench.Instance) {
			i.ProblemStatement, i.BadPatches[0].Review = "count is 0 for every text of names", "No text is counted yet."
		},
	})
	server, err := scripted.New(fixerScript())
	require.NoError(t, err)
	t.Cleanup(server.Close)
	t.Setenv("OPENAI_API_KEY", "sk-secret-of-the-test")
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	dir := t.TempDir()
	tests := filepath.Join(dir, "tests.jsonl")
	writeLines(t, tests, []bench.Prediction{{InstanceID: inst.ID, Model: "tester", Task: "testgen", Patch: between(base, map[string]string{"tests/test_new.py": "import shop\n\n\ndef test_three():\n    assert shop.count('a,b,c') == 3\n"})}})
	run := func(kind, out string, more ...string) string {
		args := append([]string{"run", "-d", own.paths.Dataset, "-a", "fixer", "-t", kind, "-m", "openai/gpt-5-mini", "--set", "samples=3", "-o", out, "-q"}, more...)
		code, text := own.assay(t, own.on(args...)...)
		require.Equal(t, exitDone, code, text)
		all, err := bench.ReadPredictions(t.Context(), filepath.Join(out, "predictions.jsonl"))
		require.NoError(t, err)
		require.Len(t, all, 1)
		require.Equal(t, "done", all[0].End)
		return all[0].Patch
	}
	plain, filtered := filepath.Join(dir, "plain"), filepath.Join(dir, "filtered")
	require.Contains(t, run("bugfix", plain), "+    return 1\n")
	require.Len(t, server.Requests(), 6)
	require.Contains(t, run("bugfix", filtered, "--tests", tests, "--set", "votes=1"), "+    return len(names(text))\n")
	require.Len(t, server.Requests(), 6, "the answers come from the cache")

	// The script is over: its last answer, a fix, is given again, and retrieval finds
	// the place.
	answered := run("review", filepath.Join(dir, "review"), "--tests", tests)
	require.Contains(t, answered, "+    return len(names(text))\n")
	require.NotContains(t, answered, "+LIMIT", "it is a patch on top of the bad one")
	asked, err := json.Marshal(server.Requests()[6].Body)
	require.NoError(t, err)
	require.Contains(t, string(asked), "No text is counted yet.")

	samples := filepath.Join(plain, "attempts", "bugfix", inst.ID, "1", "agent", "samples.jsonl")
	code, text := own.assay(t, own.on("filter", "-d", own.paths.Dataset, "--fixes", samples, "--tests", tests, "-o", filepath.Join(dir, "filter"))...)
	require.Equal(t, exitDone, code, text)
	data, err := os.ReadFile(filepath.Join(dir, "filter", "summary.json"))
	require.NoError(t, err)
	var f report.Filtering
	require.NoError(t, json.Unmarshal(data, &f))
	require.Len(t, f.Rows, 4)
	require.Equal(t, report.AllFixes, f.Rows[0].Fixes)
	require.Equal(t, "fixer-sample+openai/gpt-5-mini#1", f.Rows[1].Fixes)
	all, voted := f.Rows[0].Thresholds[0], f.Rows[0].Thresholds[1]
	require.Equal(t, []int{3, 1, 1, 1}, []int{all.Kept, all.KeptRight, voted.Kept, voted.KeptRight})

	made := filepath.Join(dir, "bad.jsonl")
	code, text = own.gen(t, inst.ID, made, "--attempts", samples, "--sources", "attempt", "--runs", "1", "--regressions", "0")
	require.Equal(t, exitDone, code, text)
	with := readInstance(t, made)
	var attempted []string
	for _, b := range with.BadPatches {
		if strings.HasPrefix(b.Source, "attempt/") {
			attempted = append(attempted, b.Patch)
		}
	}
	require.Len(t, attempted, 1, text)
	require.Contains(t, attempted[0], "+    return 1\n")
}

// TestTestsForOthers: --tests is for the fixer, and wants tests; --fixes and
// --test-files are for the methods that show them.
func TestTestsForOthers(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(t.TempDir(), "p.jsonl")
	writeLines(t, file, []bench.Prediction{{InstanceID: "a__b-1", Model: "m", Task: "bugfix", Patch: "x"}})
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"a program":             {[]string{"-a", "aider", "--tests", file}, "--tests"},
		"no tests":              {[]string{"-a", "fixer", "--tests", file}, "there is no prediction for test generation in it"},
		"no file":               {[]string{"-a", "fixer", "--tests", file + ".gone"}, "p.jsonl.gone"},
		"a setting":             {[]string{"-a", "fixer", "--set", "samples=0"}, "expected a whole number from 1 to 100"},
		"a fix for the fixer":   {[]string{"-a", "fixer", "--fixes", file}, "--fixes and --test-files are for -a zeroshot, zeroshotplus and libro, not for fixer"},
		"a fix for a program":   {[]string{"-a", "aider", "--fixes", file}, "--fixes"},
		"test files, no tests":  {[]string{"-a", "zeroshotplus", "--test-files", file}, "--test-files " + file + ": there is no prediction for testgen in it"},
		"two fixes of one task": {[]string{"-a", "zeroshotplus", "--fixes", file + "," + file}, "instance a__b-1: expected one prediction, found two"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"run", "-d", w.paths.Dataset, "-m", "openai/gpt-5-mini", "-o", filepath.Join(t.TempDir(), "out")}, tt.args...)
			code, text := w.assay(t, args...)
			require.Equal(t, exitUsage, code, text)
			require.Contains(t, text, tt.want)
		})
	}
}

// goldScript is a model that finds the places of an instance's gold patch, and
// writes it as search/replace blocks.
func goldScript(gold string) scripted.Script {
	var paths, places, blocks strings.Builder
	var search, replace []string
	flush := func() {
		if len(search) > 0 {
			blocks.WriteString("<<<<<<< SEARCH\n" + strings.Join(search, "") + "=======\n" + strings.Join(replace, "") + ">>>>>>> REPLACE\n")
		}
		search, replace = nil, nil
	}
	for line := range strings.Lines(gold) {
		var from, count int
		switch text := line[1:]; {
		case strings.HasPrefix(line, "+++ b/"):
			path := strings.TrimPrefix(line, "+++ b/")
			paths.WriteString(path)
			places.WriteString(path)
			blocks.WriteString(path)
		case strings.HasPrefix(line, "@@ "):
			flush()
			_, _ = fmt.Sscanf(line, "@@ -%d,%d", &from, &count)
			fmt.Fprintf(&places, "lines: %d-%d\n", from, from+count)
		case strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "), strings.HasPrefix(line, "--- "):
			flush()
		case line[0] == ' ':
			search, replace = append(search, text), append(replace, text)
		case line[0] == '-':
			search = append(search, text)
		case line[0] == '+':
			replace = append(replace, text)
		}
	}
	flush()
	s := scripted.Script{InOrder: true}
	for _, text := range []string{paths.String(), places.String(), places.String(), blocks.String()} {
		s.Acts = append(s.Acts, scripted.Act{Say: text})
	}
	return s
}

// TestFixerLanguages: a sample of each language. A right fix breaks no existing
// test, and is resolved.
func TestFixerLanguages(t *testing.T) {
	if _, err := exec.LookPath("mvn"); err != nil {
		t.Skip("Maven is not installed")
	}
	w := newWorld(t)
	t.Setenv("OPENAI_API_KEY", "sk-secret-of-the-test")
	for _, id := range []string{"assay-samples__layercake-12", "assay-samples__coinsplit-31", "assay-samples__framewire-9"} {
		t.Run(id, func(t *testing.T) {
			inst, _ := w.sample(t, id)
			mostlyInPython(t, inst)
			server, err := scripted.New(goldScript(inst.Patch))
			require.NoError(t, err)
			t.Cleanup(server.Close)
			t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
			out := filepath.Join(t.TempDir(), "out")
			code, text := w.assay(t, w.on("run", "-d", w.paths.Dataset, "-i", id, "-a", "fixer", "-t", "bugfix", "-m", "openai/gpt-5-mini", "--set", "samples=1", "-o", out, "-q")...)
			require.Equal(t, exitDone, code, text)
			steps, err := os.ReadFile(filepath.Join(out, "attempts", "bugfix", id, "1", "steps.jsonl"))
			require.NoError(t, err)
			events, err := trajectory.ReadEvents(bytes.NewReader(steps))
			require.NoError(t, err)
			last := events[len(events)-1]
			require.Equal(t, "choice", last.Step, string(steps))
			require.JSONEq(t, `{"broken":0,"samples":[0],"votes":0}`, string(last.Output))
			require.Contains(t, string(steps), `"step":"regression/0"`, "existing tests ran on the fix")
			all, err := bench.ReadPredictions(t.Context(), filepath.Join(out, "predictions.jsonl"))
			require.NoError(t, err)
			require.Equal(t, bench.Resolved, w.judge(t, all, "-i", id)[all[0].Model].Verdict)
		})
	}
}
