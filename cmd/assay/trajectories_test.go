package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/attempts"
)

// TestTrajectoriesList: attempts are chosen by name, instance and end; an end
// that does not exist is an error.
func TestTrajectoriesList(t *testing.T) {
	dir := t.TempDir()
	var lines []byte
	for _, r := range []attempts.Record{
		{Key: "1", Task: "bugfix", InstanceID: "owner__one-1", Attempt: 1, End: agents.Done, Finished: true},
		{Key: "2", Task: "bugfix", InstanceID: "owner__two-2", Attempt: 1, End: agents.Time, Finished: true, Calls: 3, Dir: "attempts/bugfix/owner__two-2/1"},
		{Key: "3", Task: "style", InstanceID: "owner__one-1", Attempt: 2, End: agents.Done, Finished: true},
	} {
		line, err := json.Marshal(r)
		require.NoError(t, err)
		lines = append(append(lines, line...), '\n')
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "attempts.jsonl"), lines, 0o600))
	tests := map[string]struct {
		args []string
		want []string // words of the output, or of the error
		fail bool
	}{
		"all":           {args: []string{"list", dir}, want: []string{"bugfix/owner__one-1 ", "bugfix/owner__two-2 ", "style/owner__one-1#2 ", "3 attempts"}},
		"a kind":        {args: []string{"list", dir, "-i", "style/*"}, want: []string{"style/owner__one-1#2 ", "1 attempts"}},
		"an instance":   {args: []string{"list", dir, "-i", "owner__one-*"}, want: []string{"bugfix/owner__one-1 ", "style/owner__one-1#2 ", "2 attempts"}},
		"an end":        {args: []string{"list", dir, "--end", "time"}, want: []string{"bugfix/owner__two-2 ", "1 attempts"}},
		"no such end":   {args: []string{"list", dir, "--end", "late"}, want: []string{`--end "late": expected some of done, gave_up, budget, time`}, fail: true},
		"no folder":     {args: []string{"list", dir + "/none"}, want: []string{"expected the folder of assay run"}, fail: true},
		"no attempt":    {args: []string{"show", dir}, want: []string{"is a folder: name an attempt, too"}, fail: true},
		"no such one":   {args: []string{"show", dir, "style/x"}, want: []string{`has no attempt "style/x"`}, fail: true},
		"without calls": {args: []string{"show", dir, "owner__one-1"}, want: []string{"it made no call of a model"}, fail: true},
		"not made":      {args: []string{"show", dir, "owner__two-2"}, want: []string{"it could not be made, see ", "attempts/bugfix/owner__two-2/1/trajectory.json.error"}, fail: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			cmd := (&app{stdout: &out}).trajectoriesCommand()
			cmd.SetArgs(tt.args)
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			err := cmd.Execute()
			text := out.String()
			if tt.fail {
				require.Error(t, err)
				text = err.Error()
			} else {
				require.NoError(t, err)
				require.Equal(t, len(tt.want)-1, strings.Count(text, "owner__"), text)
			}
			for _, w := range tt.want {
				require.Contains(t, text, w)
			}
		})
	}
}
