package trajectory

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/internal/decoded"

	"github.com/stretchr/testify/require"

	"assay/llm/scripted"
)

func protocols() []string { return []string{"chat", "responses", "messages", "generate"} }

func call(command string) *scripted.Call {
	return &scripted.Call{Name: "bash", Args: map[string]any{"command": command}}
}

func meta() Meta {
	return Meta{Agent: "small", Version: "1.0", Model: "test/m", Session: "task-1/1"}
}

// fixed takes out of a trajectory what changes from run to run.
func fixed(t *testing.T, tr Trajectory) string {
	t.Helper()
	data, err := tr.JSON()
	require.NoError(t, err)
	data = regexp.MustCompile(`"timestamp": "[^"]*"`).ReplaceAll(data, []byte(`"timestamp": "2026-01-02T03:04:05Z"`))
	return string(regexp.MustCompile(`"seconds": [0-9.e-]+`).ReplaceAll(data, []byte(`"seconds": 1.5`)))
}

// TestSamePathInAllProtocols: the same work gives the same trajectory, that of the
// golden file, in all protocols.
func TestSamePathInAllProtocols(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{
		{Say: "I look around.", Think: "which files are there?", Call: call("ls")},
		{Say: "Now the fix.", Call: call("sed -i s/a/b/ x.py")},
		{Say: "All done."},
	}}
	for _, protocol := range protocols() {
		t.Run(protocol, func(t *testing.T) {
			a, record := newAgent(t, protocol, false, script)
			a.outputs["ls"] = "x.py\ny.py"
			a.start("You fix things.", "Fix x.py, please.")
			a.work(3)
			tr, err := FromExchanges(meta(), record())
			require.NoError(t, err)
			golden(t, "path.json", fixed(t, tr))
			swe, err := tr.SWEAgent(Ending{ExitStatus: "submitted", Patch: "diff --git a/x.py b/x.py\n"})
			require.NoError(t, err)
			golden(t, "path.traj", regexp.MustCompile(`"model_seconds": [0-9.e-]+`).ReplaceAllString(string(swe), `"model_seconds": 1.5`))
			sample, err := tr.Inspect(Sample{ID: "task-1", Epoch: 1, Input: "Fix x.py, please.", Metadata: map[string]any{"end": "done"}})
			require.NoError(t, err)
			golden(t, "path.sample.json", string(sample))
		})
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// outline is a trajectory in short.
func outline(tr Trajectory) []string {
	var out []string
	for _, s := range tr.Steps {
		line := string(s.Source) + ": " + s.Message.String()
		for _, c := range s.ToolCalls {
			line += " -> " + decoded.Text(c.Arguments["command"])
		}
		if s.Observation != nil {
			for _, r := range s.Observation.Results {
				if r.Content != nil {
					line += " = " + r.Content.String()
				}
				for _, sub := range r.Subagents {
					line += " @" + sub.TrajectoryID
				}
			}
		}
		out = append(out, line)
	}
	return out
}

// TestStreamsTheSame: a record of streams gives the same steps.
func TestStreamsTheSame(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{{Say: "I look around.", Think: "hm", Call: call("ls")}}}
	for _, protocol := range protocols() {
		var seen []string
		for _, stream := range []bool{false, true} {
			a, record := newAgent(t, protocol, stream, script)
			a.start("s", "u")
			status, _ := a.ask()
			require.Equal(t, 200, status)
			tr, err := FromExchanges(meta(), record())
			require.NoError(t, err)
			seen = append(seen, fixed(t, tr))
		}
		require.Equal(t, seen[0], seen[1], protocol)
	}
}

// TestTextTurns: a conversation without tools, with a second question.
func TestTextTurns(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{{Say: "first answer"}, {Say: "second answer"}}}
	for _, protocol := range protocols() {
		a, record := newAgent(t, protocol, false, script)
		a.start("be brief", "question")
		a.work(1)
		a.says("another question")
		a.work(1)
		tr, err := FromExchanges(meta(), record())
		require.NoError(t, err)
		require.Equal(t, []string{"system: be brief", "user: question", "agent: first answer", "user: another question", "agent: second answer"}, outline(tr), protocol)
	}
}

