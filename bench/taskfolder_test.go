package bench_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

const (
	diffOfCode  = "--- a/w.py\n+++ b/w.py\n@@ -1 +1 @@\n-1\r\n+2\r\n"
	diffOfTests = "--- a/test_w.py\n+++ b/test_w.py\n@@ -1 +1 @@\n-1\n+2\n"
)

// taskFiles are the files of one task, with some replaced or, where empty,
// removed.
func taskFiles(id string, other map[string]string) map[string]string {
	files := map[string]string{
		"task.yaml": "instance_id: " + id + "\nrepo: acme/widgets\nbase_commit: '0123456789012345678901234567890123456789'\n" +
			"created_at: 2021-03-04T05:06:07Z\nversion: 3.10\nimage: registry.example.org/acme:1\nlog_parser: pytest\neval_type: pass_and_fail\n" +
			"difficulty: 2\nimage_assets:\n  test_patch: [a.png]\nsplit: test\ndatasets: [acme/widgets, acme/few]\n",
		"tests.json":           `{"FAIL_TO_PASS": ["test_w.py::test_a"], "PASS_TO_PASS": ["test_w.py::test_b"]}`,
		"problem_statement.md": "It is wrong.\n",
		"hints.md":             "Look here.\n",
		"gold.patch":           diffOfCode,
		"test.patch":           diffOfTests,
		"eval.sh":              "#!/bin/bash\npytest\n",
		"Dockerfile":           "FROM scratch\n",
		"test_assets/a.png":    "\x89PNG",
	}
	maps.Copy(files, other)
	out := map[string]string{}
	for name, content := range files {
		if content != "" {
			out[filepath.Join("tasks", id, name)] = content
		}
	}
	return out
}

func writeFiles(t testing.TB, dir string, files ...map[string]string) string {
	for _, some := range files {
		for name, content := range some {
			path := filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		}
	}
	return dir
}

func TestTaskFolder(t *testing.T) {
	dir := writeFiles(t, t.TempDir(), taskFiles("acme__widgets-1", nil))
	want := bench.Instance{
		ID: "acme__widgets-1", Repo: "acme/widgets", BaseCommit: "0123456789012345678901234567890123456789",
		Patch: diffOfCode, TestPatch: diffOfTests, ProblemStatement: "It is wrong.\n", HintsText: "Look here.\n",
		CreatedAt: "2021-03-04T05:06:07Z", Version: "3.10", Language: "python", Image: "registry.example.org/acme:1",
		FailToPass: bench.TestIDs{"test_w.py::test_a"}, PassToPass: bench.TestIDs{"test_w.py::test_b"},
		EvalScript: "#!/bin/bash\npytest\n", LogParser: "pytest", EvalType: bench.EvalPassAndFail,
		Provenance: &bench.Provenance{Format: bench.FormatSWEBench5},
		Extra: map[string]json.RawMessage{
			"difficulty":   json.RawMessage(`2`),
			"image_assets": json.RawMessage(`{"test_patch":["a.png"]}`),
		},
	}
	for _, name := range []string{dir, filepath.Join(dir, "tasks", "acme__widgets-1")} {
		d, entries, err := index(t, name)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.True(t, entries[0].HasImage)
		in, err := d.Read(entries[0])
		require.NoError(t, err)
		require.Equal(t, want, in)
	}
}

// TestTaskFolderParts checks which tasks of a folder are selected.
func TestTaskFolderParts(t *testing.T) {
	in := func(id, split, datasets string) map[string]string {
		files := taskFiles(id, nil)
		name := filepath.Join("tasks", id, "task.yaml")
		files[name] = strings.Replace(strings.Replace(files[name], "split: test", "split: "+split, 1), "[acme/widgets, acme/few]", datasets, 1)
		return files
	}
	tasks := []map[string]string{
		in("w-1", "test", "[acme/widgets]"), in("w-2", "test", "[acme/widgets, acme/few]"),
		in("w-3", "dev", "[acme/widgets]"), in("w-4", "deprecated", "[]"),
	}
	for _, tt := range []struct{ name, config, open, ids, want string }{
		{"no sweb.yaml", "", "", "w-1 w-2 w-3 w-4", ""},
		{"the usual split", "datasets: [acme/widgets, acme/few]\n", "", "w-1 w-2", ""},
		{"test of several splits", "datasets: [acme/widgets]\nsplits: [dev, test]\n", "", "w-1 w-2", ""},
		{"other splits", "splits: [dev, deprecated]\n", "", "w-3 w-4", ""},
		{"a split that is named", "datasets: [acme/widgets]\n", "@deprecated", "w-4", ""},
		{"a dataset", "datasets: [acme/widgets, acme/few]\n", ":few", "w-2", ""},
		{"a dataset and a split", "datasets: [acme/widgets, acme/few]\n", ":acme/widgets@dev", "w-3", ""},
		{"no such dataset", "datasets: [acme/widgets]\n", ":x", "", `sweb.yaml publishes no dataset "x" (acme/widgets)`},
		{"broken", "datasets: {", "", "", "sweb.yaml: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeFiles(t, t.TempDir(), tasks...)
			if tt.config != "" {
				writeFiles(t, dir, map[string]string{"sweb.yaml": tt.config})
			}
			if tt.want != "" {
				_, err := bench.OpenDataset(dir + tt.open)
				require.ErrorContains(t, err, tt.want)
				return
			}
			_, entries, err := index(t, dir+tt.open)
			require.NoError(t, err)
			var ids []string
			for _, e := range entries {
				ids = append(ids, e.ID)
			}
			require.Equal(t, tt.ids, strings.Join(ids, " "))
		})
	}
}

