package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/llm/scripted"
	"assay/trajectory"
)

// TestMethodsEndToEnd lets LIBRO solve a sample of each language with a scripted
// model, from assay run to the verdict of assay eval. The answers are the hidden
// tests, a test that passes on base, and nothing of use.
func TestMethodsEndToEnd(t *testing.T) {
	w := newWorld(t)
	for id, answer := range testsThatShow() {
		t.Run(id, func(t *testing.T) {
			inst, _ := w.sample(t, id)
			mostlyInPython(t, inst)
			s := startScripted(t, []string{answer, "I would rather not.", "Same issue: yes"})
			dir := t.TempDir()
			out, records := filepath.Join(dir, "out"), filepath.Join(dir, "records")
			run := func(more ...string) (int, string) {
				return w.assay(t, append([]string{"run", "-d", w.paths.Dataset, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache,
					"-i", id, "-a", "libro", "-m", "openai/gpt-5", "--set", "samples=2", "-q"}, more...)...)
			}
			code, text := run("-o", out, "--record", records)
			require.Equal(t, exitDone, code, text)
			require.Len(t, s.Requests(), 3)

			first := predictionsIn(t, filepath.Join(out, "predictions.jsonl"))[0]
			require.Equal(t, "done", first.End)
			require.InDelta(t, 3*2000*1.25e-6+3*40*10e-6, first.CostUSD, 0.003)
			checkSteps(t, filepath.Join(out, "attempts/testgen", id, "1/trajectory.json"))

			code, text = w.assay(t, "eval", "-d", w.paths.Dataset, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache, "-t", "testgen",
				"-p", filepath.Join(out, "predictions.jsonl"), "-o", filepath.Join(dir, "run"), "-q", "-i", id)
			require.Equal(t, exitDone, code, text)
			got := readResults(t, filepath.Join(dir, "run", "results.jsonl"))["libro+openai/gpt-5"].TestGen
			require.True(t, *got.FailsBase)
			require.True(t, *got.PassesGold)

			// Answers come from recordings without a key, and from the cache at no cost.
			t.Setenv("OPENAI_API_KEY", "")
			code, text = run("-o", filepath.Join(dir, "replayed"), "--replay", records)
			require.Equal(t, exitDone, code, text)
			require.Equal(t, first.Patch, predictionsIn(t, filepath.Join(dir, "replayed", "predictions.jsonl"))[0].Patch)
			t.Setenv("OPENAI_API_KEY", "sk-of-the-test")
			code, text = run("-o", filepath.Join(dir, "cached"))
			require.Equal(t, exitDone, code, text)
			again := predictionsIn(t, filepath.Join(dir, "cached", "predictions.jsonl"))[0]
			require.Equal(t, first.Patch, again.Patch)
			require.Zero(t, again.CostUSD)
			require.Len(t, s.Requests(), 3)
		})
	}
}

// TestMethodWithGold: the prompt of zeroshotplus shows the gold patch and the test
// files of the hidden tests, where the user gives predictions that hold them.
func TestMethodWithGold(t *testing.T) {
	w := newWorld(t)
	id := "assay-samples__layercake-12"
	inst, _ := w.sample(t, id)
	s := startScripted(t, []string{testsThatShow()[id]})
	dir := t.TempDir()
	fixes, tests := filepath.Join(dir, "fixes.jsonl"), filepath.Join(dir, "tests.jsonl")
	writeLines(t, fixes, []bench.Prediction{{InstanceID: id, Model: "gold", Task: "bugfix", Patch: inst.Patch}})
	writeLines(t, tests, []bench.Prediction{{InstanceID: id, Model: "gold", Task: "testgen", Patch: inst.TestPatch}})
	code, text := w.assay(t, "run", "-d", w.paths.Dataset, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache,
		"-i", id, "-a", "zeroshotplus", "-m", "openai/gpt-5", "--fixes", fixes, "--test-files", tests, "-o", filepath.Join(dir, "out"), "-q")
	require.Equal(t, exitDone, code, text)
	asked, err := json.Marshal(s.Requests()[0].Body)
	require.NoError(t, err)
	var shown []string
	for _, m := range regexp.MustCompile(`\[start of ([^\]]+)\]`).FindAllStringSubmatch(string(asked), -1) {
		shown = append(shown, m[1])
	}
	require.Equal(t, []string{"tests/test_stack.py", "src/layercake/stack.py", "shop/tests/test_prices.py"}, shown, "the last one is the prompt's example")
	line, _ := json.Marshal(inst.Patch[strings.Index(inst.Patch, "\n+ ")+1 : strings.LastIndex(inst.Patch, "\n+")])
	require.Contains(t, string(asked), strings.Trim(string(line), `"`))
}

