package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// methodCase is a sample with what a scripted model answers there.
type methodCase struct {
	testFile, prior  string // an existing test
	source, function string // where the fix belongs
	right            string // a test that shows the issue
	name             string // of that test
	passing, unbuilt string // tests of no use
	whole, wholeIn   string // a test file with the right test, and the file that it changes
}

// methodCases are a sample of each language.
func methodCases() map[string]methodCase {
	python := `def test_later_layers_count():
    stack = Stack().add("base", "[net]\nhost = a\n[web]\nurl = http://${net.host}/\n")
    stack.add("site", "[net]\nhost = b\n")
    assert stack.get("web", "url") == "http://b/"
`
	java := `@Test
void refundsMirrorCharges() {
    assertEquals(numbers("-34 -33 -33"), minor(Allocator.split(Money.ofMinor(-100, Unit.EUR), 3)));
}
`
	cpp := `TEST(ReaderTest, SplitBehindTheMarker) {
  Writer writer;
  writer.frame(to_bytes("hello"));
  const Bytes& all = writer.bytes();
  Reader reader;
  reader.feed(all.data(), 1);
  EXPECT_TRUE(reader.pending());
  reader.feed(all.data() + 1, all.size() - 1);
  EXPECT_EQ(reader.next(), to_bytes("hello"));
}
`
	return map[string]methodCase{
		"assay-samples__layercake-12": {
			testFile: "tests/test_stack.py", prior: "ReferencesTest.test_circle", source: "src/layercake/stack.py", function: "Stack.get",
			right: python, name: "def test_later_layers_count",
			passing: "def test_origins():\n    assert Stack().add(\"base\", \"[a]\\nx = 1\\n\").origin(\"a\", \"x\") == \"base\"\n",
			unbuilt: "def test_nothing(:\n",
			whole:   "from layercake import Stack\n\n\n" + python, wholeIn: "tests/test_issue.py",
		},
		"assay-samples__coinsplit-31": {
			testFile: "src/test/java/coinsplit/AllocatorTest.java", prior: "AllocatorTest.Split.needsAShare", source: "src/main/java/coinsplit/Allocator.java", function: "Allocator.split",
			right: java, name: "void refundsMirrorCharges",
			passing: "@Test\nvoid oneShare() {\n    assertEquals(numbers(\"7\"), minor(Allocator.split(Money.ofMinor(7, Unit.EUR), 1)));\n}\n",
			unbuilt: "@Test\nvoid noMethod() {\n    Allocator.refund(Money.zero(Unit.EUR));\n}\n",
			whole: "package coinsplit;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport java.util.List;\nimport org.junit.jupiter.api.Test;\n\n" +
				"class RefundTest {\n    @Test\n    void refundsMirrorCharges() {\n        List<Money> shares = Allocator.split(Money.ofMinor(-100, Unit.EUR), 3);\n        assertEquals(Money.ofMinor(-34, Unit.EUR), shares.get(0));\n    }\n}\n",
			wholeIn: "src/test/java/coinsplit/RefundTest.java",
		},
		"assay-samples__framewire-9": {
			testFile: "tests/reader_test.cpp", prior: "ReaderTest.LongPayload", source: "src/reader.cpp", function: "framewire::Reader::feed",
			right: cpp, name: "TEST(ReaderTest, SplitBehindTheMarker)",
			passing: "TEST(ReaderTest, Nothing) {\n  Reader reader;\n  EXPECT_FALSE(reader.pending());\n}\n",
			unbuilt: "TEST(ReaderTest, NoMethod) {\n  Reader reader;\n  reader.rewind();\n}\n",
			whole:   "#include <gtest/gtest.h>\n#include \"framewire/reader.h\"\n#include \"framewire/writer.h\"\n\n" + cpp + "\nint main(int argc, char** argv) {\n  testing::InitGoogleTest(&argc, argv);\n  return RUN_ALL_TESTS();\n}\n",
			wholeIn: "tests/reader_test.cpp",
		},
	}
}

