package main

import (
	"bytes"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/attempts"
)

// TestRunProgressDetail: what is wrong with an attempt is shown at once, also
// where the agent was done.
func TestRunProgressDetail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := (&app{stderr: &out}).newRunProgress(false, false)
		p.Start(attempts.Start{Total: 3, Todo: 3, Jobs: 1})
		const broken = "the patch does not give the same tree on a fresh start: a.py differs"
		p.Tried(attempts.Record{Task: "bugfix", InstanceID: "a", End: agents.Done, Finished: true, Patch: 10, Detail: broken}, false)
		p.Tried(attempts.Record{Task: "bugfix", InstanceID: "b", End: agents.Infrastructure, Detail: "overloaded\x1b[2J"}, true)
		p.Tried(attempts.Record{Task: "bugfix", InstanceID: "b", Attempt: 2, End: agents.Done, Finished: true, Calls: 2, Steps: 2, CostUSD: 0.5}, false)
		p.finish(attempts.Counts{Total: 3, Finished: 2}, 0.5)
		require.Equal(t, `3 attempts, 1 at a time
[1/3] done           bugfix/a 0.0s, patch of 10 bytes
      `+broken+`
[1/3] infrastructure bugfix/b 0.0s, patch of 0 bytes
      overloaded
      it is tried again
[2/3] done           bugfix/b#2 0.0s, 2 steps, $0.5000, 0 tokens in, 0 out, patch of 0 bytes
`, out.String())
	})
}
