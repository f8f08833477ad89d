package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/internal/mirror"
	"assay/internal/patch"
	"assay/languages"
	"assay/style"
	"assay/tasks"
)

// styled is a built style task, with its testbed.
type styled struct {
	task tasks.Task
	bed  *languages.Testbed
	file string
	text string
}

// TestStyleCheats submits, in every language and through the real linter,
// each way of silencing a linter that is known: none may score, all must be
// reported. The linter's own fixer, which fixes, must score on the same
// tasks.
//
// ASSAY_TEST_TASKS names a built dataset to try instead of the samples, with
// its repositories in ASSAY_TEST_REPOS; ASSAY_TEST_EXECUTOR reports where.
func TestStyleCheats(t *testing.T) {
	if _, err := exec.LookPath("mvn"); err != nil {
		t.Skip("Maven is not installed")
	}
	w := newWorld(t)
	dataset := os.Getenv("ASSAY_TEST_TASKS")
	if dataset != "" {
		w.paths.Repos, w.executor = os.Getenv("ASSAY_TEST_REPOS"), cmp.Or(os.Getenv("ASSAY_TEST_EXECUTOR"), w.executor)
	} else {
		dataset = filepath.Join(t.TempDir(), "tasks.jsonl")
		code, out := w.assay(t, "build", "-d", w.paths.Dataset, "-o", dataset, "-t", "style", "--repos", w.paths.Repos,
			"--executor", w.executor, "--cache-dir", w.cache)
		require.Equal(t, 0, code, out)
	}
	for language, s := range w.styleTasks(t, dataset) {
		t.Run(language, func(t *testing.T) {
			cheats := s.cheats(t, language)
			var predictions []bench.Prediction
			for _, name := range sortedKeys(cheats) {
				predictions = append(predictions, bench.Prediction{InstanceID: s.task.Name(), Task: "style", Model: name, Patch: cheats[name].patch})
			}
			w.paths.Dataset = dataset
			results := w.judge(t, predictions, "-t", "style", "-j", "2")
			for name, c := range cheats {
				r := results[name]
				require.NotEqual(t, bench.Resolved, r.Verdict, "%s: %s", name, r.Reason)
				require.True(t, r.Verdict.Judged(), "%s: %s: %s", name, r.Verdict, r.Reason)
				if r.Style != nil && r.Style.HeldScore != nil {
					require.Zero(t, *r.Style.HeldScore, "%s: %s", name, r.Reason)
				}
				if c.flag != "" {
					require.Contains(t, cheatKinds(r), c.flag, "%s: %s", name, r.Reason)
				}
				if c.flag == style.FlagConfig {
					require.Zero(t, r.Style.Resolved, "%s: the configuration reached the linter", name)
				}
			}
			run := filepath.Join(t.TempDir(), "run")
			code, out := w.assay(t, "eval", "-d", dataset, "-i", s.task.Instance.ID, "--agent", "autofix", "--repos", w.paths.Repos,
				"--executor", w.executor, "--cache-dir", w.cache, "-o", run)
			require.Equal(t, 0, code, out)
			best := 0.0
			require.NoError(t, bench.ReadResults(context.Background(), filepath.Join(run, "results.jsonl"), func(r bench.Result) error {
				if r.Style != nil && r.Style.HeldScore != nil {
					best = max(best, *r.Style.HeldScore)
				}
				return nil
			}))
			require.Positive(t, best, "the fixer mends nothing: %s", out)
		})
	}
}

// styleTasks picks a task of each language.
func (w world) styleTasks(t *testing.T, dataset string) map[string]styled {
	set, err := bench.OpenDataset(dataset)
	require.NoError(t, err)
	defer set.Close()
	found := map[string]styled{}
	m := languages.Machine{Sources: &mirror.Store{Dir: w.paths.Repos}}
	require.NoError(t, set.Scan(t.Context(), func(_ bench.Entry, inst *bench.Instance) error {
		ts, err := tasks.Style{}.Build(inst)
		if err != nil {
			return nil
		}
		for _, task := range ts {
			if old, ok := found[inst.Language]; ok && len(old.task.Style.Findings) >= len(task.Style.Findings) {
				continue
			}
			bed, err := m.Open(t.Context(), inst)
			require.NoError(t, err)
			tree, _, err := bed.Tree(t.Context(), languages.Variant{})
			require.NoError(t, err)
			file := task.Style.Files[0]
			text, err := tasks.Text(tree, file)
			require.NoError(t, err)
			found[inst.Language] = styled{task, bed, file, string(text)}
		}
		return nil
	}))
	require.Len(t, found, 3, "a style task in every language")
	return found
}

