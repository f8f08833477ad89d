package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// on are the flags of a command that runs something on the samples.
func (w world) on(more ...string) []string {
	return append(more, "--repos", w.paths.Repos, "--executor", w.executor, "--cache-dir", w.cache)
}

// TestValidateCommand: a valid sample, and the same one with a gold patch
// that does nothing.
func TestValidateCommand(t *testing.T) {
	w := newWorld(t)
	inst, _ := w.sample(t, victim)
	dir := t.TempDir()
	lines, anew := filepath.Join(dir, "lines.jsonl"), filepath.Join(dir, "anew.jsonl")
	code, out := w.assay(t, w.on("validate", "-d", w.paths.Dataset, "-i", victim, "--runs", "2", "-o", lines, "--write", anew)...)
	require.Equal(t, exitDone, code, out)
	require.Contains(t, out, victim+": sound")
	require.Contains(t, out, "1 of 1 instances are valid")
	require.Contains(t, out, "1: "+string(inst.BadPatches[0].Level)+" (F2P ")
	measured := readInstance(t, anew)
	require.ElementsMatch(t, inst.FailToPass, measured.FailToPass)
	require.Subset(t, measured.PassToPass, inst.PassToPass)
	for i, b := range inst.BadPatches {
		require.Equal(t, b.Level, measured.BadPatches[i].Level)
	}
	data, err := os.ReadFile(lines)
	require.NoError(t, err)
	require.Contains(t, string(data), `"sound":true`)
	require.Contains(t, string(data), `"runs":2`)

	spoilt := inst
	spoilt.Patch, spoilt.BadPatches, spoilt.GoodVariants = inst.BadPatches[0].Patch, nil, nil
	unsound := filepath.Join(dir, "unsound.jsonl")
	writeLines(t, unsound, []bench.Instance{spoilt})
	code, out = w.assay(t, w.on("validate", "-d", unsound)...)
	require.Equal(t, exitGate, code, out)
	require.Contains(t, out, "gold does not resolve in run 1")
	require.Contains(t, out, "0 of 1 instances are valid")
	require.Contains(t, out, "published: "+victim+": FAIL_TO_PASS ")
}

// TestDoctor: the executor that the tests use is reported as working.
func TestDoctor(t *testing.T) {
	w := newWorld(t)
	code, out := w.assay(t, "doctor", "--cache-dir", w.cache)
	require.Equal(t, exitDone, code, out)
	for _, s := range []string{"executor docker\n", "executor local\n", "tools of this machine", "resources\n", "  git ", "--executor auto uses "} {
		require.Contains(t, out, s)
	}
	require.Regexp(t, `ok +git +git version`, out)
	require.Regexp(t, `memory +[\d.]+ GiB in all`, out)
}

// TestImageCommand makes an environment, lists it, removes it, and makes the same
// one again.
func TestImageCommand(t *testing.T) {
	w := newWorld(t)
	build := func() string {
		code, out := w.assay(t, w.on("image", "build", "-d", w.paths.Dataset, "-i", victim)...)
		require.Equal(t, exitDone, code, out)
		made := regexp.MustCompile(victim + `: (\S+) \(`).FindStringSubmatch(out)
		require.NotNil(t, made, out)
		return made[1]
	}
	image := func(args ...string) string {
		code, out := w.assay(t, append(append([]string{"image"}, args...), "--executor", w.executor, "--cache-dir", w.cache)...)
		require.Equal(t, exitDone, code, out)
		return out
	}
	name := build()
	require.Contains(t, image("list"), name)
	require.Contains(t, image("rm", name), "removed "+name)
	require.NotContains(t, image("list"), name)
	require.Equal(t, name, build())
	require.Contains(t, image("list"), name)
}

// TestWeakenCommand writes the hidden tests with fewer assertions, the same
// ones for the same seed, and at most as many as requested.
func TestWeakenCommand(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	write := func(name string, more ...string) (string, string) {
		file := filepath.Join(dir, name)
		args := append([]string{"badpatch", "weaken", "-d", w.paths.Dataset, "-i", victim, "-o", file, "--repos", w.paths.Repos, "--cache-dir", w.cache}, more...)
		code, out := w.assay(t, args...)
		require.Equal(t, exitDone, code, out)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		return string(data), out
	}
	all, said := write("all.jsonl", "--most", "0")
	require.Regexp(t, victim+`: (\d+) suites, from \d+ weaker versions`, said)
	n := strings.Count(all, "\n")
	require.Greater(t, n, 2)
	require.Equal(t, n, strings.Count(all, `"task":"testgen"`))
	two, _ := write("two.jsonl", "--most", "2", "--seed", "7")
	again, _ := write("again.jsonl", "--most", "2", "--seed", "7")
	require.Equal(t, 2, strings.Count(two, "\n"))
	require.Equal(t, two, again)
	for line := range strings.Lines(two) {
		require.Contains(t, all, line)
	}
	three, _ := write("three.jsonl", "--most", "2", "--controls")
	require.Equal(t, 5, strings.Count(three, "\n"))
	for _, name := range []string{"hidden", "copied", "failing"} {
		require.Contains(t, three, `"model_name_or_path":"`+name+`"`)
	}
}
