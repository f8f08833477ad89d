package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/tasks"
)

func TestShowEnv(t *testing.T) {
	e := tasks.Environment{
		InstanceID: "a__b-1", Env: bench.Env{Framework: "pytest", Packages: []string{"git"}},
		Decisions: []bench.Decision{
			{Field: "framework", Value: "pytest", Why: "its settings", File: "tox.ini", Line: 3},
			{Field: "packages", Value: "git", Why: "always"},
		},
	}
	var text bytes.Buffer
	require.NoError(t, showEnv(&text, e, false))
	require.Contains(t, text.String(), "# a__b-1\n# framework: pytest (its settings; tox.ini:3)\n# packages: git (always)\n")
	var back struct{ Env bench.Env }
	require.NoError(t, yaml.Unmarshal(text.Bytes(), &back))
	require.Equal(t, e.Env.Packages, back.Env.Packages)

	var line bytes.Buffer
	require.NoError(t, showEnv(&line, e, true))
	var again tasks.Environment
	require.NoError(t, json.Unmarshal(line.Bytes(), &again))
	require.Equal(t, e, again)
}

// TestEnvRunsNothing shows the samples' environments from the real binary.
func TestEnvRunsNothing(t *testing.T) {
	w := newWorld(t)
	code, out := w.assay(t, "env", "-d", w.paths.Dataset, "--repos", w.paths.Repos, "--cache-dir", t.TempDir())
	require.Equal(t, exitDone, code, out)
	require.Contains(t, out, "# "+victim+"\n")
	require.Contains(t, out, "framework: pytest")
	code, out = w.assay(t, "env", "-d", w.paths.Dataset, "--repos", t.TempDir(), "--cache-dir", t.TempDir())
	require.Equal(t, exitNotJudged, code, out)
}
