package engine

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/llm/prompts"
	"assay/methods"
)

// TestMethods: every method is registered under its name, solves a kind that
// there is, and names prompts that there are; its defaults are in their ranges.
func TestMethods(t *testing.T) {
	parts := Default()
	for _, m := range ownMethods() {
		about := m.About()
		a, err := parts.Agents.Lookup(about.Name)
		require.NoError(t, err)
		require.Equal(t, about.Name, a.(methods.Agent).Name())
		require.NotEmpty(t, about.Title, about.Name)
		require.NotEmpty(t, about.Kinds, about.Name)
		for _, k := range about.Kinds {
			require.Contains(t, parts.Kinds.Names(), k, about.Name)
		}
		require.NotEmpty(t, about.Prompts, about.Name)
		for _, p := range about.Prompts {
			require.Contains(t, prompts.Names(), p, about.Name)
		}
		for _, s := range about.Settings {
			require.True(t, s.Least <= s.Default && s.Default <= s.Most && s.What != "", "%s: %s", about.Name, s.Name)
		}
		names := []string{}
		for _, s := range about.Settings {
			names = append(names, s.Name)
		}
		slices.Sort(names)
		require.Len(t, slices.Compact(names), len(about.Settings), about.Name)
	}
}
