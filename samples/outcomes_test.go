package samples

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// outcomes says about every test that ran whether it passed; nil when nothing
// was built.
type outcomes map[string]bool

// TestOutcomes runs every patch of every sample. Java and C++ take minutes:
// with ASSAY_SAMPLES_FULL=one the first sample of each runs, with 1 all do.
func TestOutcomes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every patch of the samples: not in short mode")
	}
	full, seen := os.Getenv("ASSAY_SAMPLES_FULL"), map[string]bool{}
	for _, d := range definitions(t) {
		first := !seen[d.language]
		seen[d.language] = true
		t.Run(d.ID, func(t *testing.T) {
			if d.language != "python" && full != "1" && (full != "one" || !first) {
				t.Skip("takes minutes: set ASSAY_SAMPLES_FULL=1 to run all samples, or =one for one of each language")
			}
			run := newRunner(t, d)
			old := run()
			require.NotEmpty(t, old)
			require.Empty(t, old.notPassed(old.ids()), "tests that fail at base")
			require.Empty(t, run("gold").notPassed(old.ids()), "old tests that the fix breaks")
			checkHidden(t, d, run)
			checkBad(t, d, run)
			checkWeak(t, d, run, old)
		})
	}
}

// checkHidden runs the hidden tests on base, gold and its variants.
func checkHidden(t *testing.T, d definition, run func(...string) outcomes) {
	all := append(append([]string{}, d.FailToPass...), d.PassToPass...)
	base := run("test")
	require.ElementsMatch(t, d.FailToPass, base.notPassed(all))
	for _, name := range append([]string{"gold"}, numbered("good", len(d.GoodVariants))...) {
		got := run(name, "test")
		require.Empty(t, got.notPassed(got.ids()), name)
		require.ElementsMatch(t, all, hidden(t, d, got.ids()), name)
	}
	require.NotEmpty(t, run("flawed/bugfix", "test").notPassed(all), "the flawed fix resolves the issue")
}

// hidden picks the tests that the hidden tests' files hold, which is all that
// a judge runs; in C++ a whole executable.
func hidden(t *testing.T, d definition, ids []string) []string {
	text, err := d.patch("test")
	require.NoError(t, err)
	var out []string
	for _, id := range ids {
		file, _, _ := strings.Cut(id, "::")
		if d.language == "java" {
			class, _, _ := strings.Cut(file, "$")
			file = "src/test/java/" + strings.ReplaceAll(class, ".", "/") + ".java"
		}
		if d.language == "cpp" || strings.Contains(text, file+"\n") {
			out = append(out, id)
		}
	}
	return out
}

func checkBad(t *testing.T, d definition, run func(...string) outcomes) {
	for i, name := range numbered("bad", len(d.BadPatches)) {
		got := run(name, "test")
		f2p, p2p := got.notPassed(d.FailToPass), got.notPassed(d.PassToPass)
		require.Equal(t, d.BadPatches[i].Level, level(got, f2p, p2p), "%s: %s, %s", name, f2p, p2p)
		if d.BadPatches[i].Level == bench.LevelFailsF2P {
			require.Less(t, len(f2p), len(d.FailToPass), "%s behaves like base", name)
		}
	}
}

func level(got outcomes, f2p, p2p []string) bench.Level {
	switch {
	case got == nil:
		return bench.LevelUnbuilt
	case len(f2p) > 0:
		return bench.LevelFailsF2P
	case len(p2p) > 0:
		return bench.LevelBreaksP2P
	}
	return bench.LevelPassesAll
}

// checkWeak runs the flawed test: it fails on base, passes with gold and
// accepts good variants, but lets a bad patch through.
func checkWeak(t *testing.T, d definition, run func(...string) outcomes, old outcomes) {
	const weak = "flawed/testgen"
	var added []string
	for _, id := range run("gold", weak).ids() {
		if _, known := old[id]; !known {
			added = append(added, id)
		}
	}
	require.NotEmpty(t, added)
	require.ElementsMatch(t, added, run(weak).notPassed(added), "on base")
	for _, name := range append([]string{"gold"}, numbered("good", len(d.GoodVariants))...) {
		require.Empty(t, run(name, weak).notPassed(added), name)
	}
	accepted := 0
	for i, name := range numbered("bad", len(d.BadPatches)) {
		if d.BadPatches[i].Level == bench.LevelFailsF2P && len(run(name, weak).notPassed(added)) == 0 {
			accepted++
		}
	}
	require.Positive(t, accepted, "every bad patch is found out")
}

func (o outcomes) ids() []string {
	var out []string
	for id := range o {
		out = append(out, id)
	}
	return out
}

// notPassed lists those of the tests that failed or did not run.
func (o outcomes) notPassed(ids []string) []string {
	var out []string
	for _, id := range ids {
		if !o[id] {
			out = append(out, id)
		}
	}
	return out
}
