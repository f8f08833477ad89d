package agents

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"assay/agents/adapter"
)

//go:embed adapters/*.yaml
var embedded embed.FS

// CLIs are the programs that assay can install, sorted by name.
func CLIs() ([]CLI, error) {
	sub, err := fs.Sub(embedded, "adapters")
	if err != nil {
		return nil, err
	}
	return load(sub, "adapters", "")
}

// Load reads the adapters (*.yaml) in a folder, sorted by file. Errors name file
// and line.
func Load(dir string) ([]CLI, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, fmt.Errorf("reading agents: %w", err)
	}
	return load(os.DirFS(dir), dir, dir)
}

func load(files fs.FS, shown, folder string) ([]CLI, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var out []CLI
	seen := map[string]string{}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("reading agents: %w", err)
		}
		a, err := adapter.Parse(filepath.Join(shown, name), data)
		if err != nil {
			return nil, err
		}
		if other := seen[a.Name]; other != "" {
			return nil, fmt.Errorf("%s: agent %q is in %s already", path.Join(shown, name), a.Name, other)
		}
		seen[a.Name] = name
		out = append(out, CLI{Adapter: a, Folder: folder})
	}
	return out, nil
}

// Command is the agent that runs a command of the user's: POSIX shell, with the
// prompt as standard input and in the file $ASSAY_PROMPT. folder, where it is not
// "", is a folder of the user's that comes to /opt/assay-agent/own. Key and
// address of the model are in the variables that the providers' own clients read.
func Command(command, folder string) (CLI, error) {
	key, url := "{{key}}", "{{url}}"
	a := adapter.Adapter{
		Name: "command", Title: "a command of the user's", Command: []string{"sh", "-c", command}, Prompt: adapter.Prompt{Stdin: true},
		Env:     map[string]string{"ASSAY_PROMPT": "{{prompt_file}}", "ASSAY_MODEL": "{{model}}", "ASSAY_STATE": "{{state}}", "ASSAY_ATTEMPT": "{{attempt}}", "ASSAY_AGENT": "{{dir}}/own"},
		Install: adapter.Install{Folder: folder},
		Speaks: []adapter.Speech{
			{Protocol: "chat", Env: map[string]string{"OPENAI_API_KEY": key, "OPENAI_BASE_URL": url + "/v1", "OPENAI_API_BASE": url + "/v1"}},
			{Protocol: "messages", Env: map[string]string{"ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": url}},
			{Protocol: "generate", Env: map[string]string{"GEMINI_API_KEY": key, "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_BASE": url + "/v1beta"}},
		},
		ModelOptional: true,
		Logs:          []string{stateDir + "/log/**"},
	}
	if command == "" {
		return CLI{}, fmt.Errorf("the agent %q needs a command", a.Name)
	}
	return CLI{Adapter: a}, nil
}
