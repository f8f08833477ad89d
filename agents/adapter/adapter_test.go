package adapter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/harness"
)

const plain = `name: mine
version: 1.2.3
install:
  node: 22.0.0
  npm: [mine@1.2.3]
  check: mine --version
speaks:
  - protocol: chat
    env: {KEY: "{{key}}", URL: "{{url}}/v1"}
command: [mine, "--model={{agent_model}}"]
prompt:
  argument: ["{{prompt}}"]
`

// TestParseErrors: what is wrong is named with file, line and field.
func TestParseErrors(t *testing.T) {
	tests := map[string]struct{ old, new, want string }{
		"unknown field":       {"command:", "comand:", "unknown field \"comand\""},
		"not YAML":            {"prompt:", "prompt: [", "a.yaml"},
		"a tag without value": {plain, "!!binary", "a.yaml: "},
		"empty":               {plain, "", "a.yaml: it is empty"},
		"name":                {"name: mine", "name: My Agent", `a.yaml:1: name: "My Agent": expected small letters, digits, dots and hyphens`},
		"no command":          {`command: [mine, "--model={{agent_model}}"]`, "", "a.yaml:1: command: expected a program with its arguments"},
		"no prompt":           {`  argument: ["{{prompt}}"]`, "  stdin: false", "a.yaml:12: prompt: expected at least one of argument, file and stdin"},
		"argument":            {`"{{prompt}}"`, "--ask", "a.yaml:12: prompt.argument: expected {{prompt}} in one of the arguments"},
		"file":                {`argument: ["{{prompt}}"]`, "file: [--ask]", "a.yaml:12: prompt.file: expected {{prompt_file}} in one of the arguments, or {{prompt_json}} in one of the files"},
		"protocol":            {"protocol: chat", "protocol: telnet", `a.yaml:8: speaks[0].protocol: "telnet": expected one of chat, responses, messages, generate`},
		"unknown name":        {"--model={{agent_model}}", "--model={{modl}}", "a.yaml:10: command[1]: {{modl}} is not known: expected one of agent_model, "},
		"name in install":     {"check: mine --version", `check: "mine {{key}}"`, "a.yaml:6: install.check: {{key}} is not known: expected one of dir"},
		"prompt elsewhere":    {"URL: ", `P: "{{prompt}}", URL: `, "a.yaml:9: speaks[0].env.P: {{prompt}} is not known"},
		"unpinned npm":        {"mine@1.2.3", "mine", `a.yaml:5: install.npm[0]: "mine": expected a package with one version, name@1.2.3`},
		"a range":             {"mine@1.2.3", "mine@^1", `a.yaml:5: install.npm[0]: "mine@^1"`},
		"npm without node":    {"node: 22.0.0", "script: echo", "a.yaml:4: install.node: expected the version of Node"},
		"pip without python":  {"node: 22.0.0", "pip: [a==1]", "install.python: expected the versions of Python"},
		"unpinned pip":        {"node: 22.0.0", "node: 22.0.0\n  python: ['3.12']\n  pip: [a>=1]", `a.yaml:6: install.pip[0]: "a>=1": expected a package with one version, name==1.2`},
		"half a source":       {"node: 22.0.0", "node: 22.0.0\n  source: {repo: a/b}", "install.source: expected repo and commit"},
		"check, no version":   {"version: 1.2.3\n", "", "install.check: expected a version to check for"},
		"exit":                {"command:", "exits: {3: broken}\ncommand:", `exits.3: "broken": expected done, gave_up, context_window, refused or infrastructure`},
		"an end":              {"command:", "ends: [{match: x, end: broken}]\ncommand:", `ends[0].end: "broken": expected done, `},
		"an end, no words":    {"command:", "ends: [{end: done}]\ncommand:", `a.yaml:10: ends[0]: expected match, a regular expression`},
		"an end's words":      {"command:", "ends: [{match: '(', end: done}]\ncommand:", `ends[0].match: error parsing regexp`},
		"an end's file":       {"command:", "ends: [{file: log, match: x, end: done}]\ncommand:", `ends[0].file: "log": expected an absolute path`},
		"a relative file":     {"command:", "files: [{path: x, text: y}]\ncommand:", `files[0].path: "x": expected an absolute path`},
		"a relative log":      {"command:", "logs: [log]\ncommand:", `logs[0]: "log": expected an absolute path`},
		"mode":                {"command:", "files: [{path: /x, text: y, mode: rw}]\ncommand:", `files[0].mode: "rw": expected octal permissions`},
	}
	_, err := Parse("a.yaml", []byte(plain))
	require.NoError(t, err)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(plain, tt.old, tt.new, 1)
			require.NotEqual(t, plain, text)
			_, err := Parse("a.yaml", []byte(text))
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, "a.yaml")
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(plain))
	f.Add([]byte("name: [a"))
	f.Add([]byte("!!binary"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Parse("f.yaml", data)
		if err != nil {
			require.ErrorContains(t, err, "f.yaml")
			return
		}
		for _, s := range append([]Speech{{}}, a.Speaks...) {
			_, err := a.Call(setting("p"), s)
			require.NoError(t, err)
		}
	})
}

func setting(prompt string) Setting {
	return Setting{
		Dir: "/opt/agent", State: "/state", Home: "/root", Root: "/testbed", Provider: "openai", Model: "gpt-x/1", URL: "http://127.0.0.1:1", Key: "k", Prompt: prompt, Attempt: 2,
	}
}

