package harness

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	serve := func(net.Conn) {}
	for message, job := range map[string]Job{
		"":                               {Relays: []Relay{{1, serve}, {65535, serve}}, Tree: &TreeQuery{Dir: "/w", Skip: []string{"**/[a]*"}}},
		"no other network":               {Network: true, Relays: []Relay{{80, serve}}},
		"port 0: expected a port":        {Relays: []Relay{{0, serve}}},
		"port 65536: expected a port":    {Relays: []Relay{{65536, serve}}},
		"port 80: there are two":         {Relays: []Relay{{80, serve}, {80, serve}}},
		"port 80: nothing serves it":     {Relays: []Relay{{Port: 80}}},
		`"w": not an absolute path`:      {Tree: &TreeQuery{Dir: "w"}},
		`"/w\x00": not an absolute path`: {Tree: &TreeQuery{Dir: "/w\x00"}},
		"a limit of -1 bytes":            {Tree: &TreeQuery{Dir: "/w", Limit: -1}},
		`skipping "a/[": syntax error`:   {Tree: &TreeQuery{Dir: "/w", Skip: []string{"a/["}}},
	} {
		err := job.Validate()
		if message == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, message)
	}
}
