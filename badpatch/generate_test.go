package badpatch_test

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/badpatch/code"
	"assay/badpatch/measure"
	"assay/badpatch/rewrite"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

const (
	generateBase = "def clip(x, top, low):\n    y = x\n    return y\n\n\ndef size(items):\n    n = len(items)\n    return n\n"
	generateGold = "def clip(x, top, low):\n    y = x\n    if y > top:\n        y = top\n    if y < low:\n        y = low\n    return y\n\n\ndef size(items):\n    n = len(items)\n    return n\n"
)

// fakeBed gives outcomes by the code alone: gold and what reads like it pass,
// base fails, and what else there is fails tests that its text stands for.
type fakeBed struct {
	base     patch.Tree
	runs     int
	unsteady bool // candidates that fail pass from the second run on
	covered  languages.Coverage
	// fails decides by its text whether a candidate fails; nil draws it.
	fails func(text string) bool
	err   error
	doubt string // of all runs of tests
}

func (b *fakeBed) RunTests(ctx context.Context, v languages.Variant) (languages.Outcome, error) {
	o, err := b.outcome(ctx, v)
	if b.doubt != "" && err == nil && v.Cover == nil {
		o.Doubts, o.State = []string{b.doubt}, bench.RunSuspect
	}
	return o, err
}

func (b *fakeBed) outcome(_ context.Context, v languages.Variant) (languages.Outcome, error) {
	b.runs++
	if b.err != nil {
		return languages.Outcome{}, b.err
	}
	if v.Cover != nil {
		o := badpatchtest.Outcome(nil)
		o.Coverage = b.covered
		return o, nil
	}
	p, err := patch.Parse([]byte(v.Code))
	if err != nil {
		return languages.Outcome{}, err
	}
	changes, err := patch.Apply(b.base, p)
	if err != nil {
		return badpatchtest.Ended(bench.RunUnapplied), nil
	}
	text, err := changes.Over(b.base).Read("lib/a.py")
	if err != nil {
		return languages.Outcome{}, err
	}
	switch form := code.Normalise(languages.Python, text.Data); {
	case form == code.Normalise(languages.Python, []byte(generateBase)):
		return badpatchtest.Outcome(map[string]string{"t.py::f1": "base", "t.py::f2": "base"}), nil
	case v.Name == "gold" || v.Name == "good" || b.unsteady && v.Attempt > 0:
		return badpatchtest.Outcome(nil), nil
	case b.fails != nil:
		if b.fails(string(text.Data)) {
			return badpatchtest.Outcome(map[string]string{"t.py::f1": form}), nil
		}
		return badpatchtest.Outcome(nil), nil
	default:
		h := fnv.New32a()
		_, _ = h.Write([]byte(form)) // never fails
		failed := map[string]string{}
		for i, id := range []string{"t.py::f1", "t.py::f2", "t.py::p1"} {
			if h.Sum32()>>(8*i)&1 == 1 {
				failed[id] = "wrong"
			}
		}
		return badpatchtest.Outcome(failed), nil
	}
}

func generate(t *testing.T, change func(*fakeBed, *badpatch.Options, *bench.Instance)) (badpatch.Made, *fakeBed, error) {
	base := badpatchtest.Tree(badpatchtest.Texts{"lib/a.py": generateBase})
	inst := badpatchtest.HiddenTests()
	inst.Patch = badpatchtest.Between(badpatchtest.Texts{"lib/a.py": generateBase}, badpatchtest.Texts{"lib/a.py": generateGold})
	bed := &fakeBed{base: base}
	o := badpatch.DefaultOptions()
	change(bed, &o, inst)
	made, err := badpatch.Generator{Sources: sources(), Rewrites: rewrite.Variants, Options: o}.Generate(context.Background(), inst, base, bed)
	return made, bed, err
}

