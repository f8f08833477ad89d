// Package adapter describes, as data, how a command-line agent is installed and
// called. It reads and checks the descriptions and makes commands of them; it
// runs nothing.
package adapter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// Adapter is one agent. In its texts {{name}} stands for a value of the attempt:
// see Setting. Those of Install know {{dir}} only.
type Adapter struct {
	Name    string `yaml:"name"`  // on the command line
	Title   string `yaml:"title"` // for people
	Version string `yaml:"version"`
	// Notes are facts that a user should know.
	Notes string `yaml:"notes"`
	// Kinds are the kinds of task it is given; none means all.
	Kinds   []string `yaml:"kinds"`
	Install Install  `yaml:"install"`
	// Speaks are the protocols, the preferred one first. None means that the
	// agent needs no model.
	Speaks []Speech `yaml:"speaks"`
	// ModelOptional says that the agent can do without a model.
	ModelOptional bool              `yaml:"model_optional"`
	Env           map[string]string `yaml:"env"`
	Files         []File            `yaml:"files"`
	// Command is the program with its arguments, without the prompt.
	Command []string `yaml:"command"`
	Prompt  Prompt   `yaml:"prompt"`
	// Leaves are globs, relative to the repository, of files that are the
	// agent's own and no part of a submission.
	Leaves []string `yaml:"leaves"`
	// Logs are absolute globs of the agent's own logs, and of its figures.
	Logs []string `yaml:"logs"`
	// Exits are the meanings of exit codes: done, gave_up, context_window, refused
	// or infrastructure. A code that is not listed means done for 0, else gave_up.
	Exits map[int]string `yaml:"exits"`
	// Ends are the meanings of the agent's own words. The first whose words are
	// found decides; the exit code counts only if there is none.
	Ends []Ending `yaml:"ends"`
	// Evidence is where the claims of this description are from.
	Evidence string `yaml:"evidence"`
}

// Install makes the folder that is {{dir}} in every environment. It is the same
// for all tasks.
type Install struct {
	// Python lists the versions that will do, the preferred one first. A
	// virtual environment is made at {{dir}}/venv.
	Python []string `yaml:"python"`
	Pip    []string `yaml:"pip"` // requirements, pinned
	// Node is the version of Node for npm packages and for the agent, at
	// {{dir}}/node/bin/node.
	Node string   `yaml:"node"`
	Npm  []string `yaml:"npm"` // name@version; they go to {{dir}}/npm
	// Source is a repository that comes to {{dir}}/src.
	Source *Source `yaml:"source"`
	// Folder is a folder of the user's that comes to {{dir}}/own, relative to
	// the description.
	Folder string `yaml:"folder"`
	// Packages are Debian packages that the installation itself needs.
	Packages []string `yaml:"packages"`
	// Script runs at the end, in {{dir}}. What it puts into {{dir}}/bin is on the
	// agent's PATH, after the task's own programs.
	Script string `yaml:"script"`
	// Check is a command that prints Version.
	Check string `yaml:"check"`
}

// Source is a repository at a commit.
type Source struct {
	Repo   string `yaml:"repo"` // owner/name
	Commit string `yaml:"commit"`
}

// Speech is how the agent talks to models in one protocol.
type Speech struct {
	Protocol string `yaml:"protocol"`
	// Providers restrict it; none means all that speak the protocol.
	Providers []string `yaml:"providers"`
	// Model is what the agent calls the model, {{agent_model}} in other texts. ""
	// means {{model}}, the provider's own name for it.
	Model string            `yaml:"model"`
	Env   map[string]string `yaml:"env"`
	Files []File            `yaml:"files"`
	// Args are put after the command's own.
	Args []string `yaml:"args"`
}

// File is a text that is put in before the agent starts.
type File struct {
	Path string `yaml:"path"` // absolute
	Text string `yaml:"text"`
	Mode string `yaml:"mode"` // octal; "" means 644
}

// Prompt is how the agent gets the prompt. Short prompts go as an argument if the
// agent takes one; long ones by file or standard input.
type Prompt struct {
	Argument []string `yaml:"argument"` // with {{prompt}}
	File     []string `yaml:"file"`     // with {{prompt_file}}
	Stdin    bool     `yaml:"stdin"`
	// StdinArgs are put after the command where the prompt is standard input.
	StdinArgs []string `yaml:"stdin_args"`
}

// Protocols are the wire formats that agents speak.
func Protocols() []string { return []string{"chat", "responses", "messages", "generate"} }

