package scripted

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/internal/decoded"

	"github.com/stretchr/testify/require"

	"assay/llm"
)

func start(t *testing.T, script string) *Server {
	t.Helper()
	parsed, err := Parse([]byte(script))
	require.NoError(t, err)
	s, err := New(parsed)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func post(t *testing.T, s *Server, path, body string) (int, map[string]any, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	data, err := io.ReadAll(res.Body)
	require.NoError(t, res.Body.Close())
	var out map[string]any
	_ = json.Unmarshal(data, &out) // a stream is not JSON
	return res.StatusCode, out, err
}

// TestToolsOfAgents: the shell, reading and editing reach the tools that the
// command lines have.
func TestToolsOfAgents(t *testing.T) {
	text := map[string]any{"type": "string"}
	tl := func(names ...string) tool {
		properties, required := map[string]any{}, []any{}
		for _, name := range names {
			properties[name] = text
			required = append(required, name)
		}
		return tool{schema: map[string]any{"properties": properties, "required": required}}
	}
	array := tl("command")
	decoded.Object(decoded.Object(array.schema["properties"]))["command"] = map[string]any{"type": "array"}
	s := &Server{script: Script{Dir: "/work"}}
	edit := Act{Edit: &Edit{Path: "a.py", Old: "x", New: "y"}}
	tests := map[string]struct {
		act   Act
		tools map[string]tool
		want  calling
	}{
		"claude shell":   {Act{Shell: "ls"}, map[string]tool{"Bash": tl("command", "description")}, calling{name: "Bash", args: map[string]any{"command": "ls", "description": "run a command"}}},
		"claude read":    {Act{Read: "a.py"}, map[string]tool{"Read": tl("file_path")}, calling{name: "Read", args: map[string]any{"file_path": "/work/a.py"}}},
		"claude edit":    {edit, map[string]tool{"Edit": tl("file_path", "old_string", "new_string")}, calling{name: "Edit", args: map[string]any{"file_path": "/work/a.py", "old_string": "x", "new_string": "y"}}},
		"codex shell":    {Act{Shell: "ls"}, map[string]tool{"exec_command": tl("cmd")}, calling{name: "exec_command", args: map[string]any{"cmd": "ls"}}},
		"codex in code":  {Act{Shell: "ls"}, map[string]tool{"exec": {custom: true}}, calling{name: "exec", custom: true, input: `const r = await tools.exec_command({cmd: "ls"}); text(r.output);`}},
		"gemini edit":    {edit, map[string]tool{"replace": tl("file_path", "old_string", "new_string", "instruction")}, calling{name: "replace", args: map[string]any{"file_path": "/work/a.py", "old_string": "x", "new_string": "y", "instruction": "change it"}}},
		"gemini shell":   {Act{Shell: "ls"}, map[string]tool{"run_shell_command": tl("command")}, calling{name: "run_shell_command", args: map[string]any{"command": "ls"}}},
		"openhands edit": {edit, map[string]tool{"file_editor": tl("command", "path", "old_str", "new_str", "security_risk")}, calling{name: "file_editor", args: map[string]any{"command": "str_replace", "path": "/work/a.py", "old_str": "x", "new_str": "y", "security_risk": "LOW"}}},
		"array":          {Act{Shell: "ls"}, map[string]tool{"shell": array}, calling{name: "shell", args: map[string]any{"command": []any{"bash", "-lc", "ls"}}}},
		"read by shell":  {Act{Read: "a b.py"}, map[string]tool{"bash": tl("command")}, calling{name: "bash", args: map[string]any{"command": "cat '/work/a b.py'"}}},
		"by name":        {Act{Call: &Call{Name: "odd", Args: map[string]any{"a": 1}}}, map[string]tool{"odd": tl("a")}, calling{name: "odd", args: map[string]any{"a": 1}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, s.resolve(tt.act, tt.tools)) })
	}
}

// TestEditsByShell runs what agents without an editing tool get.
func TestEditsByShell(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a 'file'.py")
	run := func(command string) error {
		return exec.CommandContext(t.Context(), "sh", "-c", command).Run()
	}
	require.NoError(t, run(heredoc(file, "a = 'x'\nb = \"$HOME\"\n")))
	require.NoError(t, run(replacing(file, Edit{Old: "'x'\nb", New: `'\n&'` + "\nc"})))
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "a = '\\n&'\nc = \"$HOME\"\n", string(got))
	require.Error(t, run(replacing(file, Edit{Old: "nowhere", New: "y"})))
}

