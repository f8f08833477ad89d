package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"assay/engine"
)

// TestConfigNamesWhatEvalWasGiven: config.yaml of a run holds every flag that
// affects what is judged or how the run ends.
func TestConfigNamesWhatEvalWasGiven(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want map[string]any
	}{
		"style tasks by an agent": {
			[]string{"--agent", "autofix", "--min-score", "0.5", "--max-remaining", "2", "--min-resolved", "0.25"},
			map[string]any{"agent": "autofix", "min-score": 0.5, "max-remaining": uint64(2), "min-resolved": 0.25, "gold": false},
		},
		"gates that pass anything": {
			[]string{"--gold", "--min-score", "0", "--max-remaining", "0", "--min-resolved", "0"},
			map[string]any{"agent": "", "min-score": 0.0, "max-remaining": uint64(0), "min-resolved": 0.0, "gold": true},
		},
		"nothing of it": {
			[]string{"--empty"},
			map[string]any{"agent": "", "min-score": nil, "max-remaining": nil, "min-resolved": nil, "empty": true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			parts := engine.Default()
			o := evalFlags{kinds: kindFlags{parts.Kinds}}
			cmd := &cobra.Command{}
			o.dataset.add(cmd)
			o.executor.add(cmd)
			o.add(cmd, parts)
			require.NoError(t, cmd.ParseFlags(append([]string{"-d", "d.jsonl"}, c.args...)))
			file := filepath.Join(t.TempDir(), "d.jsonl")
			require.NoError(t, os.WriteFile(file, []byte("\n"), 0o644))
			run, err := o.options(parts, engine.Selection{Name: o.dataset.name, Path: file})
			require.NoError(t, err)
			ev, err := engine.Read(t.Context(), engine.Parts{Kinds: o.kinds.kinds, Linters: parts.Linters, Agents: parts.Agents}, run)
			require.NoError(t, err)
			data, err := yaml.Marshal(ev.Config())
			require.NoError(t, err)
			require.NoError(t, ev.Close())
			got := map[string]any{}
			require.NoError(t, yaml.Unmarshal(data, &got))
			for key, want := range c.want {
				require.Contains(t, got, key)
				require.EqualValues(t, want, got[key], key)
			}
		})
	}
}

// TestKindOptionsAreChecked: the error for a bad value names its flag.
func TestKindOptionsAreChecked(t *testing.T) {
	o := evalFlags{kinds: kindFlags{engine.Default().Kinds}}
	cmd := &cobra.Command{}
	o.add(cmd, engine.Default())
	require.ErrorContains(t, cmd.ParseFlags([]string{"--min-score", "much"}), `invalid argument "much" for "--min-score" flag`)
	require.ErrorContains(t, cmd.ParseFlags([]string{"--max-remaining", "0.5"}), `invalid argument "0.5" for "--max-remaining" flag`)
}
