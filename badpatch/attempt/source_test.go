package attempt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/bench"
)

// attemptBase and attemptGold are a fix with its test.
func attemptBase() badpatchtest.Texts {
	return badpatchtest.Texts{"lib/m.py": badpatchtest.ClampBase, "tests/test_m.py": "def test():\n    pass\n", "setup.py": "x = 1\n", "README.md": "m\n"}
}

func attemptSubject(t testing.TB) *badpatch.Subject {
	return badpatchtest.Subject(t, "python", attemptBase(), badpatchtest.Texts{"lib/m.py": badpatchtest.ClampGold})
}

// attempted is a submission that returns something else.
func attempted(value string, more ...string) string {
	after := badpatchtest.Texts{"lib/m.py": strings.Replace(badpatchtest.ClampBase, "    return x\n", "    return "+value+"\n", 1)}
	for i := 0; i < len(more); i += 2 {
		after[more[i]] = more[i+1]
	}
	return badpatchtest.Between(attemptBase(), after)
}

func prediction(model, text string) bench.Prediction {
	return bench.Prediction{InstanceID: "a__b-1", Model: model, Patch: text}
}

func TestAttempts(t *testing.T) {
	base := attemptBase()
	s := attemptSubject(t)
	source := Source{PerModel: 9, Predictions: []bench.Prediction{
		prediction("small", attempted("1", "tests/test_m.py", "def test():\n    assert 1\n", "conftest.py", "x = 1\n", "setup.py", "x = 2\n")),
		prediction("large", strings.Replace(attempted("1"), "return 1", "return 1  # at last", 1)),
		prediction("small", attempted("1")),
		{InstanceID: "a/b:pr-1", Model: "other", Patch: attempted("2")},
		{InstanceID: "a__b-2", Model: "else", Patch: attempted("3")},
		{InstanceID: "a__b-1", Model: "tests", Task: "testgen", Patch: attempted("4")},
		{InstanceID: "a__b-1", Model: "fixes", Task: "bugfix", Patch: attempted("5")},
		prediction("none", ""), prediction("blank", " \n"),
		prediction("only tests", badpatchtest.Between(base, badpatchtest.Texts{"tests/test_m.py": "-", "tests/test_n.py": "x = 1\n"})),
		prediction("notes", badpatchtest.Between(base, badpatchtest.Texts{"README.md": "n\n"})),
		prediction("gold", s.Instance.Patch),
		prediction("prose", "I cannot."), prediction("unapplied", strings.Replace(attempted("1"), "-    return x", "-    return nothing", 1)),
	}}
	got := map[string]badpatch.Candidate{}
	for _, c := range badpatchtest.Collect(t, source, s) {
		require.Equal(t, "attempt", c.Source)
		got[c.Operator] = c
	}
	require.Len(t, got, 7)
	one, ok := got["large"]
	if !ok {
		one, ok = got["small"]
	}
	require.True(t, ok)
	require.Equal(t, attempted("1"), one.Patch, "the smallest of three, without tests, build and runner files")
	require.Equal(t, "submitted by large, small (3 submissions with the same code)", one.Detail.What)
	require.Equal(t, attempted("2"), got["other"].Patch)
	require.Equal(t, "submitted by other", got["other"].Detail.What)
	require.Equal(t, attempted("5"), got["fixes"].Patch)
	filter, err := badpatch.NewFilter(s)
	require.NoError(t, err)
	defer filter.Close()
	for model, want := range map[string]badpatch.Cause{"other": "", "fixes": "", "notes": badpatch.LikeBase, "gold": badpatch.LikeGold, "prose": badpatch.Unparsed, "unapplied": badpatch.Unapplied} {
		cause, err := filter.Check(got[model])
		require.NoError(t, err)
		require.Equal(t, want, cause, model)
	}
}

func TestAttemptsSplitOff(t *testing.T) {
	s := attemptSubject(t)
	s.TestPatch = badpatchtest.Between(badpatchtest.Texts{}, badpatchtest.Texts{"lib/check_m.py": "x = 1\n"})
	got := badpatchtest.Collect(t, Source{Predictions: []bench.Prediction{
		prediction("m", attempted("1", "tests/test_m.py", "-", "conftest.py", "x = 1\n", "setup.py", "x = 2\n", "lib/check_m.py", "x = 1\n", "README.md", "n\n")),
	}}, s)
	require.Len(t, got, 1)
	require.Equal(t, attempted("1", "README.md", "n\n"), got[0].Patch)
	require.Equal(t, "submitted by m; without its changes of build, runner, test", got[0].Detail.What)
}

