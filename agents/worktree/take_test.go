package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
	"assay/internal/patch"
)

// entry describes a file of a tree in few words: "text", "x:text" (executable),
// "-> target", "fifo".
func entry(p, text string) harness.Entry {
	e := harness.Entry{Path: p, Mode: 0o644}
	switch {
	case text == "fifo":
		e.Mode = fs.ModeNamedPipe | 0o644
		return e
	case len(text) > 3 && text[:3] == "-> ":
		e.Mode, e.Link = fs.ModeSymlink|0o777, text[3:]
		return e
	case len(text) > 1 && text[:2] == "x:":
		e.Mode, text = 0o755, text[2:]
	}
	sum := sha256.Sum256([]byte(text))
	e.Data, e.SHA256, e.Size = []byte(text), hex.EncodeToString(sum[:]), int64(len(text))
	return e
}

func entries(files map[string]string) []harness.Entry {
	var out []harness.Entry
	for p, text := range files {
		out = append(out, entry(p, text))
	}
	return out
}

// startOf is a start at which the environment has more than the repository.
func startOf(tracked, environment map[string]string) Start {
	all := map[string]string{}
	s := Start{Tracked: map[string]bool{}}
	for p, text := range tracked {
		s.Tracked[p], all[p] = true, text
	}
	for p, text := range environment {
		all[p] = text
	}
	s.Entries = Index(entries(all))
	s.Read = func(_ context.Context, paths []string) (map[string]patch.Entry, error) {
		out := map[string]patch.Entry{}
		for _, p := range paths {
			if text, ok := tracked[p]; ok {
				out[p] = gitEntry(entry(p, text))
			}
		}
		return out, nil
	}
	return s
}

