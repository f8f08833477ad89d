package languages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/internal/patch"
)

// add is a patch that makes a file.
func add(path, text string) string { return string(patch.Between(path, nil, []byte(text))) }

func change(path, old, now string) string {
	return string(patch.Between(path, []byte(old), []byte(now)))
}

func tree(files map[string]string) patch.Tree {
	entries := map[string]patch.Entry{}
	for p, text := range files {
		entries[p] = patch.Entry{Data: []byte(text), Mode: 0o100644}
	}
	return patch.MapTree(entries)
}

// TestCompose checks the order of judging: the code, then every path of the
// test patch set back to base, then the tests.
func TestCompose(t *testing.T) {
	base := map[string]string{"lib.py": "bug\n", "tests/test_a.py": "old\n", "tests/data.txt": "data\n"}
	for name, c := range map[string]struct {
		v       Variant
		write   map[string]string
		remove  []string
		failure string
	}{
		"code and tests": {
			Variant{Code: change("lib.py", "bug\n", "fix\n"), Tests: change("tests/test_a.py", "old\n", "new\n")},
			map[string]string{"lib.py": "fix\n", "tests/test_a.py": "new\n"}, nil, "",
		},
		"base": {
			Variant{Tests: change("tests/test_a.py", "old\n", "new\n")},
			map[string]string{"tests/test_a.py": "new\n"}, nil, "",
		},
		"an edited hidden test is restored first": {
			Variant{Code: change("tests/test_a.py", "old\n", "hostile\n"), Tests: change("tests/test_a.py", "old\n", "new\n")},
			map[string]string{"tests/test_a.py": "new\n"}, nil, "",
		},
		"a deleted hidden test is restored first": {
			Variant{Code: string(patch.Between("tests/test_a.py", []byte("old\n"), nil)), Tests: change("tests/test_a.py", "old\n", "new\n")},
			map[string]string{"tests/test_a.py": "new\n"}, nil, "",
		},
		"a file planted where the tests add one is gone": {
			Variant{Code: add("tests/test_b.py", "planted\n"), Tests: add("tests/test_b.py", "new\n")},
			map[string]string{"tests/test_b.py": "new\n"}, nil, "",
		},
		"a test that the patch deletes is deleted": {
			Variant{Code: change("lib.py", "bug\n", "fix\n"), Tests: string(patch.Between("tests/data.txt", []byte("data\n"), nil))},
			map[string]string{"lib.py": "fix\n"}, []string{"tests/data.txt"}, "",
		},
		"no tests: nothing is restored": {
			Variant{Code: change("lib.py", "bug\n", "fix\n")},
			map[string]string{"lib.py": "fix\n"}, nil, "",
		},
		"code on top of another start": {
			Variant{Start: change("lib.py", "bug\n", "half\n"), Code: change("lib.py", "half\n", "fix\n"), Tests: change("tests/test_a.py", "old\n", "new\n")},
			map[string]string{"lib.py": "fix\n", "tests/test_a.py": "new\n"}, nil, "",
		},
		"a start alone": {
			Variant{Start: add("new.py", "half\n") + change("lib.py", "bug\n", "half\n")},
			map[string]string{"lib.py": "half\n", "new.py": "half\n"}, nil, "",
		},
		"code takes back what the start made": {
			Variant{Start: add("new.py", "half\n"), Code: string(patch.Between("new.py", []byte("half\n"), nil))},
			map[string]string{}, nil, "",
		},
		"existing tests stay as they are at base": {
			Variant{Code: change("tests/test_a.py", "old\n", "hostile\n"), Tests: change("tests/test_a.py", "old\n", "new\n"), Existing: true},
			map[string]string{"tests/test_a.py": "old\n"}, nil, "",
		},
		"the start does not apply": {Variant{Start: change("lib.py", "what\n", "x\n")}, nil, nil, "the patch that it starts from: "},
		"code does not apply":      {Variant{Code: change("lib.py", "what\n", "fix\n")}, nil, nil, "patch: "},
		"tests do not apply":       {Variant{Tests: change("tests/test_a.py", "what\n", "new\n")}, nil, nil, "test patch: "},
		"code does not parse":      {Variant{Code: "--- a/x\n+++ b/x\n@@ what\n"}, nil, nil, "patch: "},
		"code leaves the tree":     {Variant{Code: "--- /dev/null\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n"}, nil, nil, "patch: "},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := compose(tree(base), c.v)
			if c.failure != "" {
				var un *UnappliedError
				require.ErrorAs(t, err, &un)
				require.Equal(t, c.failure == "test patch: ", un.Tests)
				require.Equal(t, strings.HasPrefix(c.failure, "the patch that it starts"), un.Start)
				require.ErrorContains(t, err, c.failure)
				return
			}
			require.NoError(t, err)
			write := map[string]string{}
			for p, e := range got.changes.Write {
				write[p] = string(e.Data)
			}
			require.Equal(t, c.write, write)
			require.Equal(t, c.remove, got.changes.Remove)
		})
	}
}

func TestContributed(t *testing.T) {
	const before = "import pytest\n\n\n@pytest.mark.parametrize('x', [1, 2])\ndef test_p(x):\n    assert x\n\n\ndef test_same():\n    pass\n"
	const after = "import pytest\n\n\n@pytest.mark.parametrize('x', [1, 2, 3])\ndef test_p(x):\n    assert x\n\n\ndef test_same():\n    pass\n\n\ndef test_new():\n    pass\n"
	c, err := contributed(pythonLanguage{}, tree(map[string]string{"test_a.py": before}), texts{"test_a.py": after}, []string{"test_a.py"})
	require.NoError(t, err)
	require.Equal(t, []string{"test_a.py::test_p", "test_a.py::test_new"}, c.ids())
	require.True(t, c.onlyCases())
	old := map[string]bool{"test_a.py::test_p[1]": true, "test_a.py::test_p[2]": true, "test_a.py::test_same": true}
	for id, want := range map[string]bool{
		"test_a.py::test_p[1]": false, "test_a.py::test_p[3]": true, "test_a.py::test_new": true,
		"test_a.py::test_same": false, "test_a.py::test_newer": false,
	} {
		require.Equal(t, want, c.counts(id, old), id)
	}
}

// texts is a repository of text files.
type texts map[string]string

func (r texts) Paths() []string {
	var out []string
	for p := range r {
		out = append(out, p)
	}
	return out
}

func (r texts) Text(p string) string { return r[p] }

// TestContributedSection adds a section to a case whose other sections stay as
// they are: only the new one counts.
func TestContributedSection(t *testing.T) {
	const before = "TEST_CASE(\"c\")\n{\n    SECTION(\"a\")\n    {\n        CHECK(1);\n    }\n}\n"
	const after = "TEST_CASE(\"c\")\n{\n    SECTION(\"a\")\n    {\n        CHECK(1);\n    }\n\n    SECTION(\"b\")\n    {\n        SECTION(\"x\")\n        {\n            CHECK(2);\n        }\n    }\n}\n"
	c, err := contributed(cppLanguage{}, tree(map[string]string{"test/a.cpp": before}), texts{"test/a.cpp": after}, []string{"test/a.cpp"})
	require.NoError(t, err)
	require.Equal(t, []string{"c/b", "c/b/x"}, c.ids())
	for id, want := range map[string]bool{"c": false, "c/a": false, "c/b": true, "c/b/x": true} {
		require.Equal(t, want, c.counts(id, nil), id)
	}
}
