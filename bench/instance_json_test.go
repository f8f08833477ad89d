package bench_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestForms compares every published form with what it is converted to.
func TestForms(t *testing.T) {
	paths, err := filepath.Glob("testdata/forms/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		t.Run(name, func(t *testing.T) {
			in := readOne(t, path)
			require.Empty(t, in.Check())
			if name == "assay" {
				require.Nil(t, in.Provenance)
			} else {
				require.Equal(t, name, in.Provenance.Format)
			}
			written := write(t, in)
			golden(t, strings.TrimSuffix(path, ".json")+".golden", written)
			again := parse(t, written)
			require.Empty(t, cmp.Diff(in, again), "reading back what was written")
			require.Equal(t, string(written), string(write(t, again)))
		})
	}
}

// readOne reads through a dataset, since the form may hold what strict JSON
// does not (NaN).
func readOne(t *testing.T, path string) bench.Instance {
	d, err := bench.OpenDataset(path)
	require.NoError(t, err)
	defer d.Close()
	entries, err := d.Index(t.Context())
	require.NoError(t, err)
	require.Len(t, entries, 1)
	in, err := d.Read(entries[0])
	require.NoError(t, err)
	return in
}

func parse(t require.TestingT, data []byte) bench.Instance {
	var in bench.Instance
	require.NoError(t, json.Unmarshal(data, &in))
	return in
}

func write(t require.TestingT, in bench.Instance) []byte {
	var b bytes.Buffer
	require.NoError(t, bench.WriteInstance(&b, in))
	return b.Bytes()
}

func golden(t *testing.T, path string, got []byte) {
	if *update {
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func TestMultiSWEBench(t *testing.T) {
	in := readOne(t, "testdata/forms/multi-swe-bench.json")
	require.Equal(t, "acme__parser-42", in.ID)
	require.Equal(t, "acme/parser", in.Repo)
	require.Equal(t, "java", in.Language, "from the patches")
	require.Equal(t, bench.TestIDs{"NewTest", "PTest"}, in.FailToPass)
	require.Equal(t, bench.TestIDs{"ATest", "ZTest"}, in.PassToPass)
	require.Equal(t, "Parser drops commas\nIt does.\n\nAnother", in.ProblemStatement)
	require.Contains(t, in.Extra, "n2p_tests")
	require.NotContains(t, in.Extra, "fix_patch")
}

// minimal returns a valid record with some fields set or, where nil, removed.
func minimal(fields map[string]any) []byte {
	record := map[string]any{
		"instance_id": "acme__widgets-1", "repo": "acme/widgets", "base_commit": "0123456789abcdef",
		"patch": "--- a/w.py\n+++ b/w.py\n", "test_patch": "--- a/test_w.py\n+++ b/test_w.py\n",
	}
	for name, value := range fields {
		if value == nil {
			delete(record, name)
			continue
		}
		record[name] = value
	}
	data, err := json.Marshal(record)
	if err != nil {
		panic(err)
	}
	return data
}

func TestTestIDs(t *testing.T) {
	for _, tt := range []struct {
		name, json string
		want       bench.TestIDs
		err        string
	}{
		{name: "list", json: `["a","b::c[1, 2]"]`, want: bench.TestIDs{"a", "b::c[1, 2]"}},
		{name: "text of a list", json: `"[\"a\", \"b\"]"`, want: bench.TestIDs{"a", "b"}},
		{name: "text of an empty list", json: `"[]"`},
		{name: "empty text", json: `""`},
		{name: "null", json: `null`},
		{name: "empty list", json: `[]`},
		{name: "other text", json: `"test_a"`, err: `got "test_a"`},
		{name: "number", json: `3`, err: `got number 3`},
		{name: "list of numbers", json: `["a",3]`, err: `got a list with number 3`},
		{name: "object", json: `{}`, err: `got an object`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ids bench.TestIDs
			err := json.Unmarshal([]byte(tt.json), &ids)
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.want, ids)
		})
	}
}

func TestBadPatchForms(t *testing.T) {
	number := func(n string) map[string]json.RawMessage {
		return map[string]json.RawMessage{"published_idx": json.RawMessage(n)}
	}
	for _, tt := range []struct {
		name   string
		fields map[string]any
		want   []bench.BadPatch
	}{
		{"none", nil, nil},
		{"empty list", map[string]any{"bad_patches": []any{}}, nil},
		{"empty text", map[string]any{"bad_patches": ""}, nil},
		{"plain", map[string]any{"bad_patches": []any{"p", "q"}}, []bench.BadPatch{{Patch: "p"}, {Index: 1, Patch: "q"}}},
		{"text of a list", map[string]any{"bad_patches": `["p"]`}, []bench.BadPatch{{Patch: "p"}}},
		{"one", map[string]any{"bad_patch": "p"}, []bench.BadPatch{{Patch: "p"}}},
		{"gaps stay", map[string]any{"bad_patches": []any{map[string]any{"idx": 3, "patch": "p"}}}, []bench.BadPatch{{Index: 3, Patch: "p"}}},
		{"null patch", map[string]any{"bad_patches": []any{map[string]any{"patch": nil}}}, []bench.BadPatch{{}}},
		{
			"equal indices are numbered anew",
			map[string]any{"bad_patches": []any{map[string]any{"idx": 1, "patch": "p"}, map[string]any{"idx": 1, "patch": "q"}}},
			[]bench.BadPatch{{Index: 0, Patch: "p", Extra: number("1")}, {Index: 1, Patch: "q", Extra: number("1")}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, parse(t, minimal(tt.fields)).BadPatches)
		})
	}
}

