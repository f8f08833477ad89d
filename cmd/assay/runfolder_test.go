package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestConfigNamesWhatEvalWasGiven: config.yaml of a run holds every flag that
// has a say in what is judged or in how the run ends.
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
			var o evalOptions
			cmd := (&app{}).evalCommand()
			cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
				o, err = (&app{}).evalOptionsOf(cmd)
				return err
			}
			cmd.SetArgs(append([]string{"-d", "d.jsonl"}, c.args...))
			require.NoError(t, cmd.Execute())
			r := &runFolder{dir: t.TempDir()}
			require.NoError(t, r.lay(o, runLock{}))
			data, err := os.ReadFile(filepath.Join(r.dir, "config.yaml"))
			require.NoError(t, err)
			got := map[string]any{}
			require.NoError(t, yaml.Unmarshal(data, &got))
			for key, want := range c.want {
				require.Contains(t, got, key)
				require.EqualValues(t, want, got[key], key)
			}
		})
	}
}
