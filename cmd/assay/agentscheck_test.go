package main

import (
	"fmt"
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

// TestLinkAll: the sample's repositories count before those of the user's folder.
func TestLinkAll(t *testing.T) {
	from, into := t.TempDir(), t.TempDir()
	for _, dir := range []string{from + "/agent+agent", from + "/sample", into + "/sample"} {
		require.NoError(t, os.Mkdir(dir, 0o755))
		require.NoError(t, os.WriteFile(dir+"/name", []byte(filepath.Dir(dir)), 0o600))
	}
	require.NoError(t, linkAll("", into))
	require.NoError(t, linkAll(from, into))
	for name, want := range map[string]string{"agent+agent": from, "sample": into} {
		got, err := os.ReadFile(filepath.Join(into, name, "name"))
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	require.ErrorContains(t, linkAll(from+"/none", into), "reading --repos")
}

// pythonAgent is an adapter for a program in Python that asks the model once.
const pythonAgent = `name: snake
version: 1.0.0
install:
  python: ["%s"]
  check: "{{dir}}/venv/bin/python -c 'import ctypes, sqlite3, ssl; print(\"1.0.0\")'"
speaks:
  - protocol: chat
    env: {OPENAI_API_KEY: "{{key}}", OPENAI_BASE_URL: "{{url}}/v1", ASSAY_MODEL: "{{model}}"}
files:
  - path: "{{state}}/agent.py"
    text: |
      import json, os, ssl, subprocess, sys, urllib.request
      body = json.dumps({'model': os.environ['ASSAY_MODEL'], 'max_tokens': 50, 'messages': [{'role': 'user', 'content': 'hi'}]}).encode()
      urllib.request.urlopen(urllib.request.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', body, {'Content-Type': 'application/json', 'Authorization': 'Bearer ' + os.environ['OPENAI_API_KEY']}))
      text = open('README.md').read().split('\n', 1)
      open('README.md', 'w').write(text[0] + ' (checked by assay)\n' + text[1])
      # It starts itself again, and programs of the task.
      print(subprocess.check_output([sys.executable, '-c', 'import sys; print("runs on", sys.version_info[:2])'], text=True))
      print(subprocess.check_output(['git', 'status', '--short'], text=True))
command: ["{{dir}}/venv/bin/python", "{{state}}/agent.py"]
prompt: {stdin: true}
`

// TestPythonAgentsInContainers: an agent in Python of either Debian works in an
// environment whose Debian is another, with the interpreter that was installed
// with it.
func TestPythonAgentsInContainers(t *testing.T) {
	w := newWorld(t)
	needContainers(t)
	for _, version := range []string{"3.11", "3.13"} {
		t.Run(version, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "snake.yaml"), fmt.Appendf(nil, pythonAgent, version), 0o644))
			out := filepath.Join(dir, "out")
			code, text := w.assay(t, "agents", "check", "snake", "--agents", dir, "--executor", "docker", "--cache-dir", w.cache, "-o", out)
			require.Equal(t, exitDone, code, text)
			logs, err := filepath.Glob(filepath.Join(out, "attempts/*/*/1/output.log"))
			require.NoError(t, err)
			require.Len(t, logs, 1)
			log, err := os.ReadFile(logs[0])
			require.NoError(t, err)
			require.Contains(t, string(log), "runs on ("+strings.ReplaceAll(version, ".", ", ")+")")
		})
	}
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
