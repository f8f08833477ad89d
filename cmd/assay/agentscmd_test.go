package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
	"assay/engine"
)

// TestAgentsShow: what the list names can be shown, and a program's description
// is a file for --agents.
func TestAgentsShow(t *testing.T) {
	var out bytes.Buffer
	a := &app{stdout: &out, parts: engine.Default()}
	require.NoError(t, a.listAgents(agentFlags{}))
	var names []string
	for line := range strings.Lines(out.String()) {
		if cells := strings.Split(line, "│"); len(cells) > 1 && strings.TrimSpace(cells[1]) != "agent" {
			names = append(names, strings.TrimSpace(cells[1]))
		}
	}
	require.Subset(t, names, []string{"gold", "claude-code", "otter", "command", "replay"})
	for _, name := range names {
		out.Reset()
		require.NoError(t, a.showAgent(agentFlags{}, name))
		if strings.HasPrefix(out.String(), "# "+name+" is part of assay: ") {
			continue
		}
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "shown.yaml"), out.Bytes(), 0o600))
		again, err := agents.Load(dir)
		require.NoError(t, err, name)
		require.Len(t, again, 1)
		require.Equal(t, name, again[0].Name())
	}
	require.ErrorContains(t, a.showAgent(agentFlags{}, "nobody"), `agent "nobody" is not known`)
}
