package adapter

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Setting is what an attempt fills in for {{name}}.
type Setting struct {
	// Dir is where the agent is installed, State a folder of its own that is
	// empty before, Home the home directory, and Root the repository. All are
	// absolute, inside the environment.
	Dir, State, Home, Root string
	Provider, Model        string // of provider/model
	// URL is that of the proxy, without a path, and Key the key for it.
	URL, Key string
	Prompt   string
	Attempt  int
}

// values are the names that texts may use: {{model}} is what the provider calls
// the model, {{agent_model}} what the agent does.
func (s Setting) values(agentModel string) map[string]string {
	return map[string]string{
		"dir": s.Dir, "state": s.State, "home": s.Home, "root": s.Root, "provider": s.Provider, "model": s.Model, "agent_model": agentModel,
		"url": s.URL, "key": s.Key, "attempt": strconv.Itoa(s.Attempt),
		"prompt_file": path.Join(s.State, promptName), "prompt_json": jsonString(s.Prompt),
	}
}

// promptName is the file with the prompt, in the attempt's own folder.
const promptName = "prompt"

// jsonString is a text as a string of JSON, which is also one of YAML.
func jsonString(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		return `""` // cannot be: strings always encode
	}
	return string(data)
}

// fill puts values in. {{=name}} stands for {{name}} itself, for the agent's own
// templates. Unknown names were refused when the adapter was read.
func fill(text string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string {
		name := strings.Trim(v, "{}")
		if own, ok := strings.CutPrefix(name, "="); ok {
			return "{{" + own + "}}"
		}
		return values[name]
	})
}

// textProblem is the first unknown name in a text, or a file whose path cannot
// be right.
func (a Adapter) textProblem() *problem {
	for _, t := range a.texts() {
		for _, m := range variable.FindAllStringSubmatch(t.text, -1) {
			if !strings.HasPrefix(m[1], "=") && !slices.Contains(namesFor(t.path), m[1]) {
				return &problem{t.path, fmt.Sprintf("{{%s}} is not known: expected one of %s", m[1], strings.Join(namesFor(t.path), ", "))}
			}
		}
	}
	for _, f := range a.paths() {
		if p := fill(f.text, (Setting{Dir: "/d", State: "/s", Home: "/h", Root: "/r"}).values("m")); !path.IsAbs(p) {
			return &problem{f.path, fmt.Sprintf("%q: expected an absolute path", f.text)}
		}
	}
	return a.promptProblem()
}

func (a Adapter) promptProblem() *problem {
	if len(a.Prompt.Argument) > 0 && !strings.Contains(strings.Join(a.Prompt.Argument, " "), "{{prompt}}") {
		return &problem{"prompt.argument", "expected {{prompt}} in one of the arguments"}
	}
	if len(a.Prompt.File) > 0 && !strings.Contains(strings.Join(a.Prompt.File, " "), "{{prompt_file}}") && !a.writesPrompt() {
		return &problem{"prompt.file", "expected {{prompt_file}} in one of the arguments, or {{prompt_json}} in one of the files"}
	}
	return nil
}

// writesPrompt reports whether a file holds the prompt.
func (a Adapter) writesPrompt() bool {
	return slices.ContainsFunc(a.Files, func(f File) bool { return strings.Contains(f.Text, "{{prompt_json}}") })
}

// namesFor are the names that a field's text may use.
func namesFor(field string) []string {
	switch {
	case strings.HasPrefix(field, "install."):
		return []string{"dir"}
	case strings.HasPrefix(field, "prompt.argument"):
		return append(slices.Sorted(maps.Keys((Setting{}).values(""))), "prompt")
	}
	return slices.Sorted(maps.Keys((Setting{}).values("")))
}

// located is a text with its place in the description.
type located struct{ path, text string }

// texts are all texts with names in them.
func (a Adapter) texts() []located {
	var out []located
	list := func(path string, texts []string) {
		for i, t := range texts {
			out = append(out, located{fmt.Sprintf("%s[%d]", path, i), t})
		}
	}
	env := func(path string, m map[string]string) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			out = append(out, located{path + "." + k, m[k]})
		}
	}
	files := func(path string, files []File) {
		for i, f := range files {
			at := fmt.Sprintf("%s[%d]", path, i)
			out = append(out, located{at + ".path", f.Path}, located{at + ".text", f.Text})
		}
	}
	list("install.pip", a.Install.Pip)
	out = append(out, located{"install.script", a.Install.Script}, located{"install.check", a.Install.Check})
	for i, s := range a.Speaks {
		at := fmt.Sprintf("speaks[%d]", i)
		out = append(out, located{at + ".model", s.Model})
		env(at+".env", s.Env)
		files(at+".files", s.Files)
		list(at+".args", s.Args)
	}
	env("env", a.Env)
	files("files", a.Files)
	list("command", a.Command)
	list("prompt.argument", a.Prompt.Argument)
	list("prompt.file", a.Prompt.File)
	list("prompt.stdin_args", a.Prompt.StdinArgs)
	list("leaves", a.Leaves)
	list("logs", a.Logs)
	for i, e := range a.Ends {
		if e.File != "" {
			out = append(out, located{fmt.Sprintf("ends[%d].file", i), e.File})
		}
	}
	return out
}

// paths are the texts that have to be absolute paths.
func (a Adapter) paths() []located {
	var out []located
	for _, t := range a.texts() {
		if strings.HasSuffix(t.path, ".path") || strings.HasPrefix(t.path, "logs[") || strings.HasPrefix(t.path, "ends[") {
			out = append(out, t)
		}
	}
	return out
}