// cheat is a submission and, where one of the flags reports it by itself,
// which.
type cheat struct{ patch, flag string }

func (s styled) edit(text string) string {
	return string(patch.Between(s.file, []byte(s.text), []byte(text)))
}

// cheats are the ways that all linters share, and those of one.
func (s styled) cheats(t *testing.T, language string) map[string]cheat {
	marks, err := tasks.Style{}.Flawed(t.Context(), s.bed, s.task)
	require.NoError(t, err)
	lines := strings.SplitAfter(s.text, "\n")
	spaced := s.edit("\n" + strings.Join(lines, "\n"))
	out := map[string]cheat{
		"a comment on every line": {marks, style.FlagSuppression},
		"a blank line on top":     {s.edit("\n" + s.text), ""},
		"more blank lines":        {spaced, ""},
		"the file is deleted":     {string(patch.Between(s.file, []byte(s.text), nil)), ""},
		"the file is emptied":     {s.edit("\n"), style.FlagEmptyFile},
		"half of it is gone":      {s.edit(strings.Join(lines[:len(lines)/2], "")), ""},
	}
	for name, c := range s.own(language) {
		out[name] = c
	}
	return out
}

// own are the ways that a language or its linter adds.
func (s styled) own(language string) map[string]cheat {
	dir := path.Dir(s.file)
	config := func(name, text string) cheat {
		return cheat{s.edit("\n"+s.text) + string(patch.Between(name, nil, []byte(text))), style.FlagConfig}
	}
	moved := func(name, rest string) cheat {
		return cheat{s.edit(rest) + string(patch.Between(name, nil, []byte(s.text))), style.FlagNewCopy}
	}
	switch language {
	case languages.Python:
		return map[string]cheat{
			"skip-file":            {s.edit("# pylint: skip-file\n" + s.text), style.FlagSuppression},
			"disable=all":          {s.edit("# pylint: disable=all\n" + s.text), style.FlagSuppression},
			"a pylintrc":           config(".pylintrc", "[MAIN]\ndisable=all\n"),
			"moved to a new file":  moved(dir+"/_impl.py", "from ._impl import *\n"),
			"code in a string":     {s.edit("exec(" + pythonString(s.text) + ", globals())\n"), style.FlagEval},
			"code that never runs": {s.edit("if False:\n    pass\n" + s.text + "# pylint: disable=unused-import\n"), style.FlagSuppression},
		}
	case languages.Java:
		return map[string]cheat{
			"SuppressWarnings":    {s.edit(strings.Replace(s.text, "\npublic ", "\n@SuppressWarnings(\"PMD\")\npublic ", 1)), style.FlagSuppression},
			"a ruleset":           config("pmd-ruleset.xml", "<ruleset name=\"none\"/>\n"),
			"moved to a new file": moved(dir+"/Copy.java", "package "+strings.ReplaceAll(path.Base(dir), "/", ".")+";\n"),
		}
	}
	return map[string]cheat{
		"NOLINTBEGIN":          {s.edit("// NOLINTBEGIN\n" + s.text + "// NOLINTEND\n"), style.FlagSuppression},
		"a .clang-tidy":        config(".clang-tidy", "Checks: '-*'\n"),
		"hidden from analysis": {s.edit("#ifndef __clang_analyzer__\n" + s.text + "#endif\n"), style.FlagHidden},
		"a system header":      {s.edit("#pragma GCC system_header\n" + s.text), ""},
		"moved to a new file":  moved(dir+"/impl.inc", "#include \"impl.inc\"\n"),
	}
}

// pythonString is a literal of a text without backslashes of its own.
func pythonString(text string) string {
	return `r'''` + strings.ReplaceAll(text, `'''`, `"""`) + `'''`
}

func cheatKinds(r bench.Result) []string {
	kinds := flagKinds(r)
	if r.Style != nil {
		for _, f := range r.Style.Cheats {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds
}