func TestFinal(t *testing.T) {
	tests := map[string]struct{ tools, want string }{
		"text":  {`[{"name":"Bash","input_schema":{}},{"name":"Read","input_schema":{}}]`, `"text":"all done"`},
		"mini":  {`[{"name":"bash","input_schema":{"properties":{"command":{"type":"string"}}}}]`, `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT`},
		"hands": {`[{"name":"terminal"},{"name":"finish","input_schema":{"properties":{"message":{}}}}]`, `"message":"all done"`},
		"swe":   {`[{"name":"bash"},{"name":"submit","input_schema":{"properties":{}}}]`, `"name":"submit"`},
	}
	for name, tt := range tests {
		s := start(t, "- final: all done")
		_, answer, err := post(t, s, "/v1/messages", `{"model":"m","tools":`+tt.tools+`,"messages":[{"role":"user","content":"u"}]}`)
		require.NoError(t, err)
		data, err := json.Marshal(answer)
		require.NoError(t, err)
		require.Contains(t, string(data), tt.want, name)
	}
}

// TestSteps: the position in the script is read from the conversation: examples
// that agents put into it do not count.
func TestSteps(t *testing.T) {
	s := start(t, "- say: one\n- shell: ls\n- final: done\n")
	ask := func(messages string) string {
		_, answer, err := post(t, s, "/v1/chat/completions", `{"model":"m","tools":[{"type":"function","function":{"name":"bash"}},{"type":"function","function":{"name":"x"}}],"messages":[`+messages+`]}`)
		require.NoError(t, err)
		data, err := json.Marshal(decoded.Object(decoded.List(answer["choices"])[0])["message"])
		require.NoError(t, err)
		return string(data)
	}
	example := `{"role":"user","content":"q"},{"role":"assistant","content":"an example"},`
	require.Contains(t, ask(example+`{"role":"user","content":"u"}`), `"one"`)
	more := example + `{"role":"user","content":"u"},{"role":"assistant","content":" one "},{"role":"user","content":"go on"}`
	require.Contains(t, ask(more), `ls`)
	require.Contains(t, ask(more), `ls`, "the same again for the same request")
	more += `,{"role":"assistant","content":null,"tool_calls":[{"id":"a"},{"id":"b"}]},{"role":"tool","tool_call_id":"a","content":"x"}`
	require.Contains(t, ask(more), `"done"`)
	require.Contains(t, ask(more+`,{"role":"assistant","content":"done"},{"role":"user","content":"again"}`), `"done"`, "after the end its last answer")
	require.Equal(t, 40+41+41+42+43, s.Billed().Output)
}

func TestFaults(t *testing.T) {
	s := start(t, "- status: 429\n  retry_after: '7'\n- drop: true\n- say: fine\n- status: 402\n")
	ask := func(first, more string) (int, error) {
		status, _, err := post(t, s, "/v1/messages", `{"messages":[{"role":"user","content":"`+first+`"}`+more+`]}`)
		return status, err
	}
	for _, first := range []string{"a", "b"} {
		status, err := ask(first, "")
		require.NoError(t, err)
		require.Equal(t, 429, status)
	}
	_, err := ask("a", "")
	require.Error(t, err)
	for range 2 {
		status, err := ask("a", "")
		require.NoError(t, err)
		require.Equal(t, 200, status)
		status, err = ask("a", `,{"role":"assistant","content":"fine"},{"role":"user","content":"more"}`)
		require.NoError(t, err)
		require.Equal(t, 402, status, "faults at the end are for ever")
	}
}