func TestGenerate(t *testing.T) {
	made, _, err := generate(t, func(_ *fakeBed, o *badpatch.Options, inst *bench.Instance) {
		o.Reserve = 1
		inst.BadPatches = []bench.BadPatch{{Patch: "no patch"}, {Patch: inst.Patch}}
	})
	require.NoError(t, err)
	require.NotEmpty(t, made.Chosen)
	require.NotEmpty(t, made.Variants)
	for _, c := range slices.Concat(made.Chosen, made.Reserve) {
		trial := made.Trials[c.Trial]
		require.Equal(t, badpatch.Bad, trial.Verdict)
		require.Equal(t, 3, trial.Runs, "what is kept failed in every run")
		require.NotEmpty(t, c.Reason)
	}
	require.Equal(t, []badpatch.Cause{badpatch.Unparsed, badpatch.LikeGold}, []badpatch.Cause{made.Published[0].Cause, made.Published[1].Cause})
	total := 0
	for _, y := range measure.Yields(made) {
		total += y.Run
		require.Equal(t, y.Run, y.Bad+y.Regression+y.Survivor+sum(y.Rejected), "%+v", y)
	}
	require.Len(t, made.Trials, total)

	again, _, err := generate(t, func(_ *fakeBed, o *badpatch.Options, inst *bench.Instance) {
		o.Reserve = 1
		inst.BadPatches = []bench.BadPatch{{Patch: "no patch"}, {Patch: inst.Patch}}
	})
	require.NoError(t, err)
	require.Equal(t, made, again)
}

// Where tests compare the upper limit alone, most of what is run is about that
// limit, and what survives is not run again.
func TestGeneratePrefersWhatTestsSee(t *testing.T) {
	made, _, err := generate(t, func(b *fakeBed, o *badpatch.Options, _ *bench.Instance) {
		b.fails = func(text string) bool { return !strings.Contains(text, "    if y > top:\n        y = top\n") }
		o.Pool = 30
	})
	require.NoError(t, err)
	count := map[badpatch.TrialVerdict]int{}
	for _, trial := range made.Trials {
		count[trial.Verdict]++
		if trial.Verdict == badpatch.Survivor {
			require.Equal(t, 1, trial.Runs, "a survivor is not run again")
		}
	}
	require.Positive(t, count[badpatch.Survivor])
	require.Greater(t, count[badpatch.Bad], count[badpatch.Survivor])
}

// A line that no fail-to-pass test executes is not mutated.
func TestGenerateDropsUnreached(t *testing.T) {
	executable := []int{1, 2, 3, 4, 5, 6, 7, 10, 11, 12}
	made, _, err := generate(t, func(b *fakeBed, o *badpatch.Options, _ *bench.Instance) {
		b.covered = languages.Coverage{"lib/a.py": {Executable: executable, Covered: map[string][]int{"": {1, 10}, "t.py::f1": {2, 3, 5, 6, 7}}, Loaded: true}}
		o.Most, o.Pool = 100, 100
	})
	require.NoError(t, err)
	require.Empty(t, made.Unmeasured)
	above, below, _ := strings.Cut(generateGold, "        y = top\n")
	dropped := 0
	for _, causes := range made.Dropped {
		dropped += causes[badpatch.Unreached]
	}
	require.Positive(t, dropped)
	for _, trial := range made.Trials {
		text := badpatchtest.State(t, badpatchtest.Texts{"lib/a.py": generateBase}, trial.Patch, "lib/a.py")
		inner, starts := strings.CutPrefix(text, above)
		inner, ends := strings.CutSuffix(inner, below)
		require.False(t, starts && ends && strings.HasPrefix(inner, "        ") && !strings.Contains(inner, "\n    return"), "%s\n%s", trial.Detail.What, text)
	}
}

func sum(causes map[badpatch.Cause]int) int {
	n := 0
	for _, c := range causes {
		n += c
	}
	return n
}