// TestMethodOutOfBudget: an attempt whose budget ends in the middle submits what
// there is: with two answers the rest is less than what a third one may cost.
func TestMethodOutOfBudget(t *testing.T) {
	w := newWorld(t)
	id := "assay-samples__layercake-12"
	startScripted(t, []string{testsThatShow()[id], "nothing", "nothing", "nothing", "nothing"})
	out := filepath.Join(t.TempDir(), "out")
	code, text := w.assay(t, "run", "-d", w.paths.Dataset, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache,
		"-i", id, "-a", "libro", "-m", "openai/gpt-5", "--set", "samples=5", "--set", "context=2000", "--task-budget", "0.054", "-o", out, "-q")
	require.Equal(t, exitDone, code, text)
	p := predictionsIn(t, filepath.Join(out, "predictions.jsonl"))[0]
	require.Equal(t, "budget", p.End)
	require.NotEmpty(t, p.Patch)
	require.LessOrEqual(t, p.CostUSD, 0.054)
}

// startScripted starts a model that gives answers in order, and points assay to
// it.
func startScripted(t *testing.T, answers []string) *scripted.Server {
	t.Helper()
	script := scripted.Script{InOrder: true}
	for _, a := range answers {
		script.Acts = append(script.Acts, scripted.Act{Say: a})
	}
	s, err := scripted.New(script)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	t.Setenv("OPENAI_API_KEY", "sk-of-the-test")
	t.Setenv("OPENAI_BASE_URL", s.URL+"/v1")
	return s
}

// testsThatShow are answers in the fault-tolerant format with a test that shows the
// issue of a sample.
func testsThatShow() map[string]string {
	return map[string]string{
		"assay-samples__layercake-12": `diff
tests/test_late.py
insert
EOF
from layercake import Stack

def test_later_layers_count():
    stack = Stack().add("base", "[net]\nhost = a\n[web]\nurl = http://${net.host}/\n")
    stack.add("site", "[net]\nhost = b\n")
    assert stack.get("web", "url") == "http://b/"
end diff`,
		"assay-samples__coinsplit-31": `diff
AllocatorTest.java
insert
36
@Test
void refundsMirrorCharges() {
    assertEquals(numbers("-34 -33 -33"), minor(Allocator.split(Money.ofMinor(-100, Unit.EUR), 3)));
}
end diff`,
		"assay-samples__framewire-9": `diff
tests/reader_test.cpp
insert
EOF
TEST(ReaderTest, SplitBehindTheMarker) {
  Writer writer;
  writer.frame(to_bytes("hello"));
  const Bytes& all = writer.bytes();
  Reader reader;
  reader.feed(all.data(), 1);
  EXPECT_TRUE(reader.pending());
  reader.feed(all.data() + 1, all.size() - 1);
  EXPECT_EQ(texts(reader), Texts{"hello"});
}
end diff`,
	}
}

// checkSteps checks that a trajectory has the calls and the other steps.
func checkSteps(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	tr, err := trajectory.Read(f)
	require.NoError(t, err)
	seen := map[string]int{}
	cost := 0.0
	for _, s := range tr.Steps {
		if s.Source != trajectory.AgentOwn {
			continue
		}
		name, _ := s.Extra["step"].(string)
		seen[name]++
		if s.Metrics != nil {
			cost += *s.Metrics.CostUSD
		}
	}
	for _, name := range []string{"retrieve", "write tests 1", "apply 1", "write tests 2", "run 1", "judge 1", "choose"} {
		require.Equal(t, 1, seen[name], name)
	}
	require.InDelta(t, *tr.FinalMetrics.CostUSD, cost, 1e-9)
}
