package scripted

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"assay/internal/decoded"

	"assay/llm"
)

// speech makes of an act what this agent understands.
func (s *Server) speech(a Act, talk conversation, n int) speech {
	out := speech{n: n, model: talk.model, think: a.Think, text: a.Say, usage: UsageOf(n), noUsage: a.NoUsage, stop: a.Stop}
	if a.Usage != nil {
		out.usage = *a.Usage
	}
	switch {
	case talk.schema != nil:
		out.text = filled(talk.schema)
	case a.Final != "":
		s.final(&out, a.Final, talk)
	case a.uses() && len(talk.tools) == 0:
		s.withoutTools(&out, a, talk)
	case a.uses():
		c := s.resolve(a, talk.tools)
		c.id = fmt.Sprintf("call_%04d", n)
		out.calls = []calling{c}
	}
	return out
}

// withoutTools answers an agent that takes edits as text (Aider), or a side
// call such as one for a title. The first has no use for acts that look around,
// and would take a text for the end: it gets the script's next edit at once.
func (s *Server) withoutTools(out *speech, a Act, talk conversation) {
	edit := a.Edit
	for n := out.n; edit == nil && n < len(s.turns); n++ {
		edit = s.turns[n].answer.Edit
	}
	if edit != nil && strings.Contains(talk.text, "SEARCH/REPLACE") {
		out.text = strings.TrimLeft(a.Say+"\n\n", "\n") + edit.Path + "\n```\n<<<<<<< SEARCH\n" + edit.Old + "\n=======\n" + edit.New + "\n>>>>>>> REPLACE\n```\n"
		return
	}
	out.text = a.Say
	if out.text == "" {
		out.text = "A small change."
	}
	out.usage = llm.Usage{Input: 7, Output: 3}
}