// Parse reads a description. file names it in errors, which give the line and
// what is wrong with it.
func Parse(file string, data []byte) (Adapter, error) {
	var a Adapter
	if err := decode(data, &a); err != nil {
		return a, fmt.Errorf("%s: %s", file, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	if p := a.problem(); p != nil {
		return a, fmt.Errorf("%s:%d: %s: %s", file, lineOf(data, p.path), p.path, p.text)
	}
	return a, nil
}

// decode is strict. The decoder panics at some malformed input.
func decode(data []byte, into any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it cannot be read as YAML: %v", r)
		}
	}()
	err = yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(into)
	if errors.Is(err, io.EOF) {
		return errors.New("it is empty")
	}
	return err
}

// lineOf finds the line of a field, or of the first one in it. Where the field is absent, it is that of the
// one above it.
func lineOf(data []byte, path string) int {
	for {
		if p, err := yaml.PathString("$." + path); err == nil {
			if node, err := readNode(p, data); err == nil {
				return node
			}
		}
		cut := strings.LastIndexAny(path, ".[")
		if cut < 0 {
			return 1
		}
		path = path[:cut]
	}
}

func readNode(p *yaml.Path, data []byte) (line int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	node, err := p.ReadNode(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	return node.GetToken().Position.Line, nil
}

// problem is a mistake in one field.
type problem struct{ path, text string }

var (
	nameForm    = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`)
	versionForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*$`)
	pipForm     = regexp.MustCompile(`^[A-Za-z0-9._-]+(\[[A-Za-z0-9,_-]+\])?==[A-Za-z0-9.+!_-]+$|^\{\{dir\}\}/src$`)
	npmForm     = regexp.MustCompile(`^(@[a-z0-9._-]+/)?[a-z0-9._-]+@[0-9][A-Za-z0-9.+-]*$`)
	variable    = regexp.MustCompile(`\{\{([^{}]*)\}\}`)
)

// problem is the first mistake, in order of the fields.
func (a Adapter) problem() *problem {
	switch {
	case !nameForm.MatchString(a.Name):
		return &problem{"name", fmt.Sprintf("%q: expected small letters, digits, dots and hyphens", a.Name)}
	case len(a.Command) == 0:
		return &problem{"command", "expected a program with its arguments"}
	case a.Version != "" && !versionForm.MatchString(a.Version):
		return &problem{"version", fmt.Sprintf("%q: expected letters, digits, dots and hyphens", a.Version)}
	case a.Install.Check != "" && a.Version == "":
		return &problem{"install.check", "expected a version to check for"}
	case !a.Prompt.Stdin && len(a.Prompt.Argument) == 0 && len(a.Prompt.File) == 0:
		return &problem{"prompt", "expected at least one of argument, file and stdin"}
	}
	if p := a.Install.problem(); p != nil {
		return p
	}
	if p := a.speechProblem(); p != nil {
		return p
	}
	if p := a.endProblem(); p != nil {
		return p
	}
	if p := modeProblem("files", a.Files); p != nil {
		return p
	}
	return a.textProblem()
}

func modeProblem(field string, files []File) *problem {
	for n, f := range files {
		if _, err := strconv.ParseUint(f.Mode, 8, 9); err != nil && f.Mode != "" {
			return &problem{fmt.Sprintf("%s[%d].mode", field, n), fmt.Sprintf("%q: expected octal permissions", f.Mode)}
		}
	}
	return nil
}

func (i Install) problem() *problem {
	if len(i.Pip) > 0 && len(i.Python) == 0 {
		return &problem{"install.python", "expected the versions of Python for the pip packages"}
	}
	if len(i.Npm) > 0 && i.Node == "" {
		return &problem{"install.node", "expected the version of Node for the npm packages"}
	}
	for n, r := range i.Pip {
		if !pipForm.MatchString(r) {
			return &problem{fmt.Sprintf("install.pip[%d]", n), fmt.Sprintf("%q: expected a package with one version, name==1.2", r)}
		}
	}
	for n, r := range i.Npm {
		if !npmForm.MatchString(r) {
			return &problem{fmt.Sprintf("install.npm[%d]", n), fmt.Sprintf("%q: expected a package with one version, name@1.2.3", r)}
		}
	}
	if i.Source != nil && (i.Source.Repo == "" || i.Source.Commit == "") {
		return &problem{"install.source", "expected repo and commit"}
	}
	return nil
}

func (a Adapter) speechProblem() *problem {
	for n, s := range a.Speaks {
		if !slices.Contains(Protocols(), s.Protocol) {
			return &problem{fmt.Sprintf("speaks[%d].protocol", n), fmt.Sprintf("%q: expected one of %s", s.Protocol, strings.Join(Protocols(), ", "))}
		}
		if p := modeProblem(fmt.Sprintf("speaks[%d].files", n), s.Files); p != nil {
			return p
		}
	}
	return nil
}
