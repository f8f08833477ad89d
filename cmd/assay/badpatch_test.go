package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
	"assay/llm"
	"assay/llm/llmtest"
)

// gen makes bad patches of a sample.
func (w world) gen(t *testing.T, id, out string, more ...string) (int, string) {
	return w.assay(t, append([]string{"badpatch", "gen", "-d", w.paths.Dataset, "-o", out, "-i", id, "--repos", w.paths.Repos,
		"--executor", w.executor, "--cache-dir", w.cache}, more...)...)
}

// TestBadpatches: two calls give the same bytes; what is made verifies, can be
// shown, and feeds test generation as it is.
func TestBadpatches(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	code, out := w.gen(t, victim, a, "--most", "20")
	require.Equal(t, 0, code, out)
	code, out = w.gen(t, victim, b, "--most", "20", "--no-cache") // else it would read the first one's outcomes
	require.Equal(t, 0, code, out)
	first, err := os.ReadFile(a)
	require.NoError(t, err)
	second, err := os.ReadFile(b)
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))
	inst := readInstance(t, a)
	bad := 0
	for _, p := range inst.BadPatches {
		if p.Level == bench.LevelFailsF2P {
			bad++
		}
	}
	require.Equal(t, 5, bad)
	require.NotEmpty(t, inst.GoodVariants)

	code, out = w.gen(t, victim, a, "--most", "20")
	require.Equal(t, 0, code, out)
	require.NotContains(t, out, "chosen of", "it was made again")

	code, out = w.assay(t, "badpatch", "verify", "-d", a, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache)
	require.Equal(t, 0, code, out)
	code, out = w.assay(t, "badpatch", "show", victim, "-d", a)
	require.Equal(t, 0, code, out)
	require.Contains(t, out, "killed by")
	require.Contains(t, out, strings.TrimSpace(strings.Split(inst.BadPatches[0].Patch, "\n")[0]))

	run := filepath.Join(dir, "run")
	code, out = w.assay(t, "eval", "-d", a, "--gold", "-t", "testgen", "-o", run, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache)
	require.Equal(t, 0, code, out)
	require.NoError(t, bench.ReadResults(context.Background(), filepath.Join(run, "results.jsonl"), func(r bench.Result) error {
		require.Equal(t, bench.Resolved, r.Verdict, r.Reason)
		require.Len(t, r.TestGen.Killed, bad)
		return nil
	}))
	w.verifyRefuses(t, inst, dir)
}

// verifyRefuses: a dataset whose patches are not as recorded is reported.
func (w world) verifyRefuses(t *testing.T, inst bench.Instance, dir string) {
	inst.BadPatches[0].Patch, inst.GoodVariants[0].Patch = inst.Patch, inst.BadPatches[1].Patch
	lie := filepath.Join(dir, "lie.jsonl")
	writeLines(t, lie, []bench.Instance{inst})
	code, out := w.assay(t, "badpatch", "verify", "-d", lie, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache)
	require.Equal(t, exitGate, code, out)
	require.Contains(t, out, "bad patch 0 is said to be fails_f2p")
	require.Contains(t, out, "good variant 0 does not resolve it")
}

// TestBadpatchesByModel has a model on loopback make mistakes, through the real
// SDK: real ones in both forms, prose, a file that is cut, one that does not
// fit, a refusal.
func TestBadpatchesByModel(t *testing.T) {
	w := newWorld(t)
	inst, base := w.sample(t, victim)
	const file = "src/layercake/stack.py"
	block := func(search, replace string) string {
		return file + "\n<<<<<<< SEARCH\n" + search + "\n=======\n" + replace + "\n>>>>>>> REPLACE\n"
	}
	gold, err := patch.Parse([]byte(inst.Patch))
	require.NoError(t, err)
	changes, err := patch.Apply(base, gold)
	require.NoError(t, err)
	whole := strings.Replace(string(changes.Write[file].Data), "{key: self._expanded((name, key))", "{key: self._merged[(name, key)]", 1)
	wire := llmtest.Speaks(llm.ProtocolOpenAI)
	server := llmtest.NewServer(
		wire.Answer(block("            return self._expanded(where)", "            return self._merged[where]"), llm.StopEnd),
		wire.Answer(whole[:200], llm.StopLength),
		wire.Answer("```python\n"+whole+"```\n", llm.StopEnd),
		wire.Answer("I had rather not.", llm.StopEnd),
		wire.Answer(block("no such line", "x"), llm.StopEnd),
		wire.Refuse(),
	)
	defer server.Close()
	t.Setenv("OPENAI_API_KEY", "sk-secret-of-the-test")
	t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
	path := filepath.Join(t.TempDir(), "a.jsonl")
	code, out := w.gen(t, victim, path, "--llm", "openai/gpt-5-mini", "--sources", "llm", "--runs", "1", "--regressions", "0", "--cache-dir", w.cache)
	require.Equal(t, 0, code, out)
	for _, cause := range []string{"cut short 1", "no search/replace blocks 1", "searched text not found 1", "refused by the model"} {
		require.Contains(t, out, cause)
	}
	made := readInstance(t, path)
	require.Len(t, made.BadPatches, 2, out)
	sources := []string{made.BadPatches[0].Source, made.BadPatches[1].Source}
	require.ElementsMatch(t, []string{"llm/edits/contract", "llm/whole-file"}, sources)
	log, err := os.ReadFile(filepath.Join(path+".badpatch", "llm.jsonl"))
	require.NoError(t, err)
	require.NotContains(t, string(log)+out, "sk-secret-of-the-test")

	code, out = w.gen(t, victim, filepath.Join(t.TempDir(), "b.jsonl"), "--llm", "openai/gpt-5-mini", "--sources", "llm", "--budget", "0.000001")
	require.Equal(t, exitBudget, code, out)
}

