package languages

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/bench"
	"assay/harness"
	"assay/internal/mirror"
)

// TestVariablesDoNotPartLayers: what was inferred from one instance is set in
// its own layer, so that the layers below are one for all; what was given, and
// what commands written by hand may use, is set everywhere.
func TestVariablesDoNotPartLayers(t *testing.T) {
	recipe := func(given *bench.Env, version string) harness.Recipe {
		bed := &Testbed{
			instance: &bench.Instance{ID: "x", Language: Python, Env: given},
			env:      bench.Env{Build: []string{"true"}, Dependencies: []string{"tools"}, Vars: map[string]string{"GIVEN": "1", "VERSION": version}},
			archive:  &mirror.Archive{},
		}
		r, err := bed.recipe(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"GIVEN=1", "VERSION=" + version}, r.Env)
		return r
	}
	vars := map[string]string{"GIVEN": "1"}
	for name, c := range map[string]struct {
		given *bench.Env
		below []string
		same  bool
	}{
		"nothing given":          {nil, []string{}, true},
		"variables":              {&bench.Env{Vars: vars}, []string{"GIVEN=1"}, true},
		"commands by hand":       {&bench.Env{Vars: vars, Dependencies: []string{"tools"}}, []string{"GIVEN=1", "VERSION=1"}, false},
		"no commands, by choice": {&bench.Env{Vars: vars, Dependencies: []string{}}, []string{"GIVEN=1", "VERSION=1"}, false},
	} {
		one, two := recipe(c.given, "1"), recipe(c.given, "2")
		require.Equal(t, c.below, one.Parent.Env, name)
		require.Equal(t, c.below, one.Parent.Parent.Env, name)
		require.Equal(t, c.same, harness.Digest(*one.Parent) == harness.Digest(*two.Parent), name)
	}
}
