package export

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	goldDiff = "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n"
	testDiff = "diff --git a/tests/test_a.py b/tests/test_a.py\nnew file mode 100644\n--- /dev/null\n+++ b/tests/test_a.py\n@@ -0,0 +1 @@\n+x = '<&>'\n"
)

// instances are one of each language, as package collect makes them, and one
// from elsewhere.
func instances() []bench.Instance {
	commit := strings.Repeat("0123456789", 4)
	one := func(id, language, statement, collected string, f2p, p2p []string) bench.Instance {
		return bench.Instance{
			ID: id, Repo: "owner/name", BaseCommit: commit, Patch: goldDiff, TestPatch: testDiff, ProblemStatement: statement, Language: language,
			CreatedAt: "2024-01-02T03:04:05Z", FailToPass: f2p, PassToPass: p2p, Provenance: &bench.Provenance{Notes: "n"},
			Extra: map[string]json.RawMessage{"collected": json.RawMessage(collected)},
		}
	}
	plain := one("owner__name-4", "python", "Title\nBody", "{}", []string{"tests/test_a.py::test_z"}, nil)
	plain.Extra, plain.Image, plain.Root, plain.HintsText = nil, "some/image:1", "/src", "A hint"
	return []bench.Instance{
		one("owner__name-1", "python", "It breaks\nSteps: <run> & \"see\"\n\nA key\n\nIts body", `{"pull_number":1,"links":[{"issue":"8","by":"closing word"},{"issue":"7","by":"trailer"}],"statement":["issue"],"issues":[{"issue":"7","lines":2},{"issue":"ABC-9","lines":3}],"env":{"python":"3.9","vars":{"SETUPTOOLS_SCM_PRETEND_VERSION":"1.2","ASSAY_X":"y"}},
			"states":{"t.py::f":["missing","failed","passed"],"t.py::n":["missing","missing","passed"],"t.py::s":["skipped","skipped","xfail"],"t.py::p":["passed","passed","passed"]}}`,
			[]string{"t.py::f", "t.py::n", "t.py::s"}, []string{"t.py::p"}),
		one("owner__name-2", "java", "Only a title", `{"pull_number":2,"statement":["commit_message"],"env":{"jdk":"11","args":["-Drat.skip=true"],"vars":{"JAVA_HOME":"/opt/jdk-11"}}}`, []string{"p.ATest::f", "p.ATest$In::g"}, []string{"p.BTest::h[1]"}),
		one("owner__name-3", "java", "Only a title", `{"pull_number":3,"env":{"framework":"gradle"}}`, []string{"p.ATest::f"}, nil),
		one("owner__name-0123456789ab", "cpp", "Text", `{"env":{"args":["-DX='1'"],"packages":["zlib1g-dev"]}}`, []string{"A.b"}, []string{}),
		plain,
	}
}

// written is all that is below a folder, file by file.
func written(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		require.NoError(t, err)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		rel, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		out.WriteString("== " + filepath.ToSlash(rel) + " " + info.Mode().String() + "\n" + string(data) + "\n")
		return nil
	}))
	return out.String()
}

func TestForms(t *testing.T) {
	for _, form := range Forms() {
		dir := filepath.Join(t.TempDir(), "out")
		require.NoError(t, Write(dir, form, instances()))
		got, golden := written(t, dir), filepath.Join("testdata", form+".golden")
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got, form)
		require.ErrorContains(t, Write(dir, form, nil), "expected an empty folder")
	}
	require.ErrorContains(t, Write(t.TempDir(), "none", nil), `form "none" is not known (harbor, multiswebench, swebench, swebench-tasks)`)
	odd := instances()[:1]
	odd[0].Language = "shell"
	require.ErrorContains(t, Write(t.TempDir(), "harbor", odd), `instance owner__name-1: language "shell" has no tasks in this form`)
}