// answers are the model's answers to each method that makes tests, except LIBRO
// (TestMethodsEndToEnd).
func (c methodCase) answers(inst bench.Instance) map[string][]string {
	named := func(file, function string) string {
		return "<Filename>" + file + "</Filename> <Function>" + function + "</Function>"
	}
	code := func(text string) string {
		return "<PriorFunction>" + c.prior + "</PriorFunction>\n<COMPLETE_FUNC>\n" + text + "</COMPLETE_FUNC>"
	}
	read := "<Action>read</Action> " + named(c.source, c.function) + "\n"
	// The functions' names are a letter off: no file has them.
	planned := []string{
		c.testFile, named(c.testFile, c.prior+"s"), c.source, named(c.source, c.function+"s"), read,
		read + "<Action>write</Action> " + named(c.testFile, "later") + "\n<Thought>Satisfied</Thought>",
	}
	own := func(more ...string) []string { return append(planned[:len(planned):len(planned)], more...) }
	return map[string][]string{
		"zeroshot":     {"This shows it:\n```diff\n" + inst.TestPatch + "```\n"},
		"zeroshotplus": {testsThatShow()[inst.ID]},
		"tdd-zeroshot": {"<COMPLETE_FUNC>\n" + c.whole + "</COMPLETE_FUNC>"},
		"otter":        own(code(c.right)),
		"otter++":      own(code(c.passing), code(c.unbuilt), code(c.right), "I would rather not.", code(c.passing)),
	}
}

// TestMethodsInEachLanguage lets the methods that make tests solve a sample of each
// language with a scripted model. Otter++, which runs its tests, and the verdicts are
// for runs that ask for all samples (TestOtter and TestMethodsEndToEnd have them in
// Python): they build the samples many times over.
func TestMethodsInEachLanguage(t *testing.T) {
	w := newWorld(t)
	for id, c := range methodCases() {
		t.Run(id, func(t *testing.T) {
			inst, _ := w.sample(t, id)
			builds := os.Getenv("ASSAY_SAMPLES_FULL") == "1"
			dir := t.TempDir()
			var files []string
			for name, answers := range c.answers(inst) {
				if name == "otter++" && !builds {
					continue
				}
				s := startScripted(t, answers)
				out := filepath.Join(dir, name)
				code, text := w.assay(t, w.on("run", "-d", w.paths.Dataset, "-i", id, "-a", name, "-m", "openai/gpt-5", "-o", out, "-q", "--no-cache")...)
				require.Equal(t, exitDone, code, "%s: %s", name, text)
				require.Len(t, s.Requests(), len(answers), name)
				files = append(files, filepath.Join(out, "predictions.jsonl"))
				p := predictionsIn(t, files[len(files)-1])[0]
				require.Equal(t, "done", p.End, name)
				changed := map[string]string{"zeroshot": c.testFile, "tdd-zeroshot": c.wholeIn, "otter": c.testFile, "otter++": c.testFile}[name]
				require.Contains(t, p.Patch, "+++ b/"+changed, name)
				if name != "zeroshot" {
					require.Regexp(t, `(?m)^\+.*\Q`+c.name+`\E`, p.Patch, name)
				}
			}
			if !builds {
				return
			}
			judged := filepath.Join(dir, "judged")
			code, text := w.assay(t, w.on("eval", "-d", w.paths.Dataset, "-i", id, "-t", "testgen", "-p", strings.Join(files, ","), "-o", judged, "-q")...)
			require.Equal(t, exitDone, code, text)
			results := readResults(t, filepath.Join(judged, "results.jsonl"))
			require.Len(t, results, len(files))
			for name, r := range results {
				require.True(t, *r.TestGen.FailsBase, "%s: %s", name, r.Reason)
				require.True(t, *r.TestGen.PassesGold, "%s: %s", name, r.Reason)
			}
		})
	}
}