// final ends the work: by the agent's tool for that, where it has one.
func (s *Server) final(out *speech, text string, talk conversation) {
	if t, ok := talk.tools["finish"]; ok { // OpenHands
		args := fill(t.schema, map[string]any{"message": text})
		out.calls = []calling{{id: fmt.Sprintf("call_%04d", out.n), name: "finish", args: args}}
		return
	}
	if _, ok := talk.tools["submit"]; ok { // SWE-agent
		out.text, out.calls = text, []calling{{id: fmt.Sprintf("call_%04d", out.n), name: "submit", args: map[string]any{}}}
		return
	}
	if _, ok := talk.tools["bash"]; ok && len(talk.tools) == 1 { // mini-swe-agent
		c := shell(talk.tools, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")
		c.id = fmt.Sprintf("call_%04d", out.n)
		out.text, out.calls = text, []calling{c}
		return
	}
	out.text = text
}

func (s *Server) resolve(a Act, tools map[string]tool) calling {
	switch {
	case a.Call != nil:
		t := tools[a.Call.Name]
		return calling{name: a.Call.Name, args: a.Call.Args, custom: t.custom, input: decoded.Text(a.Call.Args["input"])}
	case a.Read != "":
		return s.read(a.Read, tools)
	case a.Edit != nil:
		return s.edit(*a.Edit, tools)
	case a.Write != nil:
		return shell(tools, heredoc(s.path(a.Write.Path), a.Write.New))
	}
	return shell(tools, a.Shell)
}

func (s *Server) path(name string) string {
	if path.IsAbs(name) || s.script.Dir == "" {
		return name
	}
	return path.Join(s.script.Dir, name)
}

// pick returns the first of the names that the agent has.
func pick(tools map[string]tool, names ...string) (string, bool) {
	for _, name := range names {
		if _, ok := tools[name]; ok {
			return name, true
		}
	}
	return "", false
}

func (s *Server) read(file string, tools map[string]tool) calling {
	name, ok := pick(tools, "Read", "read", "read_file")
	if !ok {
		return shell(tools, "cat "+quoted(s.path(file)))
	}
	p := s.path(file)
	return calling{name: name, args: fill(tools[name].schema, map[string]any{"file_path": p, "filePath": p, "absolute_path": p, "path": p})}
}

func (s *Server) edit(e Edit, tools map[string]tool) calling {
	p := s.path(e.Path)
	name, ok := pick(tools, "Edit", "edit", "replace", "file_editor", "str_replace_editor")
	if !ok {
		return shell(tools, replacing(p, e))
	}
	return calling{name: name, args: fill(tools[name].schema, map[string]any{
		"file_path": p, "filePath": p, "path": p, "command": "str_replace",
		"old_string": e.Old, "oldString": e.Old, "old_str": e.Old,
		"new_string": e.New, "newString": e.New, "new_str": e.New,
		"instruction": "change it", "security_risk": "LOW", "summary": "a change",
	})}
}

// shell is the agent's own shell.
func shell(tools map[string]tool, command string) calling {
	name, ok := pick(tools, "Bash", "bash", "exec_command", "shell_command", "shell", "local_shell", "run_shell_command", "terminal", "execute_bash")
	if !ok {
		return inCode(tools, command)
	}
	schema := tools[name].schema
	properties := decoded.Object(schema["properties"])
	arg := "command"
	if properties["cmd"] != nil {
		arg = "cmd"
	}
	var value any = command
	if decoded.Object(properties[arg])["type"] == "array" {
		value = []any{"bash", "-lc", command}
	}
	return calling{name: name, args: fill(schema, map[string]any{arg: value, "description": "run a command"})}
}

// inCode is for Codex, which gives newer models one tool that runs JavaScript.
func inCode(tools map[string]tool, command string) calling {
	if t, ok := tools["exec"]; ok && t.custom {
		data, err := json.Marshal(command)
		if err != nil {
			data = []byte(`""`)
		}
		return calling{name: "exec", custom: true, input: "const r = await tools.exec_command({cmd: " + string(data) + "}); text(r.output);"}
	}
	names := slices.Sorted(maps.Keys(tools))
	return calling{name: names[0], args: fill(tools[names[0]].schema, map[string]any{"command": command})}
}

// fill keeps the arguments that a tool has, and makes up those that it demands.
func fill(schema map[string]any, args map[string]any) map[string]any {
	properties := decoded.Object(schema["properties"])
	if len(properties) == 0 {
		return args
	}
	out := map[string]any{}
	for name, value := range args {
		if _, ok := properties[name]; ok {
			out[name] = value
		}
	}
	for _, r := range decoded.List(schema["required"]) {
		if _, ok := out[decoded.Text(r)]; !ok {
			out[decoded.Text(r)] = example(decoded.Object(properties[decoded.Text(r)]))
		}
	}
	return out
}

// example is a value that fits a schema.
func example(schema map[string]any) any {
	if choices := decoded.List(schema["enum"]); len(choices) > 0 {
		return choices[0]
	}
	switch strings.ToLower(decoded.Text(schema["type"])) {
	case "boolean":
		return false
	case "integer", "number":
		return 1
	case "array":
		return []any{}
	case "object":
		return fill(schema, map[string]any{})
	}
	return "x"
}

// filled is a JSON text that fits a schema.
func filled(schema map[string]any) string {
	data, err := json.Marshal(example(with(schema, "type", "object")))
	if err != nil {
		return "{}"
	}
	return string(data)
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func heredoc(file, text string) string {
	return "cat > " + quoted(file) + " <<'END_OF_FILE'\n" + strings.TrimSuffix(text, "\n") + "\nEND_OF_FILE"
}

// replacing edits a file by awk, which every image has: the text may have any
// characters but must be in the file once.
func replacing(file string, e Edit) string {
	return "OLD=" + quoted(e.Old) + " NEW=" + quoted(e.New) + " awk 'BEGIN{old=ENVIRON[\"OLD\"];new=ENVIRON[\"NEW\"]} {text=text $0 \"\\n\"} " +
		"END{i=index(text,old); if(!i) exit 1; printf \"%s%s%s\", substr(text,1,i-1), new, substr(text,i+length(old))}' " + quoted(file) +
		" > " + quoted(file+".new") + " && cat " + quoted(file+".new") + " > " + quoted(file) + " && rm " + quoted(file+".new")
}