// TestAskedAgain: an agent that repeats a failed request makes no new step, and
// the failure is there once.
func TestAskedAgain(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{
		{Call: call("ls")}, {Status: 400, Message: "no such thing"}, {Status: 400, Message: "no such thing"}, {Say: "done"},
	}}
	for _, protocol := range protocols() {
		a, record := newAgent(t, protocol, false, script)
		a.outputs["ls"] = "x.py"
		a.start("s", "u")
		a.work(1)
		for range 2 {
			status, _ := a.ask()
			require.Equal(t, 400, status)
		}
		a.work(1)
		tr, err := FromExchanges(meta(), record())
		require.NoError(t, err)
		require.Equal(t, []string{
			"system: s", "user: u", "agent:  -> ls = x.py",
			"system: The call of the model failed: test: invalid_request (HTTP 400): no such thing", "agent: done",
		}, outline(tr), protocol)
		require.Equal(t, 2, tr.Steps[3].Extra["times"])
		require.Equal(t, int64(4), tr.FinalMetrics.Extra["model_calls"])
	}
}

// TestSubagentAndSideCall: a title, and an agent that another one started.
func TestSubagentAndSideCall(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{{Say: "I ask for help.", Call: call("find every caller of f")}, {Say: "All is well."}}}
	for _, protocol := range protocols() {
		t.Run(protocol, func(t *testing.T) {
			a, record := newAgent(t, protocol, false, script)
			a.start("write a title", "Fix x.py, please.")
			delete(a.body, "tools")
			status, _ := a.ask()
			require.Equal(t, 200, status)

			a.start("You fix things.", "Fix x.py, please.")
			status, answer := a.ask()
			require.Equal(t, 200, status)
			main := a.body

			a.start("You find things.", "find every caller of f")
			status, sub := a.ask()
			require.Equal(t, 200, status)
			a.heard(sub)
			form, _ := formOf(protocol)
			m, _ := form.answer(sub)
			a.result(m.calls[0], "none")
			a.work(1)

			a.body = main
			a.heard(answer)
			m, _ = form.answer(answer)
			a.result(m.calls[0], "there is no caller")
			a.work(1)
			tr, err := FromExchanges(meta(), record())
			require.NoError(t, err)
			require.Equal(t, []string{
				"system: You fix things.", "user: Fix x.py, please.", "agent: I ask for help. -> find every caller of f = there is no caller @3", "agent: All is well.",
			}, outline(tr))
			require.Len(t, tr.Subagents, 2)
			require.Equal(t, "side_call", tr.Subagents[0].Extra["kind"])
			require.Equal(t, "subagent", tr.Subagents[1].Extra["kind"])
			require.Equal(t, []string{
				"system: You find things.", "user: find every caller of f", "agent: I ask for help. -> find every caller of f = none", "agent: All is well.",
			}, outline(tr.Subagents[1]))
			require.Equal(t, int64(5), tr.FinalMetrics.Extra["model_calls"])
			require.Greater(t, *tr.FinalMetrics.CostUSD, *tr.Subagents[1].FinalMetrics.CostUSD)
		})
	}
}

// TestNewHistory: an agent that summarises its conversation continues with the
// summary.
func TestNewHistory(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{{Say: "step one", Call: call("ls")}, {Say: "step two", Call: call("pwd")}}}
	for _, protocol := range protocols() {
		a, record := newAgent(t, protocol, false, script)
		a.start("You fix things.", "Fix x.py, please.")
		a.work(2)
		a.start("You fix things.", "Summary: you have looked around.")
		a.work(1)
		tr, err := FromExchanges(meta(), record())
		require.NoError(t, err)
		require.Empty(t, tr.Subagents)
		require.Equal(t, []string{
			"system: You fix things.", "user: Fix x.py, please.", "agent: step one -> ls = ", "agent: step two -> pwd",
			"system: The agent goes on with a new history.", "user: Summary: you have looked around.", "agent: step one -> ls",
		}, outline(tr), protocol)
	}
}

// TestSystemThatChanges: some agents put the time, or a counter, into it.
func TestSystemThatChanges(t *testing.T) {
	script := scripted.Script{Acts: []scripted.Act{{Say: "one", Call: call("ls")}, {Say: "two"}}}
	a, record := newAgent(t, "chat", false, script)
	a.start("It is noon.", "u")
	a.work(1)
	decoded.Object(decoded.List(a.body["messages"])[0])["content"] = "It is five past noon."
	a.work(1)
	tr, err := FromExchanges(meta(), record())
	require.NoError(t, err)
	require.Equal(t, []string{"system: It is noon.", "user: u", "agent: one -> ls = ", "agent: two"}, outline(tr))
}

