package badpatch_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/badpatch"
	"assay/badpatch/badpatchtest"
	"assay/bench"
	"assay/internal/patch"
	"assay/languages"
)

const (
	sharedPath = "src/main/java/a/Clip.java"
	sharedBase = "package a;\n\nclass Clip {\n  int clip(int x, int top, int low) {\n    int y = x;\n    return y;\n  }\n}\n"
	sharedGold = "package a;\n\nclass Clip {\n  int clip(int x, int top, int low) {\n    int y = x;\n    if (y > top) {\n      y = top;\n    }\n    if (y < low) {\n      y = low;\n    }\n    return y;\n  }\n}\n"
)

// sharedBed is a bed whose builds can be shared. A version of the code fails by
// its text.
type sharedBed struct {
	base         patch.Tree
	alone        int    // runs of candidates on their own
	builds       int    // that were shared
	repeated     int    // builds on which a patch's further runs were made
	breaks       string // what no compiler takes
	vague        bool   // errors are at the end of the function
	goldFails    bool   // in shared builds
	onceBuilt    bool   // no build can be used again
	passesInFact string // what fails in shared builds only
}

func (b *sharedBed) text(v languages.Variant) string {
	p, err := patch.Parse([]byte(v.Code))
	if err != nil {
		return ""
	}
	changes, err := patch.Apply(b.base, p)
	if err != nil {
		return ""
	}
	text, err := changes.Over(b.base).Read(sharedPath)
	if err != nil {
		return ""
	}
	return string(text.Data)
}

func (b *sharedBed) judge(text string, shared bool) languages.Outcome {
	failed := map[string]string{}
	if !strings.Contains(text, "if (y > top) {\n      y = top;\n    }") && (shared || b.passesInFact == "" || !strings.Contains(text, b.passesInFact)) {
		failed["t.py::f1"] = "top of " + text
	}
	return badpatchtest.Outcome(failed)
}

func (b *sharedBed) RunTests(_ context.Context, v languages.Variant) (languages.Outcome, error) {
	text := b.text(v)
	switch {
	case v.Name == "candidate":
		b.alone++
	case text == sharedBase:
		return badpatchtest.Outcome(map[string]string{"t.py::f1": "base", "t.py::f2": "base"}), nil
	}
	if b.breaks != "" && strings.Contains(text, b.breaks) {
		return badpatchtest.Ended(bench.RunUnbuilt), nil
	}
	return b.judge(text, false), nil
}

var branch = regexp.MustCompile(`(?s)/\* assay: version (\d+) \*/\n(.*?)\n(?:\} else|\}\n/\* assay: end)`)

func (b *sharedBed) RunRounds(_ context.Context, v languages.Variant, r languages.Rounds) (languages.Repeated, bool, error) {
	if b.onceBuilt {
		return languages.Repeated{}, false, nil
	}
	text := b.text(v)
	if v.Name != "candidates" {
		b.repeated++
		out := languages.Repeated{Build: badpatchtest.Outcome(nil)}
		for range r.Values {
			out.Rounds = append(out.Rounds, b.judge(text, false))
		}
		return out, true, nil
	}
	b.builds++
	if at := strings.Index(text, b.breaks); b.breaks != "" && at >= 0 {
		if b.vague {
			at = strings.Index(text, "/* assay: end */\n}") + len("/* assay: end */\n")
		}
		o := badpatchtest.Ended(bench.RunUnbuilt)
		o.Log = fmt.Appendf(nil, "[ERROR] /repo/%s:[%d,3] cannot find symbol\n", sharedPath, strings.Count(text[:at], "\n")+1)
		return languages.Repeated{Build: o}, true, nil
	}
	versions := map[string]string{}
	for _, m := range branch.FindAllStringSubmatch(text, -1) {
		versions[m[1]] = m[2]
	}
	out := languages.Repeated{Build: badpatchtest.Outcome(nil)}
	for _, value := range r.Values {
		o := b.judge(versions[value], true)
		if value == "0" && b.goldFails {
			o = badpatchtest.Outcome(map[string]string{"t.py::p1": "no"})
		}
		out.Rounds = append(out.Rounds, o)
	}
	return out, true, nil
}