// TestAttemptsCapped checks that each model has its share, in turn, that what
// cannot be a bad patch takes none of it, and that the seed draws.
func TestAttemptsCapped(t *testing.T) {
	var all []bench.Prediction
	for i := range 6 {
		all = append(all, prediction("big", attempted(fmt.Sprint(i))), prediction("big", fmt.Sprint("prose ", i)))
	}
	all = append(all, prediction("lone", attempted("9")), prediction("lone", attempted("0")))
	run := func(seed uint64, most int) (operators string, patches []string) {
		s := attemptSubject(t)
		s.Seed = seed
		for _, c := range badpatchtest.Collect(t, Source{Predictions: all, PerModel: most}, s) {
			operators += c.Operator + " "
			patches = append(patches, c.Patch)
		}
		return operators, patches
	}
	differ := false
	_, first := run(1, 0)
	for seed := range uint64(8) {
		operators, patches := run(seed, 0)
		usable := strings.Fields(strings.ReplaceAll(operators, "prose", ""))[:len(patches)-6]
		require.Len(t, patches, len(usable)+6, "six that do not parse")
		counts := map[string]int{}
		for i, m := range usable {
			counts[m]++
			require.LessOrEqual(t, i/2, counts[m]+1)
		}
		require.Equal(t, 2, counts["big"])
		require.GreaterOrEqual(t, counts["lone"], 1)
		require.NotEqual(t, usable[0], usable[1], "each model comes once before any comes twice")
		_, again := run(seed, 0)
		require.Equal(t, patches, again)
		differ = differ || strings.Join(first, "") != strings.Join(patches, "")
	}
	require.True(t, differ)
	operators, _ := run(1, 1)
	require.Equal(t, 7, strings.Count(operators, "big"))
	require.Equal(t, 1, strings.Count(operators, "lone"))
}

func TestAttemptsCalledOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range (Source{Predictions: []bench.Prediction{prediction("m", attempted("1"))}}).Candidates(ctx, attemptSubject(t)) {
		require.ErrorIs(t, err, context.Canceled)
	}
}

func TestReadAttempts(t *testing.T) {
	quoted, err := json.Marshal(attempted("1"))
	require.NoError(t, err)
	diff := string(quoted)
	for name, tt := range map[string]struct{ file, text string }{
		"SWE-bench, lines": {"m.jsonl", `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":` + diff + `}`},
		"SWE-bench, list":  {"m.json", `[{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":` + diff + `}]`},
		"SWE-bench, map":   {"m.json", `{"a__b-1":{"model_name_or_path":"m","model_patch":` + diff + `}}`},
		"patches by id":    {"m.json", `{"a__b-1":` + diff + `}`},
		"Multi-SWE-bench":  {"m.jsonl", `{"org":"a","repo":"b","number":1,"fix_patch":` + diff + `}`},
		"OmniCode":         {"m.jsonl", `{"id":"a/b:pr-1","org":"a","repo":"b","number":1,"patch":` + diff + `}`},
		"one agent's file": {"m.pred", "{\n\"instance_id\": \"a__b-1\",\n\"model_name_or_path\": \"m\",\n\"model_patch\": " + diff + "\n}"},
		"nested":           {"m.jsonl", `{"instance_id":"a__b-1","model_name_or_path":"m","model_patch":{"model_patch":` + diff + `}}`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), tt.file)
			require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o600))
			all, err := Read(t.Context(), path)
			require.NoError(t, err)
			got := badpatchtest.Collect(t, Source{Predictions: all}, attemptSubject(t))
			require.Len(t, got, 1)
			require.Equal(t, attempted("1"), got[0].Patch)
			require.Equal(t, "m", got[0].Operator)
		})
	}
}

func TestReadAttemptsWithProblems(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	text := `{"instance_id":"a__b-1","model_patch":"x"}` + "\n{}\n" + `{"instance_id":"a__b-2","model_patch":"y"}`
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	got, err := Read(t.Context(), path)
	var problems *bench.Problems
	require.ErrorAs(t, err, &problems)
	require.Len(t, got, 2)
	_, err = Read(t.Context(), path+".gone")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.False(t, errors.As(err, &problems))
}

func TestSuitesOf(t *testing.T) {
	inst := &bench.Instance{ID: "a__b-1", Language: "python"}
	with := attempted("1", "tests/test_m.py", "def test():\n    assert 1\n")
	got := Suites(inst, []bench.Prediction{
		prediction("z", with), {InstanceID: "a/b:pr-1", Model: "y", Task: "testgen", Patch: with},
		prediction("no tests", attempted("1")), prediction("prose", "No."),
		{InstanceID: "a__b-1", Model: "fix", Task: "bugfix", Patch: with}, {InstanceID: "a__b-2", Model: "other", Patch: with},
	})
	require.Len(t, got, 2)
	require.Equal(t, "y", got[0].Name)
	require.Equal(t, "z", got[1].Name)
	tests := badpatchtest.Between(attemptBase(), badpatchtest.Texts{"tests/test_m.py": "def test():\n    assert 1\n"})
	for _, s := range got {
		require.Equal(t, tests, s.Tests)
	}
}