// TestCallPrompt: short prompts go as an argument, long ones by file or
// standard input, and what has no other way is an error.
func TestCallPrompt(t *testing.T) {
	long := strings.Repeat("x", longPrompt+1)
	argument, file := []string{"--ask={{prompt}}"}, []string{"-f", "{{prompt_file}}"}
	tests := map[string]struct {
		prompt Prompt
		text   string
		want   string
	}{
		"argument":             {Prompt{Argument: argument, Stdin: true}, "p", `a --ask="$(cat /state/prompt)" </dev/null`},
		"long, by input":       {Prompt{Argument: argument, Stdin: true, StdinArgs: []string{"-"}}, long, `a - </state/prompt`},
		"long, by file":        {Prompt{Argument: argument, File: file, Stdin: true}, long, `a -f /state/prompt </dev/null`},
		"file, short as well":  {Prompt{File: file}, "p", `a -f /state/prompt </dev/null`},
		"input, short as well": {Prompt{Stdin: true}, "p", `a </state/prompt`},
		"at the limit":         {Prompt{Argument: argument, Stdin: true}, long[1:], `a --ask="$(cat /state/prompt)" </dev/null`},
		"words around":         {Prompt{Argument: []string{"it's {{prompt}}; {{root}}"}}, "p", `a 'it'\''s '"$(cat /state/prompt)"'; /testbed' </dev/null`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := Adapter{Name: "a", Command: []string{"a"}, Prompt: tt.prompt}.Call(setting(tt.text), Speech{})
			require.NoError(t, err)
			require.Equal(t, tt.want+"\n", c.Script)
			require.Equal(t, harness.File{Path: "/state/prompt", Data: []byte(tt.text)}, c.Files[len(c.Files)-1])
		})
	}
	_, err := Adapter{Name: "a", Command: []string{"a"}, Prompt: Prompt{Argument: argument}}.Call(setting(long), Speech{})
	require.EqualError(t, err, "a takes its prompt as an argument only, and this one has 100001 bytes: at most 100000 are possible")
}

// TestCallFills: values are in commands, variables and files; a protocol's own
// variables win.
func TestCallFills(t *testing.T) {
	a := Adapter{
		Name: "a", Command: []string{"{{dir}}/a", "a b", "", "$x"}, Prompt: Prompt{Stdin: true}, Env: map[string]string{"B": "{{attempt}}", "A": "1", "MODEL": "{{model}}"},
		Files: []File{{Path: "{{state}}/conf", Text: "model = {{agent_model}}\n", Mode: "600"}}, Logs: []string{"{{home}}/log/*"},
	}
	s := Speech{Model: "{{provider}}/{{model}}", Env: map[string]string{"A": "{{key}}"}, Files: []File{{Path: "/x", Text: "{{url}} {{=own}} {{prompt_json}}"}}, Args: []string{"-m", "{{agent_model}}"}}
	c, err := a.Call(setting("p"), s)
	require.NoError(t, err)
	require.Equal(t, "/opt/agent/a 'a b' '' '$x' -m openai/gpt-x/1 </state/prompt\n", c.Script)
	require.Equal(t, []string{"A=k", "B=2", "MODEL=gpt-x/1"}, c.Env)
	require.Equal(t, []harness.File{
		{Path: "/state/conf", Data: []byte("model = openai/gpt-x/1\n"), Mode: 0o600}, {Path: "/x", Data: []byte(`http://127.0.0.1:1 {{own}} "p"`)}, {Path: "/state/prompt", Data: []byte("p")},
	}, c.Files)
	require.Equal(t, []string{"/root/log/*"}, c.Logs)
}

func TestSpeech(t *testing.T) {
	a := Adapter{Speaks: []Speech{{Protocol: "responses", Providers: []string{"openai"}}, {Protocol: "chat"}}}
	for provider, c := range map[string]struct {
		offered []string
		want    string
	}{
		"openai": {[]string{"chat", "responses"}, "responses"}, "xai": {[]string{"chat", "responses"}, "chat"}, "anthropic": {[]string{"messages"}, ""}, "nobody": {nil, ""},
	} {
		s, ok := a.Speech(provider, c.offered)
		require.Equal(t, c.want, s.Protocol, provider)
		require.Equal(t, c.want != "", ok, provider)
	}
}

func TestPythonFor(t *testing.T) {
	i := Install{Python: []string{"3.12", "3.11"}}
	v, err := i.PythonFor([]string{"3.10", "3.11"})
	require.NoError(t, err)
	require.Equal(t, "3.11", v)
	_, err = i.PythonFor([]string{"3.9"})
	require.EqualError(t, err, "it needs Python 3.12 or 3.11, and the executor has 3.9")
	_, err = i.PythonFor(nil)
	require.ErrorContains(t, err, "has none")
	v, err = Install{}.PythonFor(nil)
	require.NoError(t, err)
	require.Empty(t, v)
}

// TestScriptRuns: the script of an installation stops at a wrong version.
func TestScriptChecksVersion(t *testing.T) {
	for said, fine := range map[string]bool{"1.2.3": true, "tool 1.2.3 (x)": true, "v1.2.3": true, "1.2.30": false, "11.2.3": false, "1.2": false} {
		a := Adapter{Version: "1.2.3", Install: Install{Check: "echo '" + said + "'"}}
		script := a.Script("", false)
		_, check, found := strings.Cut(script, "said=")
		require.True(t, found)
		file := filepath.Join(t.TempDir(), "s.sh")
		require.NoError(t, os.WriteFile(file, []byte("said="+check), 0o600))
		require.Equal(t, fine, runs(t, file), said)
	}
}
