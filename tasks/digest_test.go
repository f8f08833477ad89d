package tasks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/languages"
)

// TestDigest: what can change a verdict changes the digest, and nothing else
// does.
func TestDigest(t *testing.T) {
	task := Task{Kind: "bugfix", Instance: &bench.Instance{ID: "i"}}
	p := bench.Prediction{InstanceID: "i", Model: "m", Patch: "p"}
	under := func(l languages.Limits) string {
		return Judge{Machine: languages.Machine{Limits: l}}.Digest(BugFix{}, task, p)
	}
	plain := Judge{}.Digest(BugFix{}, task, p)
	require.Equal(t, plain, under(languages.Limits{}))
	require.Equal(t, plain, under(languages.Limits{Setup: time.Hour}), "an environment is the same however long it took")
	seen := map[string]bool{plain: true}
	part := task
	part.Part = "x"
	other := p
	other.Patch = "q"
	for _, d := range []string{
		under(languages.Limits{Time: time.Minute}), under(languages.Limits{Time: 2 * time.Minute}),
		under(languages.Limits{Memory: 1}), under(languages.Limits{CPUs: 1}),
		Judge{Full: true}.Digest(BugFix{}, task, p), Judge{}.Digest(BugFix{}, part, p), Judge{}.Digest(BugFix{}, task, other),
	} {
		require.False(t, seen[d])
		seen[d] = true
	}
}