func TestGenerateBounds(t *testing.T) {
	made, bed, err := generate(t, func(_ *fakeBed, o *badpatch.Options, _ *bench.Instance) { o.Most, o.Runs, o.Variants = 4, 1, 0 })
	require.NoError(t, err)
	require.Len(t, made.Trials, 4)
	require.Equal(t, "4 candidates were run", made.Untried)
	require.Equal(t, 7, bed.runs, "base, gold, gold measured, and four candidates")
}

// A candidate that fails once and passes later is dropped, and another is
// chosen instead while there are any.
func TestGenerateUnsteady(t *testing.T) {
	made, _, err := generate(t, func(b *fakeBed, o *badpatch.Options, _ *bench.Instance) { b.unsteady = true })
	require.NoError(t, err)
	require.Empty(t, made.Chosen)
	unsteady := 0
	for _, trial := range made.Trials {
		require.NotEqual(t, badpatch.Bad, trial.Verdict)
		if trial.Cause == badpatch.Unsteady {
			unsteady++
		}
	}
	require.Positive(t, unsteady)
}

func TestGenerateFailures(t *testing.T) {
	down := errors.New("the engine is gone")
	_, _, err := generate(t, func(b *fakeBed, _ *badpatch.Options, _ *bench.Instance) { b.err = down })
	require.ErrorIs(t, err, down)
	_, _, err = generate(t, func(_ *fakeBed, _ *badpatch.Options, inst *bench.Instance) {
		inst.FailToPass = append(inst.FailToPass, "t.py::gone")
	})
	require.ErrorContains(t, err, "gold does not resolve it in run 1")
}

func TestFill(t *testing.T) {
	made, _, err := generate(t, func(*fakeBed, *badpatch.Options, *bench.Instance) {})
	require.NoError(t, err)
	inst := badpatchtest.HiddenTests()
	inst.BadPatches, inst.Reviews = []bench.BadPatch{{Patch: "old"}}, []bench.Review{{BadPatch: 0}}
	badpatch.Fill(inst, made, false)
	regressions := 0
	for i, b := range inst.BadPatches {
		require.Equal(t, i, b.Index)
		require.NotEqual(t, "old", b.Patch)
		require.NotEmpty(t, b.Source)
		if b.Level == bench.LevelBreaksP2P {
			regressions++
		} else {
			require.Equal(t, bench.LevelFailsF2P, b.Level)
		}
	}
	require.Len(t, inst.BadPatches, len(made.Chosen)+regressions)
	require.Equal(t, 1, regressions)
	require.Empty(t, inst.Reviews, "they speak of patches that are gone")
}

// What gen made is good input for gen: the same text then comes twice.
func TestGenerateAgain(t *testing.T) {
	first, _, err := generate(t, func(_ *fakeBed, o *badpatch.Options, _ *bench.Instance) { o.Regressions = 0 })
	require.NoError(t, err)
	second, _, err := generate(t, func(_ *fakeBed, _ *badpatch.Options, inst *bench.Instance) {
		badpatch.Fill(inst, first, false)
		inst.BadPatches = append(inst.BadPatches, inst.BadPatches[0])
	})
	require.NoError(t, err)
	require.Equal(t, patches(first.Trials, first.Chosen), patches(second.Trials, second.Chosen))
	for _, p := range second.Published {
		require.Equal(t, badpatch.Bad, p.Verdict)
		require.Equal(t, 3, p.Runs)
	}
}

// TestGenerateWithGoldsDoubts: what gold's runs show counts against no run.
func TestGenerateWithGoldsDoubts(t *testing.T) {
	plain, _, err := generate(t, func(*fakeBed, *badpatch.Options, *bench.Instance) {})
	require.NoError(t, err)
	require.NotEmpty(t, plain.Chosen)
	doubtful, _, err := generate(t, func(b *fakeBed, _ *badpatch.Options, _ *bench.Instance) { b.doubt = "nonce" })
	require.NoError(t, err)
	require.Len(t, doubtful.Chosen, len(plain.Chosen))
}