func TestNothingAsked(t *testing.T) {
	for _, record := range []string{"", "\n", `{"at":"2026-01-02T03:04:05Z","n":1,"reserved_usd":0.5}` + "\n", `{"n":1,"at`} {
		tr, err := FromExchanges(Meta{}, strings.NewReader(record))
		require.NoError(t, err)
		require.Equal(t, []string{"system: The agent made no call of the model."}, outline(tr))
		require.Equal(t, "unknown", tr.Agent.Name)
	}
	tr, err := FromExchanges(meta(), strings.NewReader(`{"at":"2026-01-02T03:04:05Z","n":1,"protocol":"chat","path":"/x","request":null,"refused":"assay: nothing is served at this address","status":404}`+"\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"system: The call of the model was refused: assay: nothing is served at this address"}, outline(tr))
}

func TestRecordThatCannotBeRead(t *testing.T) {
	good := `{"at":"2026-01-02T03:04:05Z","n":1,"protocol":"chat","path":"/x","request":null}` + "\n"
	for record, want := range map[string]string{
		good + "{\n" + good:                        "record: line 2",
		good + `{"n":1,"protocol":"morse"}` + "\n": `line 2: the protocol "morse" is not known`,
		good + `{"n":"x"}` + "\n" + good:           "record: line 2",
	} {
		_, err := FromExchanges(meta(), strings.NewReader(record))
		require.ErrorContains(t, err, want)
	}
}

// FuzzFromExchanges: no record makes it panic, and what it makes is valid.
func FuzzFromExchanges(f *testing.F) {
	for _, protocol := range protocols() {
		f.Add(protocol, `{"messages":[{"role":"user","content":"u"}],"input":"u","contents":[{"parts":[{"text":"u"}]}]}`,
			`{"choices":[{"message":{"content":"a","tool_calls":[{"id":"c","function":{"name":"n","arguments":"{"}}]}}],"content":[{"type":"tool_use"}],"output":[{"type":"custom_tool_call","name":"x"}],"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}`,
			`{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"id":"c"}]},{"role":"tool","tool_call_id":"c","content":"r"}],"input":[{"type":"function_call_output"}],"contents":[{"role":"user","parts":[{"functionResponse":{"name":"n"}}]}]}`)
	}
	f.Fuzz(func(t *testing.T, protocol, one, answer, two string) {
		var b bytes.Buffer
		for i, request := range []string{one, two, two, one} {
			if !json.Valid([]byte(request)) || !json.Valid([]byte(answer)) {
				return
			}
			line, err := json.Marshal(map[string]any{
				"n": i + 1, "at": "2026-01-02T03:04:05Z", "protocol": protocol, "request": json.RawMessage(request), "response": json.RawMessage(answer), "usage": map[string]any{"prompt": 5},
			})
			require.NoError(t, err)
			b.Write(append(line, '\n'))
		}
		tr, err := FromExchanges(meta(), &b)
		if _, known := formOf(protocol); !known {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		data, err := tr.JSON()
		require.NoError(t, err)
		again, err := Read(bytes.NewReader(data))
		require.NoError(t, err)
		second, err := again.JSON()
		require.NoError(t, err)
		require.Equal(t, string(data), string(second))
		_, err = tr.SWEAgent(Ending{})
		require.NoError(t, err)
		_, err = tr.Inspect(Sample{})
		require.NoError(t, err)
	})
}

// TestSystemMessageLikeAFailure: an agent repeats a request that fails, with a
// system message of the failure's own words. Neither in a conversation nor as its
// prompt does it count as the failure; the failure itself, repeated, does.
func TestSystemMessageLikeAFailure(t *testing.T) {
	const words = "The call of the model was refused: too much"
	for name, messages := range map[string]string{
		"prompt": `[{"role":"system","content":"` + words + `"},{"role":"tool","content":""}]`,
		"later":  `[{"role":"user","content":"u"},{"role":"system","content":"` + words + `"}]`,
	} {
		line := `{"n":%d,"protocol":"chat","path":"/v1/chat/completions","refused":"too much","status":429,"request":{"messages":` + messages + `}}` + "\n"
		record := fmt.Sprintf(line, 1) + fmt.Sprintf(line, 2) + fmt.Sprintf(line, 3)
		tr, err := FromExchanges(meta(), strings.NewReader(record))
		require.NoError(t, err, name)
		var times []any
		for _, s := range tr.Steps {
			if s.Source == System && s.Message.Text == words {
				times = append(times, s.Extra["times"])
			}
		}
		require.Equal(t, []any{nil, 3}, times, name)
	}
}