// TestTake: the patch holds what the agent did to the repository and nothing
// else, and turns the start into the end.
func TestTake(t *testing.T) {
	base := map[string]string{
		"a.py": "1\n2\n3\n", "b.txt": "b\r\nc\r\n", "run.sh": "#!/bin/sh\n", "bin.dat": "\x00\x01\x02", "link": "-> a.py",
		".gitignore": "*.log\n/secret/\n", "kept.log": "tracked\n", "java/pom.xml": "<project/>", "setup.py": "setup()\n",
	}
	tests := map[string]struct {
		change      map[string]string // path to text; "-" deletes
		environment map[string]string
		own         []string
		paths       []string
		leftOut     []LeftOut
	}{
		"nothing":                {},
		"changed":                {change: map[string]string{"a.py": "1\n4\n3\n"}, paths: []string{"a.py"}},
		"new":                    {change: map[string]string{"d/new.py": "x\n", "d/__init__.py": ""}, paths: []string{"d/__init__.py", "d/new.py"}},
		"deleted":                {change: map[string]string{"a.py": "-"}, paths: []string{"a.py"}},
		"renamed":                {change: map[string]string{"a.py": "-", "c.py": "1\n2\n3\n"}, paths: []string{"a.py", "c.py"}},
		"binary":                 {change: map[string]string{"bin.dat": "\x00\xff", "new.png": "\x89PNG\x00"}, paths: []string{"bin.dat", "new.png"}},
		"mode":                   {change: map[string]string{"run.sh": "x:#!/bin/sh\n"}, paths: []string{"run.sh"}},
		"link":                   {change: map[string]string{"link": "-> b.txt", "other": "-> a.py"}, paths: []string{"link", "other"}},
		"link instead of file":   {change: map[string]string{"a.py": "-> b.txt"}, paths: []string{"a.py"}},
		"file instead of link":   {change: map[string]string{"link": "now a file\n"}, paths: []string{"link"}},
		"folder instead of file": {change: map[string]string{"a.py": "-", "a.py/b": "x\n"}, paths: []string{"a.py", "a.py/b"}},
		"CRLF":                   {change: map[string]string{"b.txt": "b\r\nd\r\n"}, paths: []string{"b.txt"}},
		"line ends":              {change: map[string]string{"b.txt": "b\nc\n"}, paths: []string{"b.txt"}},
		"ignored": {
			change: map[string]string{"x.log": "x", "secret/k": "x", "kept.log": "changed\n", "sub/y.log": "y"}, paths: []string{"kept.log"},
			leftOut: []LeftOut{{"secret/k", ".gitignore:2:/secret/"}, {"sub/y.log", ".gitignore:1:*.log"}, {"x.log", ".gitignore:1:*.log"}},
		},
		"own .gitignore counts from the start": {
			change: map[string]string{".gitignore": "*\n", "new.py": "x\n"}, paths: []string{".gitignore", "new.py"},
		},
		"the agent's own": {
			change: map[string]string{".aider.chat.history.md": "x", "sub/.aider.tags": "x", "n.py": "n"}, own: []string{"**/.aider*"}, paths: []string{"n.py"},
			leftOut: []LeftOut{{".aider.chat.history.md", "a file of the agent's own"}, {"sub/.aider.tags", "a file of the agent's own"}},
		},
		"build output": {
			change: map[string]string{
				"__pycache__/a.cpython-312.pyc": "x", "java/target/classes/A.class": "x", "java/src/A.java": "class A {}\n", "target/kept": "x",
				"build/lib/a.py": "1", "out/CMakeCache.txt": "x", "out/sub/x": "y", "calc": "x:\x7fELF\x02", "pkg.egg-info/PKG-INFO": "x",
			},
			paths: []string{"java/src/A.java", "target/kept"},
			leftOut: []LeftOut{
				{"__pycache__/a.cpython-312.pyc", "build output: __pycache__"}, {"build/lib/a.py", "build output: build"}, {"calc", "build output: compiled"},
				{"java/target/classes/A.class", "build output: A.class"}, {"out/CMakeCache.txt", "build output: CMakeCache.txt"}, {"out/sub/x", "build output: out"},
				{"pkg.egg-info/PKG-INFO", "build output: pkg.egg-info"},
			},
		},
		"the environment's": {
			environment: map[string]string{"version.py": "v1\n", "cache.bin": "x", "setup.py": "setup(1)\n"},
			change:      map[string]string{"version.py": "v2\n", "cache.bin": "-"},
			leftOut: []LeftOut{
				{"cache.bin", "not in the repository: the environment has it"}, {"version.py", "not in the repository: the environment has it"},
			},
		},
		"mode of a file that the environment changed": {
			environment: map[string]string{"setup.py": "setup(1)\n"}, change: map[string]string{"setup.py": "x:setup(1)\n", "run.sh": "x:#!/bin/sh\n"},
			paths:   []string{"run.sh"},
			leftOut: []LeftOut{{"setup.py", "its content is the environment's, and only its mode changed"}},
		},
		"what cannot be in a patch": {
			change: map[string]string{"pipe": "fifo", "sub/.git/config": "x", "back\\slash": "x"},
			leftOut: []LeftOut{
				{"back\\slash", "its name is not possible in a patch"}, {"pipe", "neither a file nor a link: p---------"},
				{"sub/.git/config", "its name is not possible in a patch"},
			},
		},
		"what is not UTF-8": {
			change: map[string]string{"a.py": "caf\xe9\n", "evil": "-> \xff", "n.txt": "\xff\n"}, paths: []string{"a.py", "n.txt"},
			leftOut: []LeftOut{{"evil", "where it points to is not possible in a patch"}},
		},
		"names like git's patterns": {
			change: map[string]string{":!x": "x\n", ":(x": "y\n", ":/z": "z\n", ":^.log": "l\n"}, paths: []string{":!x", ":(x", ":/z"},
			leftOut: []LeftOut{{":^.log", ".gitignore:1:*.log"}},
		},
		"odd names": {change: map[string]string{"ä b\"\t": "x\n", "new\nline": "y\n", "-rf": "z\n"}, paths: []string{"-rf", "new\nline", "ä b\"\t"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			start := startOf(base, tt.environment)
			end := map[string]string{}
			for _, files := range []map[string]string{base, tt.environment, tt.change} {
				for p, text := range files {
					end[p] = text
				}
			}
			for p, text := range end {
				if text == "-" {
					delete(end, p)
				}
			}
			got, err := Take(t.Context(), start, sent(start, entries(end)), tt.own)
			require.NoError(t, err)
			require.Equal(t, tt.paths, got.Paths)
			require.Equal(t, tt.leftOut, got.LeftOut)
			requireTurns(t, base, got)
		})
	}
}

// sent are entries without the content that is known.
func sent(start Start, all []harness.Entry) []harness.Entry {
	known := start.Known()
	for i, e := range all {
		if e.SHA256 != "" && known[e.Path] == e.SHA256 {
			all[i].Data = nil
		}
	}
	return all
}

