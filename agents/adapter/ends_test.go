package adapter

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnd: the first ending whose words are in its file, or in what was printed,
// counts; else the exit code.
func TestEnd(t *testing.T) {
	a := Adapter{
		Command: []string{"x"}, Prompt: Prompt{Stdin: true}, Logs: []string{"{{state}}/log.json"}, Exits: map[int]string{3: "refused"},
		Ends: []Ending{
			{File: "{{state}}/*.traj", Match: `"status": "(stuck|broken)"`, End: "gave_up"},
			{Match: `^too long:.*`, End: "context_window"},
		},
	}
	c, err := a.Call(Setting{State: "/state"}, Speech{})
	require.NoError(t, err)
	require.Equal(t, []string{"/state/log.json", "/state/*.traj"}, c.Logs)
	stuck := map[string][]byte{"/state/b.traj": []byte(`{"status": "stuck"}`), "/state/c.traj": []byte(`{"status": "broken"}`)}
	for name, tt := range map[string]struct {
		code        int
		said        Said
		end, detail string
	}{
		"nothing":             {0, Said{}, "done", ""},
		"a code":              {3, Said{}, "refused", "exit code 3"},
		"another code":        {4, Said{}, "gave_up", "exit code 4"},
		"in a file":           {0, Said{Files: stuck, Output: []byte("too long: x")}, "gave_up", "it says: stuck"},
		"in another file":     {0, Said{Files: map[string][]byte{"/state/log.json": []byte(`"status": "stuck"`)}}, "done", ""},
		"printed":             {1, Said{Output: []byte("a\ntoo long:\t5 > \x1b[2J4 \xff\nb")}, "context_window", "it says: too long: 5 > [2J4"},
		"not at a line's end": {1, Said{Output: []byte("not too long: 5")}, "gave_up", "exit code 1"},
		"many words":          {0, Said{Output: []byte("too long:" + strings.Repeat("x", 1000))}, "context_window", "it says: too long:" + strings.Repeat("x", mostWords-len("too long:"))},
	} {
		t.Run(name, func(t *testing.T) {
			end, detail := c.End(tt.code, tt.said)
			require.Equal(t, tt.end, end)
			require.Equal(t, tt.detail, detail)
		})
	}
}

func FuzzEnd(f *testing.F) {
	f.Add("^x.*", []byte("x\x1b\n"))
	f.Add("(", []byte(nil))
	f.Fuzz(func(t *testing.T, match string, text []byte) {
		a := Adapter{Ends: []Ending{{Match: match, End: "gave_up"}}}
		if a.endProblem() != nil {
			return
		}
		_, detail := Call{ends: a.Ends}.End(0, Said{Output: text})
		require.NotContains(t, detail, "\n")
		require.NotContains(t, detail, "\x1b")
		require.LessOrEqual(t, len(detail), mostWords+len("it says: "))
	})
}