func TestTaskFolderProblems(t *testing.T) {
	for _, tt := range []struct{ name, file, content, want string }{
		{"no gold patch", "gold.patch", "", `tasks/w-1: field "patch": expected a diff, got nothing`},
		{"gold patch in other bytes", "gold.patch", "--- a\ncaf\xe9", `tasks/w-1/gold.patch:2:4: expected UTF-8, got byte 0xe9`},
		{"no tests", "tests.json", "", `tasks/w-1/tests.json: expected a file of FAIL_TO_PASS and PASS_TO_PASS, got none`},
		{"broken tests", "tests.json", "{\n\"a\": tru}", `tasks/w-1/tests.json:2:9: expected JSON`},
		{"tests of another type", "tests.json", "[]", `tasks/w-1/tests.json: expected an object, got a list`},
		{"tests of another field", "tests.json", `{"FAIL_TO_PASS": 3}`, `tasks/w-1: field "FAIL_TO_PASS": expected a list of test ids`},
		{"broken YAML", "task.yaml", "a: [", `tasks/w-1/task.yaml: expected YAML, got [1:4]`},
		{"a list in YAML", "task.yaml", "- a\n", `tasks/w-1/task.yaml: expected a mapping, got another value`},
		{"a split that is none", "task.yaml", "repo: a/b\nsplit: [a]\n", `tasks/w-1/task.yaml:2: field "split": expected a name, got another value`},
		{"a repository that is none", "task.yaml", "repo: a b\n", `tasks/w-1: field "repo": expected owner/name or a clone URL`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := writeFiles(t, t.TempDir(), taskFiles("w-1", map[string]string{tt.file: tt.content}), taskFiles("w-2", nil))
			_, entries, err := index(t, dir)
			require.ErrorContains(t, err, dir+"/"+tt.want)
			require.Len(t, entries, 1, "the other task is there")
		})
	}
}

// TestTaskFolderKeepsInside checks that a link out of the folder is not read.
func TestTaskFolderKeepsInside(t *testing.T) {
	secret := file(t, "secret", diffOfCode)
	dir := writeFiles(t, t.TempDir(), taskFiles("w-1", map[string]string{"gold.patch": ""}))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "tasks", "w-1", "gold.patch")))
	_, _, err := index(t, dir)
	require.ErrorContains(t, err, "tasks/w-1/gold.patch: expected a file")
	_, err = bench.OpenDataset(writeFiles(t, t.TempDir(), map[string]string{"sweb.yaml": "splits: [test]\n"}))
	require.NoError(t, err, "what it holds is told when it is read")
}

// FuzzTaskFolder: for any files of a task, it reads to an instance that reads
// again, or to problems that name one of its files.
func FuzzTaskFolder(f *testing.F) {
	sound := taskFiles("w-1", nil)
	f.Add([]byte(sound["tasks/w-1/task.yaml"]), []byte(sound["tasks/w-1/tests.json"]), []byte(diffOfCode))
	f.Add([]byte("version: 0x1F\nbase_commit: 0123\nx: &a [1.50, .nan]\ny: *a\nz: !!binary aGk=\n? k\n: |\n  t\n"), []byte(`{"FAIL_TO_PASS":"[]"}`), []byte(""))
	f.Add([]byte("---\na: 1\n---\nb: 2e5\n"), []byte("{NaN}"), []byte("\xff"))
	f.Fuzz(func(t *testing.T, metadata, tests, patch []byte) {
		dir := writeFiles(t, t.TempDir(), map[string]string{
			"tasks/w-1/task.yaml": string(metadata), "tasks/w-1/tests.json": string(tests),
			"tasks/w-1/gold.patch": string(patch), "tasks/w-1/test.patch": diffOfTests,
		})
		d, err := bench.OpenDataset(dir)
		require.NoError(t, err)
		defer d.Close()
		err = d.Scan(t.Context(), func(e bench.Entry, in *bench.Instance) error {
			again, err := d.Read(e)
			require.NoError(t, err)
			require.Equal(t, *in, again)
			return nil
		})
		if err != nil {
			require.ErrorContains(t, err, filepath.Join(dir, "tasks", "w-1"))
		}
	})
}