func TestSideCalls(t *testing.T) {
	s := start(t, "- shell: ls\n- edit: {path: a.py, old: x, new: y}\n")
	_, answer, err := post(t, s, "/v1/messages", `{"messages":[{"role":"user","content":"a title, please"}]}`)
	require.NoError(t, err)
	require.Equal(t, "A small change.", textOf(answer["content"]))
	_, answer, err = post(t, s, "/v1/messages", `{"system":"answer with SEARCH/REPLACE blocks","messages":[{"role":"user","content":"u"}]}`)
	require.NoError(t, err)
	require.Equal(t, "a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n", textOf(answer["content"]))
	_, answer, err = post(t, s, "/v1beta/models/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"which model?"}]}],
		"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"properties":{"choice":{"enum":["pro"]},"n":{"type":"integer"}},"required":["choice","n"]}}}`)
	require.NoError(t, err)
	data, err := json.Marshal(answer)
	require.NoError(t, err)
	require.Contains(t, string(data), `{\"choice\":\"pro\",\"n\":1}`)
}

func TestKey(t *testing.T) {
	s := start(t, "- say: fine\n")
	s.Key = "k"
	status, _, err := post(t, s, "/v1/responses", `{"input":"u"}`)
	require.NoError(t, err)
	require.Equal(t, 401, status)
	require.Equal(t, 401, s.Requests()[0].Status)
	status, _, err = post(t, s, "/v1beta/models/m:generateContent?key=k", `{}`)
	require.NoError(t, err)
	require.Equal(t, 200, status)
}

func TestParse(t *testing.T) {
	s, err := Parse([]byte("dir: /w\nacts:\n- say: hi\n  wait: 20ms\n  usage: {input: 5, output: 7}\n- call: {name: f, args: {a: [1]}}\n"))
	require.NoError(t, err)
	require.Equal(t, "/w", s.Dir)
	require.Equal(t, 20*time.Millisecond, s.Acts[0].Wait)
	require.Equal(t, &llm.Usage{Input: 5, Output: 7}, s.Acts[0].Usage)
	require.Equal(t, "f", s.Acts[1].Call.Name)
	for text, want := range map[string]string{
		"":                    "it is empty",
		"- mood: good\n":      `unknown field "mood"`,
		"- wait: 5s\n":        "act 1 does nothing",
		"- status: 200\n":     "status 200 is not an error",
		"acts: []\n":          "it has no acts",
		"dir: /x\nother: 1\n": `unknown field "other"`,
	} {
		_, err := Parse([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// FuzzParse: no script makes it panic, and what it takes can be served.
func FuzzParse(f *testing.F) {
	f.Add([]byte("- say: hi\n- status: 429\n- edit: {path: a, old: b, new: c}\n"))
	f.Add([]byte("dir: /w\nacts:\n- shell: ls\n  think: x\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := Parse(in)
		if err != nil {
			return
		}
		turns, after := s.turns()
		n := len(after)
		for _, turn := range turns {
			n += 1 + len(turn.faults)
		}
		require.Equal(t, len(s.Acts), n)
	})
}

// FuzzRequest: no request makes the server panic.
func FuzzRequest(f *testing.F) {
	f.Add(`{"messages":[{"role":"assistant","content":[{"type":"tool_use"}]}],"tools":[{"name":"x"}],"input":[{"type":"custom_tool_call"}],"contents":[{"parts":[{"functionCall":{}}]}]}`)
	f.Fuzz(func(t *testing.T, in string) {
		var body map[string]any
		if json.Unmarshal([]byte(in), &body) != nil {
			return
		}
		s := &Server{script: Script{Acts: []Act{{Shell: "ls"}}}, given: map[string]int{}}
		s.turns, s.after = s.script.turns()
		for _, v := range []voice{chatVoice(), responsesVoice(), messagesVoice(), generateVoice("m", false, false)} {
			talk := v.read(body)
			said := s.speech(s.turns[0].answer, talk, talk.step(s.said()))
			require.NotNil(t, said)
		}
	})
}

// TestInOrder: requests get the answers one after the other, regardless of their
// content, and faults come before the answer that follows them.
func TestInOrder(t *testing.T) {
	s, err := New(Script{InOrder: true, Acts: []Act{{Say: "one"}, {Status: 529}, {Say: "two"}}})
	require.NoError(t, err)
	defer s.Close()
	ask := func() (int, string) {
		body := strings.NewReader(`{"model": "m", "messages": [{"role": "user", "content": "hi"}]}`)
		res, err := http.Post(s.URL+"/v1/chat/completions", "application/json", body)
		require.NoError(t, err)
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		return res.StatusCode, string(text)
	}
	for _, want := range []struct {
		status int
		text   string
	}{{200, "one"}, {529, ""}, {200, "two"}, {200, "two"}} {
		status, text := ask()
		require.Equal(t, want.status, status)
		require.Contains(t, text, want.text)
	}
	_, err = Parse([]byte("in_order: true\nacts:\n- {say: x}\n"))
	require.NoError(t, err)
}
