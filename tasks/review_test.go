package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

func TestReviewBuild(t *testing.T) {
	reviewed := func(reviews ...bench.Review) *bench.Instance {
		inst := instance(bench.LevelFailsF2P, bench.LevelUnapplied, bench.LevelPassesAll, bench.LevelUnmeasured)
		inst.Reviews = reviews
		return inst
	}
	published := instance(bench.LevelFailsF2P, bench.LevelFailsF2P)
	published.BadPatches[1].Review = "It forgets the empty list."
	for name, c := range map[string]struct {
		inst  *bench.Instance
		parts []string
		why   string
	}{
		"one review":              {reviewed(bench.Review{BadPatch: 0, Text: "t"}), []string{"0"}, ""},
		"both arms":               {reviewed(bench.Review{BadPatch: 0, Text: "t"}, bench.Review{BadPatch: 0, Arm: bench.ArmAlone}), []string{"0", "0-alone"}, ""},
		"level not known":         {reviewed(bench.Review{BadPatch: 3, Text: "t"}), []string{"3"}, ""},
		"published ones":          {published, []string{"1"}, ""},
		"does not apply":          {reviewed(bench.Review{BadPatch: 1, Text: "t"}), nil, "no bad patch that applies and is wrong"},
		"is right":                {reviewed(bench.Review{BadPatch: 2, Text: "t"}), nil, "no bad patch that applies and is wrong"},
		"no such bad patch":       {reviewed(bench.Review{BadPatch: 9, Text: "t"}), nil, "there is no bad patch with idx 9"},
		"twice the same":          {reviewed(bench.Review{BadPatch: 0, Text: "t"}, bench.Review{BadPatch: 0, Text: "u"}), nil, "several for bad patch 0"},
		"no bad patches":          {instance(), nil, "it has no bad patches"},
		"no hidden tests to tell": {&bench.Instance{ID: "o__r-1"}, nil, "it has no test patch"},
	} {
		t.Run(name, func(t *testing.T) {
			ts, err := Review{}.Build(c.inst)
			var parts []string
			for _, task := range ts {
				parts = append(parts, task.Part)
			}
			require.Equal(t, c.parts, parts)
			if c.why != "" {
				require.ErrorContains(t, err, c.why)
			}
		})
	}
}

func TestReviewStartsFromTheBadPatch(t *testing.T) {
	inst := instance(bench.LevelFailsF2P)
	inst.BadPatches[0].Patch += testPatch // hunks on tests are not part of the state
	inst.Reviews = []bench.Review{{BadPatch: 0, Text: "t", Level: "L2", Source: "deterministic"}}
	ts, err := Review{}.Build(inst)
	require.NoError(t, err)
	require.Equal(t, "o__r-1_0", ts[0].Name())
	plan := Review{}.Plan(ts[0], bench.Prediction{Patch: goldPatch})
	require.Len(t, plan.Runs, 1)
	require.Contains(t, plan.Runs[0].Start, "+half")
	require.NotContains(t, plan.Runs[0].Start, "test_a.py")
	require.Contains(t, plan.Runs[0].Code, "+fix")
	require.Equal(t, inst.TestPatch, plan.Runs[0].Tests)
	for state, want := range map[string]struct {
		seen Outcome
		want bench.Verdict
	}{
		"resolved":                     {hidden(pass, pass), bench.Resolved},
		"unresolved":                   {hidden(fail, pass), bench.Unresolved},
		"does not apply":               {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunUnapplied}, Unapplied: &languages.UnappliedError{}}}, bench.InvalidPatch},
		"the bad patch does not apply": {Outcome{Outcome: languages.Outcome{Run: bench.Run{State: bench.RunUnapplied}, Unapplied: &languages.UnappliedError{Start: true}}}, bench.HarnessError},
	} {
		r := Review{}.Judge(ts[0], plan, Outcomes{"submission": want.seen})
		require.Equal(t, want.want, r.Verdict, state)
	}
	require.Equal(t, bench.EmptyPatch, Review{}.Plan(ts[0], bench.Prediction{}).Early)
}
