package agents

import (
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents/adapter"
	"assay/languages"
)

// TestPackages: an installation includes the tools that it needs, unless the
// machine has its own.
func TestPackages(t *testing.T) {
	python := languages.Interpreter{Version: "3.12", Packages: []string{"python3.12"}}
	tests := map[string]struct {
		install adapter.Install
		want    []string
	}{
		"nothing":      {adapter.Install{}, []string{"python3.12", "ca-certificates"}},
		"Python":       {adapter.Install{Python: []string{"3.12"}}, []string{"python3.12", "ca-certificates", "python3", "python3-venv", "patchelf", "libstdc++6"}},
		"Node":         {adapter.Install{Node: "22.0.0", Packages: []string{"ripgrep"}}, []string{"ripgrep", "python3.12", "ca-certificates", "npm"}},
		"a repository": {adapter.Install{Source: &adapter.Source{Repo: "a/b", Commit: "c"}}, []string{"python3.12", "ca-certificates", "git"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, tt.want, packages(tt.install, python, false))
			require.Equal(t, tt.install.Packages, packages(tt.install, python, true))
		})
	}
}