// TestReadBack: assay's own readers give back what was written.
func TestReadBack(t *testing.T) {
	for form, name := range map[string]string{
		"swebench": "test.jsonl", "swebench-tasks": "", "multiswebench": "python/owner__name_dataset.jsonl",
	} {
		dir := t.TempDir()
		require.NoError(t, Write(dir, form, instances()))
		set, err := bench.OpenDataset(filepath.Join(dir, name))
		require.NoError(t, err)
		read := map[string]bench.Instance{}
		require.NoError(t, set.Scan(t.Context(), func(_ bench.Entry, in *bench.Instance) error {
			read[in.ID] = *in
			return nil
		}))
		require.NoError(t, set.Close())
		for _, want := range instances() {
			got, ok := read[want.ID]
			if form == "multiswebench" && want.Language != "python" {
				continue // in the files of their languages
			}
			require.True(t, ok, "%s: %s", form, want.ID)
			require.Equal(t, want.Repo, got.Repo)
			require.Equal(t, want.BaseCommit, got.BaseCommit)
			require.Equal(t, want.Patch, got.Patch)
			require.Equal(t, want.TestPatch, got.TestPatch)
			require.Equal(t, want.ProblemStatement, got.ProblemStatement)
			require.ElementsMatch(t, want.FailToPass, got.FailToPass)
			require.ElementsMatch(t, want.PassToPass, got.PassToPass)
		}
	}
}

// TestHarborBase: the hidden tests' files are set back to base, not to HEAD,
// which may be the agent's commit.
func TestHarborBase(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, "harbor", instances()))
	read := func(id, name string) string {
		text, err := os.ReadFile(filepath.Join(dir, id, name))
		require.NoError(t, err)
		return string(text)
	}
	require.Contains(t, read("owner__name-1", "environment/Dockerfile"), "commit -q -m base && git tag task-base\n")
	require.Contains(t, read("owner__name-1", "tests/test.sh"), "base=task-base\n")
	require.Contains(t, read("owner__name-4", "tests/test.sh"), "base="+strings.Repeat("0123456789", 4)+"\n", "an image of the instance's")
	for _, id := range []string{"owner__name-1", "owner__name-4"} {
		require.NotContains(t, read(id, "tests/test.sh"), "HEAD")
	}
}

// TestEnvOf: what was validated, unless the instance has an env of its own.
func TestEnvOf(t *testing.T) {
	for name, c := range map[string]struct {
		env       *bench.Env
		collected string
		want      string // Python
	}{
		"nothing":     {nil, `{}`, ""},
		"inferred":    {nil, `{"env":{"python":"3.9"}}`, "3.9"},
		"own":         {&bench.Env{Python: "3.8"}, `{"env":{"python":"3.9"}}`, "3.8"},
		"of a model":  {&bench.Env{Packages: []string{"zlib1g-dev"}}, `{"env":{"python":"3.9"},"environment_by":"model m"}`, "3.9"},
		"not in full": {&bench.Env{Python: "3.8"}, `{"environment_by":"model m"}`, "3.8"},
	} {
		env, err := envOf(bench.Instance{Env: c.env, Extra: map[string]json.RawMessage{"collected": json.RawMessage(c.collected)}})
		require.NoError(t, err, name)
		require.Equal(t, c.want, env.Python, name)
	}
}

// TestMultiIssues: an entry for each issue that gave the statement, and not for
// other issues that are linked.
func TestMultiIssues(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, "multiswebench", instances()[:1]))
	text, err := os.ReadFile(filepath.Join(dir, "python/owner__name_dataset.jsonl"))
	require.NoError(t, err)
	var r multiRecord
	require.NoError(t, json.Unmarshal(text, &r))
	require.Equal(t, []multiIssue{{7, "It breaks", "Steps: <run> & \"see\""}, {0, "A key", "\nIts body"}}, r.Issues)
	require.Equal(t, []multiIssue{{1, "a", "b"}, {2, "", ""}}, collected{Issues: []issueLines{{"1", 9}, {"2", 1}}}.issues("a\nb"), "a statement that was shortened")
}