func TestLanguageOfInstance(t *testing.T) {
	diff := func(names ...string) string {
		var b strings.Builder
		for _, name := range names {
			b.WriteString("--- a/" + name + "\n+++ b/" + name + "\n@@ -1 +1 @@\n-x\n+y\n")
		}
		return b.String()
	}
	for _, tt := range []struct {
		name   string
		fields map[string]any
		want   string
	}{
		{"said", map[string]any{"language": "Python"}, "python"},
		{"py", map[string]any{"language": "py"}, "python"},
		{"c++", map[string]any{"language": "C++"}, "cpp"},
		{"cxx", map[string]any{"language": "cxx"}, "cpp"},
		{"java", map[string]any{"language": "Java"}, "java"},
		{"unknown stays", map[string]any{"language": "COBOL"}, "COBOL"},
		{"files tell nothing", map[string]any{"test_patch": diff("data.txt"), "patch": diff("README")}, "python"},
		{"java tests", map[string]any{"test_patch": diff("src/test/ATest.java")}, "java"},
		{"c++ tests with a script", map[string]any{"test_patch": diff("t/a.cc", "t/a.h", "t/run.py")}, "cpp"},
		{"as many of both", map[string]any{"test_patch": diff("t/a.cc", "t/run.py")}, "python"},
		{"c++ tests", map[string]any{"test_patch": diff("t/a.cc", "t/a.h")}, "cpp"},
		{"c", map[string]any{"test_patch": diff("t/a.test"), "patch": diff("src/a.c")}, "cpp"},
		{"build files of Maven", map[string]any{"test_patch": diff("a/pom.xml"), "patch": diff("pom.xml", "set_version.sh")}, "java"},
		{"build files of Gradle", map[string]any{"test_patch": diff("a/build.gradle.kts"), "patch": diff("README")}, "java"},
		{"build files of CMake", map[string]any{"test_patch": diff("t/CMakeLists.txt"), "patch": diff("README")}, "cpp"},
		{"source before build files", map[string]any{"test_patch": diff("pom.xml"), "patch": diff("a.py")}, "python"},
		{"tests tell nothing", map[string]any{"test_patch": diff("t/data.json"), "patch": diff("include/a.hpp")}, "cpp"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, parse(t, minimal(tt.fields)).Language)
		})
	}
}

func TestWriteRefusesOtherBytes(t *testing.T) {
	in := parse(t, minimal(nil))
	in.Patch = "caf\xe9"
	err := bench.WriteInstance(&bytes.Buffer{}, in)
	require.ErrorContains(t, err, `field "patch": expected UTF-8`)
	in.Patch, in.Extra = "x", map[string]json.RawMessage{"repo": json.RawMessage(`1`)}
	require.ErrorContains(t, bench.WriteInstance(&bytes.Buffer{}, in), `extra field "repo"`)
}

func TestWriteRefusesOtherBytesInExtra(t *testing.T) {
	in := parse(t, minimal(map[string]any{"bad_patches": []any{"p"}}))
	in.BadPatches[0].Extra = map[string]json.RawMessage{"log": json.RawMessage("\"\xff\"")}
	require.ErrorContains(t, bench.WriteInstance(&bytes.Buffer{}, in), "UTF-8")
}

func TestBadPatchByItself(t *testing.T) {
	var b bench.BadPatch
	require.NoError(t, json.Unmarshal([]byte(`{"idx": 2, "patch": "p", "review": null, "more": [1, 2]}`), &b))
	require.Equal(t, bench.BadPatch{Index: 2, Patch: "p", Extra: map[string]json.RawMessage{"more": json.RawMessage("[1,2]")}}, b)
	text, err := json.Marshal(b)
	require.NoError(t, err)
	require.Equal(t, `{"idx":2,"patch":"p","more":[1,2]}`, string(text))
	require.ErrorContains(t, json.Unmarshal([]byte(`3`), &b), "expected an object or a diff, got number 3")
	require.ErrorContains(t, json.Unmarshal([]byte(`{"idx":0}`), &b), `field "patch"`)
}