func generateShared(t *testing.T, bed *sharedBed) badpatch.Made {
	// Gold changes files that are not code, too.
	base := badpatchtest.Texts{sharedPath: sharedBase, "README.md": "a\n", "src/main/resources/a.properties": "top=1\n"}
	gold := badpatchtest.Texts{sharedPath: sharedGold, "README.md": "b\n", "src/main/resources/a.properties": "top=2\n"}
	inst := badpatchtest.HiddenTests()
	inst.Language, inst.Patch = languages.Java, badpatchtest.Between(base, gold)
	bed.base = badpatchtest.Tree(base)
	o := badpatch.DefaultOptions()
	o.N, o.Pool = 2, 4
	made, err := badpatch.Generator{Sources: sources(), Options: o}.Generate(t.Context(), inst, bed.base, bed)
	require.NoError(t, err)
	require.NotEmpty(t, made.Chosen)
	for _, c := range made.Chosen {
		require.Equal(t, badpatch.Bad, made.Trials[c.Trial].Verdict)
		require.Equal(t, 3, made.Trials[c.Trial].Runs, "what is kept was run as the patch that it is")
		require.False(t, made.Trials[c.Trial].Screened)
	}
	return made
}

func screened(made badpatch.Made) int {
	n := 0
	for _, trial := range made.Trials {
		if trial.Screened {
			n++
		}
	}
	return n
}

// TestSharedBuild: candidates run on one build, and only what is kept on its own.
func TestSharedBuild(t *testing.T) {
	bed := &sharedBed{}
	made := generateShared(t, bed)
	require.Positive(t, bed.builds)
	require.Equal(t, bed.builds, made.Builds)
	require.Empty(t, made.Alone)
	require.Greater(t, screened(made), bed.alone)
	require.Equal(t, bed.alone+1, bed.repeated, "two runs of three on another build, gold's too")

	alone := &sharedBed{onceBuilt: true}
	other := generateShared(t, alone)
	require.Zero(t, screened(other))
	require.Equal(t, "the build cannot be used again", other.Alone)
	found := map[string]badpatch.TrialVerdict{}
	for _, trial := range other.Trials {
		found[trial.Patch] = trial.Verdict
	}
	same := 0
	for _, trial := range made.Trials {
		if v, ok := found[trial.Patch]; ok {
			require.Equal(t, v, trial.Verdict)
			same++
		}
	}
	require.Positive(t, same)
}

// TestSharedBuildWithoutWhatBreaksIt: who breaks a build is rejected, and the
// others are built again.
func TestSharedBuildWithoutWhatBreaksIt(t *testing.T) {
	for _, vague := range []bool{false, true} {
		bed := &sharedBed{breaks: "y >= top", vague: vague}
		made := generateShared(t, bed)
		require.Greater(t, bed.builds, 1)
		broken := 0
		for _, trial := range made.Trials {
			if strings.Contains(trial.Patch, bed.breaks) {
				require.Equal(t, badpatch.Unbuilt, trial.Cause)
				broken++
			} else {
				require.NotEqual(t, badpatch.Unbuilt, trial.Cause)
			}
		}
		require.Positive(t, broken)
		require.Positive(t, screened(made))
		require.Empty(t, made.Alone)
	}
}

// TestSharedBuildThatLies: where gold fails in a shared build no candidate is
// judged by one, and a candidate that fails in one alone is not kept.
func TestSharedBuildThatLies(t *testing.T) {
	made := generateShared(t, &sharedBed{goldFails: true})
	require.Zero(t, screened(made))
	require.Contains(t, made.Alone, "gold does not resolve it in a shared build")

	made = generateShared(t, &sharedBed{passesInFact: "y >= top"})
	for _, c := range made.Chosen {
		require.NotContains(t, made.Trials[c.Trial].Patch, "y >= top")
	}
}