// requireTurns applies the patch to the repository's start.
func requireTurns(t *testing.T, base map[string]string, got Taken) {
	t.Helper()
	tree := map[string]patch.Entry{}
	for p, text := range base {
		tree[p] = gitEntry(entry(p, text))
	}
	p, err := patch.Parse([]byte(got.Patch))
	require.NoError(t, err, got.Patch)
	changes, err := patch.Apply(patch.MapTree(tree), p)
	require.NoError(t, err, got.Patch)
	for _, p := range got.Paths {
		e, err := changes.Over(patch.MapTree(tree)).Read(p)
		want, there := got.Files[p]
		if !there {
			require.ErrorIs(t, err, fs.ErrNotExist, p)
			continue
		}
		require.NoError(t, err, p)
		require.Equal(t, fmt.Sprintf("%o %q", want.Mode, want.Data), fmt.Sprintf("%o %q", e.Mode, e.Data), p)
	}
}

// TestTakeInSourceFolders: folders in which the repository has files are not
// output as a whole, even if they have the name of an output folder or something
// was built in them.
func TestTakeInSourceFolders(t *testing.T) {
	base := map[string]string{
		"setup.py": "setup()\n", "build/tools/a.py": "1\n", "java/pom.xml": "<project/>", "java/target/src/A.java": "class A {}\n",
		"src/CMakeLists.txt": "project(x)\n", "src/a.cpp": "int a;\n", "lib/deep/b.cpp": "int b;\n",
	}
	start := startOf(base, nil)
	end := map[string]string{
		"build/new.py": "x\n", "build/tools/b.py": "y\n", "java/target/B.java": "class B {}\n", "dist/c.py": "z\n",
		"src/CMakeCache.txt": "x", "src/Makefile": "# CMAKE generated file: DO NOT EDIT!\n", "src/new.cpp": "int n;\n", "src/sub/new.cpp": "int s;\n",
		"lib/build.ninja": "x", "lib/.ninja_log": "x", "lib/.ninja_deps": "x", "lib/new.cpp": "int l;\n", "lib/out/.ninja_log": "x", "lib/out/gen.cpp": "int g;\n",
	}
	for p, text := range base {
		end[p] = text
	}
	got, err := Take(t.Context(), start, sent(start, entries(end)), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"build/new.py", "build/tools/b.py", "java/target/B.java", "lib/new.cpp", "src/new.cpp", "src/sub/new.cpp"}, got.Paths)
	require.Equal(t, []LeftOut{
		{"dist/c.py", "build output: dist"}, {"lib/.ninja_deps", "build output: .ninja_deps"}, {"lib/.ninja_log", "build output: .ninja_log"},
		{"lib/build.ninja", "build output: build.ninja"}, {"lib/out/.ninja_log", "build output: .ninja_log"}, {"lib/out/gen.cpp", "build output: lib/out"},
		{"src/CMakeCache.txt", "build output: CMakeCache.txt"}, {"src/Makefile", "build output: made by CMake"},
	}, got.LeftOut)
	requireTurns(t, base, got)
}

// TestTakeOmitted: content that did not come back is never treated as empty.
func TestTakeOmitted(t *testing.T) {
	base := map[string]string{"a": "1\n"}
	large := harness.Entry{Path: "large", Mode: 0o644, Size: 1 << 40, Omitted: true}
	got, err := Take(t.Context(), startOf(base, nil), append(entries(base), large), nil)
	require.NoError(t, err)
	require.Empty(t, got.Patch)
	require.Equal(t, []LeftOut{{"large", "too large, or not readable"}}, got.LeftOut)
}

// TestTakeManyLeftOut: the list is cut, and its last line reports that.
func TestTakeManyLeftOut(t *testing.T) {
	end := map[string]string{}
	for i := range maxListed + 5 {
		end[fmt.Sprintf("node_modules/%05d", i)] = "x"
	}
	got, err := Take(t.Context(), startOf(nil, nil), entries(end), nil)
	require.NoError(t, err)
	require.Empty(t, got.Patch)
	require.Len(t, got.LeftOut, maxListed+1)
	require.Equal(t, LeftOut{"", "and 5 more"}, got.LeftOut[maxListed])
}

// TestKnown has the hashes of what the environment has, so that these files
// need not be sent.
func TestKnown(t *testing.T) {
	s := startOf(map[string]string{"a": "1\n", "l": "-> a"}, map[string]string{"b": "2\n"})
	require.Equal(t, map[string]string{"a": entry("a", "1\n").SHA256, "b": entry("b", "2\n").SHA256}, s.Known())
}
