package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents"
)

// oneCall is a shell command that asks the model once.
const oneCall = `python3 -c "
import json, os, urllib.request
body = json.dumps({'model': os.environ['ASSAY_MODEL'], 'max_tokens': 50, 'messages': [{'role': 'user', 'content': 'hi'}]}).encode()
urllib.request.urlopen(urllib.request.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', body, {'Content-Type': 'application/json', 'Authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']}))
"`

// TestAgentsCheck: an agent that does what the scripted model says passes, one
// that does not is reported.
func TestAgentsCheck(t *testing.T) {
	w := newWorld(t)
	check := func(command string, more ...string) (int, string) {
		return w.assay(t, append([]string{"agents", "check", "command", "--command", command, "--executor", w.executor, "--cache-dir", w.cache}, more...)...)
	}
	out := filepath.Join(t.TempDir(), "out")
	code, text := check(oneCall+` && sed -i '1s/$/ (checked by assay)/' README.md`, "-o", out)
	require.Equal(t, exitDone, code, text)
	require.Contains(t, text, "ok      calls       1 calls, 7 tokens in, 3 out\n")
	require.FileExists(t, filepath.Join(out, "predictions.jsonl"))
	code, text = check("true")
	require.Equal(t, exitGate, code, text)
	require.Contains(t, text, "FAILED  calls       0 calls")
	require.Contains(t, text, "FAILED  patch       0 bytes")
	script := filepath.Join(t.TempDir(), "script.yaml")
	require.NoError(t, os.WriteFile(script, []byte("- {status: 400, message: too long}\n- {final: Done.}\n"), 0o644))
	code, text = check(oneCall, "--script", script)
	require.Equal(t, exitGate, code, text)
	require.Contains(t, text, "FAILED  end")
	require.NoError(t, os.WriteFile(script, []byte("- {dance: 1}\n"), 0o644))
	code, text = check(oneCall, "--script", script)
	require.Equal(t, exitUsage, code, text)
	require.Contains(t, text, "dance")
	code, text = check("true", "--provider", "nobody")
	require.Equal(t, exitUsage, code, text)
	require.Contains(t, text, "--provider nobody: command cannot talk to it")
}

// TestDocumentedAdapter: the example of docs/agents.md is a whole adapter.
func TestDocumentedAdapter(t *testing.T) {
	text, err := os.ReadFile("../../docs/agents.md")
	require.NoError(t, err)
	_, example, found := strings.Cut(string(text), "```yaml\n")
	require.True(t, found)
	example, _, found = strings.Cut(example, "```")
	require.True(t, found)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.yaml"), []byte(example), 0o644))
	list, err := agents.Load(dir)
	require.NoError(t, err)
	require.Len(t, list, 1)
	protocol, ok := list[0].Protocol("openai")
	require.True(t, ok)
	require.Equal(t, "chat", protocol)
}
