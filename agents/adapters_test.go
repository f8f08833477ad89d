package agents

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/agents/adapter"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestAdapters shows, for every agent that comes with assay, how it is installed
// and called: with each protocol, and with a short and a long prompt.
func TestAdapters(t *testing.T) {
	all, err := CLIs()
	require.NoError(t, err)
	require.NotEmpty(t, all)
	for _, c := range all {
		t.Run(c.Name(), func(t *testing.T) {
			require.NotEmpty(t, c.Adapter.Title)
			require.NotEmpty(t, c.Adapter.Version)
			require.NotEmpty(t, c.Adapter.Install.Check, "the version is checked")
			file := filepath.Join("testdata", "adapters", c.Name()+".golden")
			got := shown(t, c.Adapter)
			if *update {
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// shown is an adapter as what it does.
func shown(t *testing.T, a adapter.Adapter) string {
	var b strings.Builder
	fmt.Fprintf(&b, "== install\n%s", a.Script("/usr/bin/python3.12", false))
	for _, s := range a.Speaks {
		for _, prompt := range []string{"Fix it.", strings.Repeat("Fix it.", 20000)} {
			set := adapter.Setting{
				Dir: adapter.Dir, State: stateDir, Home: homeDir, Root: "/testbed", Provider: "provider", Model: "some-model-1",
				URL: fmt.Sprintf("http://127.0.0.1:%d", port), Key: "dummy", Prompt: prompt, Attempt: 1,
			}
			c, err := a.Call(set, s)
			if len(prompt) > 100 {
				fmt.Fprintf(&b, "-- %s, a prompt of %d bytes\n%s", s.Protocol, len(prompt), c.Script)
				if err != nil {
					fmt.Fprintf(&b, "error: %v\n", err)
				}
				continue
			}
			require.NoError(t, err)
			fmt.Fprintf(&b, "== %s\n%s%s\n", s.Protocol, c.Script, strings.Join(c.Env, "\n"))
			for _, f := range c.Files {
				fmt.Fprintf(&b, "-- %s\n%s\n", f.Path, strings.TrimSuffix(string(f.Data), "\n"))
			}
			fmt.Fprintf(&b, "-- logs\n%s\n", strings.Join(c.Logs, "\n"))
		}
	}
	return b.String()
}

// TestProtocols: which providers' models an agent can be given.
func TestProtocols(t *testing.T) {
	want := map[string][3]string{ // openai, anthropic, gemini
		"aider":          {"chat", "messages", "generate"},
		"claude-code":    {"", "messages", ""},
		"codex":          {"responses", "", ""},
		"gemini-cli":     {"", "", "generate"},
		"mini-swe-agent": {"chat", "messages", "generate"},
		"opencode":       {"responses", "messages", "generate"},
		"openhands":      {"chat", "", ""},
		"qwen-code":      {"chat", "", ""},
		"swe-agent":      {"chat", "messages", ""},
		"swe-agent-plus": {"chat", "messages", ""},
	}
	all, err := CLIs()
	require.NoError(t, err)
	for _, c := range all {
		var got [3]string
		for i, provider := range []string{"openai", "anthropic", "gemini"} {
			got[i], _ = c.Protocol(provider)
		}
		require.Equal(t, want[c.Name()], got, c.Name())
		delete(want, c.Name())
		_, ok := c.Protocol("nobody")
		require.False(t, ok)
	}
	require.Empty(t, want)
}

// TestSWEAgentPlus: it is SWE-agent except for how it submits, so that both have
// one installation and change together.
func TestSWEAgentPlus(t *testing.T) {
	plain, plus := lookup(t, "swe-agent").Adapter, lookup(t, "swe-agent-plus").Adapter
	require.Equal(t, []string{"testgen"}, plus.Kinds)
	require.Equal(t, plain.Install, plus.Install)
	head, rest, found := strings.Cut(plus.Files[0].Text, "src/tools/review_on_submit_m\n")
	require.True(t, found)
	_, rest, found = strings.Cut(rest, "submit again right away.\n")
	require.True(t, found)
	plus.Files[0].Text = head + "src/tools/submit\n" + rest
	plus.Name, plus.Title, plus.Notes, plus.Kinds = plain.Name, plain.Title, plain.Notes, plain.Kinds
	require.Equal(t, plain, plus)
}

// TestLoad reads a user's folder; mistakes name the file.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("b.yaml", "name: b\ncommand: [b]\nprompt: {stdin: true}\n")
	write("a.yaml", "name: a\ncommand: ['{{dir}}/own/run']\nprompt: {stdin: true}\ninstall: {folder: tools}\n")
	write("notes.txt", "not read")
	got, err := Load(dir)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Equal(t, []string{"a", "b"}, []string{got[0].Name(), got[1].Name()})
	require.False(t, got[0].NeedsModel())
	require.Equal(t, filepath.Join(dir, "tools"), got[0].own())

	write("c.yaml", "name: b\ncommand: [b]\nprompt: {stdin: true}\n")
	_, err = Load(dir)
	require.ErrorContains(t, err, `c.yaml: agent "b" is in b.yaml already`)
	write("c.yaml", "name: c\nprompt: {stdin: true}\n")
	_, err = Load(dir)
	require.ErrorContains(t, err, "c.yaml:1: command: expected")
	_, err = Load(filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "reading agents")
}

// TestDigest: what an agent does is in its digest, its folder's content too.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.sh")
	require.NoError(t, os.WriteFile(file, []byte("echo 1\n"), 0o700))
	a, err := Command("./run.sh", dir)
	require.NoError(t, err)
	b, err := Command("./other.sh", dir)
	require.NoError(t, err)
	first := a.Digest()
	require.NotEqual(t, first, b.Digest())
	require.NoError(t, os.WriteFile(file, []byte("echo 2\n"), 0o700))
	require.NotEqual(t, first, a.Digest())
	require.NoError(t, os.WriteFile(file, []byte("echo 1\n"), 0o700))
	require.Equal(t, first, a.Digest())
	_, err = Command("", "")
	require.ErrorContains(t, err, "needs a command")
}
