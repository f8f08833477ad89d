package review

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/patch"
)

var update = flag.Bool("update", false, "write the golden files anew")

// caseNames lists the instances of testdata/cases.
func caseNames(t testing.TB) []string {
	files, err := filepath.Glob("testdata/cases/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out []string
	for _, f := range files {
		out = append(out, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	}
	return out
}

// caseInput reads an instance: its base files, and gold and the bad patch as
// the files that they change.
func caseInput(t testing.TB, name string) Input {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "cases", name+".txtar"))
	require.NoError(t, err)
	files := map[string][]byte{}
	for _, f := range archive.Files {
		files[f.Name] = f.Data
	}
	var tests struct {
		FailToPass []bench.Test `json:"fail_to_pass"`
		PassToPass []bench.Test `json:"pass_to_pass"`
		Passing    []string     `json:"passing"`
	}
	require.NoError(t, json.Unmarshal(files["tests"], &tests))
	language, _, _ := strings.Cut(name, "-")
	inst := &bench.Instance{
		ID: name, Language: language, ProblemStatement: string(files["issue"]), TestPatch: string(files["test.patch"]),
		Patch: diffOf(archive, files, "gold/"), FailToPass: tests.Passing,
	}
	for _, test := range tests.FailToPass {
		inst.FailToPass = append(inst.FailToPass, test.ID)
	}
	for _, test := range tests.PassToPass {
		inst.PassToPass = append(inst.PassToPass, test.ID)
	}
	return Input{
		Instance: inst, Bad: bench.BadPatch{Index: 1, Patch: diffOf(archive, files, "bad/")},
		Base: filesBelow(files, "base/"), FailToPass: tests.FailToPass, PassToPass: tests.PassToPass, QuoteTests: true,
	}
}

func diffOf(archive *txtar.Archive, files map[string][]byte, side string) string {
	var out strings.Builder
	for _, f := range archive.Files {
		if path, ok := strings.CutPrefix(f.Name, side); ok {
			out.Write(patch.Between(path, files["base/"+path], f.Data))
		}
	}
	return out.String()
}

func filesBelow(files map[string][]byte, dir string) func(string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		data, ok := files[dir+path]
		if !ok {
			return nil, fmt.Errorf("%s: %w", path, fs.ErrNotExist)
		}
		return data, nil
	}
}

func study(t testing.TB, in Input) *Subject {
	s, err := Study(in)
	require.NoError(t, err)
	return s
}

// subject is an instance of testdata/cases, read.
func subject(t testing.TB, name string) *Subject { return study(t, caseInput(t, name)) }

// small makes a Subject of one Python file in three states.
func small(t testing.TB, issue, base, gold, bad string) *Subject {
	return study(t, smallInput(issue, base, gold, bad))
}

func smallInput(issue, base, gold, bad string) Input {
	diff := func(to string) string { return string(patch.Between("pkg/mod.py", []byte(base), []byte(to))) }
	return Input{
		Instance: &bench.Instance{ID: "small", ProblemStatement: issue, Patch: diff(gold)},
		Bad:      bench.BadPatch{Patch: diff(bad)},
		Base:     filesBelow(map[string][]byte{"pkg/mod.py": []byte(base)}, ""),
	}
}

func golden(t *testing.T, name, got string) {
	path := filepath.Join("testdata", "golden", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// classes are the classes of a text's leaks.
func classes(s *Subject, text string) []Class {
	var out []Class
	for _, l := range s.Leaks(text) {
		out = append(out, l.Class)
	}
	return out
}

// replaced applies pairs of old and new text.
func replaced(text string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(text)
}