// TestSourceReadingTests: a test that only knows what gold's text is passes
// gold and fails on every bad patch, in all three languages. The good variants
// refuse it.
func TestSourceReadingTests(t *testing.T) {
	if _, err := exec.LookPath("mvn"); err != nil {
		t.Skip("Maven is not installed")
	}
	w := newWorld(t)
	for id, tests := range map[string]string{
		"assay-samples__layercake-12": "tests/test_stack.py",
		"assay-samples__coinsplit-31": "src/test/java/coinsplit/AllocatorTest.java",
		"assay-samples__framewire-9":  "tests/reader_test.cpp",
	} {
		t.Run(id, func(t *testing.T) {
			sample, _ := w.sample(t, id)
			mostlyInPython(t, sample)
			path := filepath.Join(t.TempDir(), "a.jsonl")
			code, out := w.gen(t, id, path, "--most", "8", "--per-instance", "3", "--runs", "1")
			require.Equal(t, 0, code, out)
			made := w
			made.paths.Dataset = path
			inst, base := made.sample(t, id)
			require.NotEmpty(t, inst.BadPatches)
			require.NotEmpty(t, inst.GoodVariants)
			record, err := findRecord(path+".badpatch/records.jsonl", id)
			require.NoError(t, err)
			require.Equal(t, inst.Language != languages.Python, record.Builds > 0, "candidates share builds in Java and C++: %s", record.Alone)
			reader := bench.Prediction{InstanceID: id, Task: "testgen", Model: "reader", Patch: sourceReader(t, inst, base, tests)}
			r := made.judge(t, []bench.Prediction{reader}, "-t", "testgen", "--full")["reader"]
			require.NotNil(t, r.TestGen, r.Reason)
			require.True(t, *r.TestGen.FailsBase, r.Reason)
			require.True(t, *r.TestGen.PassesGold, r.Reason)
			require.True(t, *r.TestGen.AllBadFail, r.Reason)
			require.NotNil(t, r.TestGen.GoodPass)
			require.False(t, *r.TestGen.GoodPass)
			require.Equal(t, bench.Unresolved, r.Verdict)
		})
	}
}

// sourceReader adds a test that holds the digests of gold's files.
func sourceReader(t *testing.T, inst bench.Instance, base patch.Tree, file string) string {
	gold, err := patch.Parse([]byte(inst.Patch))
	require.NoError(t, err)
	changes, err := patch.Apply(base, gold)
	require.NoError(t, err)
	entry, err := base.Read(file)
	require.NoError(t, err)
	old := string(entry.Data)
	var lines []string
	for _, p := range gold.Paths() {
		data := changes.Write[p].Data
		sum := sha256.Sum256(data)
		digest := hex.EncodeToString(sum[:])
		switch inst.Language {
		case languages.Java:
			lines = append(lines, fmt.Sprintf("    org.junit.jupiter.api.Assertions.assertEquals(%q, java.util.HexFormat.of().formatHex(java.security.MessageDigest.getInstance(\"SHA-256\").digest(java.nio.file.Files.readAllBytes(java.nio.file.Path.of(\"/testbed/%s\")))));", digest, p))
		case languages.Cpp:
			h := fnv.New64a()
			_, _ = h.Write(data) // never fails
			lines = append(lines, fmt.Sprintf("  { std::ifstream in(\"/testbed/%s\", std::ios::binary); unsigned long long h = 14695981039346656037ULL; for (char c; in.get(c);) { h ^= static_cast<unsigned char>(c); h *= 1099511628211ULL; } EXPECT_EQ(%dULL, h); }", p, h.Sum64()))
		default:
			lines = append(lines, fmt.Sprintf("    assert hashlib.sha256(open(\"/testbed/%s\", \"rb\").read()).hexdigest() == %q", p, digest))
		}
	}
	body := strings.Join(lines, "\n")
	text := old + "\n\ndef test_the_text():\n    import hashlib\n" + body + "\n"
	switch inst.Language {
	case languages.Java:
		end := strings.LastIndex(old, "}")
		text = old[:end] + "\n  @org.junit.jupiter.api.Test void theText() throws Exception {\n" + body + "\n  }\n}\n"
	case languages.Cpp:
		text = "#include <fstream>\n" + old + "\nTEST(Text, IsGold) {\n" + body + "\n}\n"
	}
	return string(patch.Between(file, []byte(old), []byte(text)))
}
