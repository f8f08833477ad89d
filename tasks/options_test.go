package tasks

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
)

// TestStyleOptions: what is set shows, and counts in tasks and their digest.
func TestStyleOptions(t *testing.T) {
	for _, o := range (Style{}).Options() {
		require.Nil(t, o.Value, o.Name)
	}
	var kind Kind = Style{}
	for name, text := range map[string]string{"min-score": "0.5", "max-remaining": "2"} {
		var err error
		kind, err = kind.(Style).Set(name, text)
		require.NoError(t, err)
	}
	got := map[string]any{}
	for _, o := range kind.(Style).Options() {
		got[o.Name] = o.Value
	}
	require.Equal(t, map[string]any{"min-score": 0.5, "max-remaining": 2}, got)
	inst := styleTask().Instance
	inst.Style = []bench.StyleTask{*styleTask().Style}
	ts, err := kind.Build(inst)
	require.NoError(t, err)
	require.Equal(t, []string{"[0.5,2]"}, kind.(Style).DigestParts(ts[0]))
	require.Nil(t, kind.(Style).DigestParts(Task{}))
	for _, wrong := range [][2]string{{"min-score", "x"}, {"max-remaining", "0.5"}, {"other", "1"}} {
		_, err := Style{}.Set(wrong[0], wrong[1])
		require.Error(t, err)
	}
}

// TestWithheld: agents do not get a task whose review leaks.
func TestWithheld(t *testing.T) {
	require.False(t, Review{}.Withheld(Task{}))
	require.False(t, Review{}.Withheld(Task{Review: &bench.Review{}}))
	require.False(t, Review{}.Withheld(Task{Review: &bench.Review{Leak: &bench.LeakReport{}}}))
	require.True(t, Review{}.Withheld(Task{Review: &bench.Review{Leak: &bench.LeakReport{Leaks: []string{"copy"}}}}))
}
