package adapter

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/harness"
)

// Call is how an agent is started for one attempt.
type Call struct {
	// Script is POSIX shell that starts the agent and keeps its exit code.
	Script string
	Env    []string // KEY=VALUE, sorted
	Files  []harness.File
	Logs   []string // absolute globs

	exits map[int]string
	ends  []Ending
}

// longPrompt is the size, in bytes, above which a prompt is not passed as an
// argument: Linux allows 128 KiB for one.
const longPrompt = 100_000

// Speech is the one that the agent uses for a provider that offers some
// protocols; it reports false where there is none.
func (a Adapter) Speech(provider string, offered []string) (Speech, bool) {
	for _, s := range a.Speaks {
		if slices.Contains(offered, s.Protocol) && (len(s.Providers) == 0 || slices.Contains(s.Providers, provider)) {
			return s, true
		}
	}
	return Speech{}, false
}

// Call makes the command for an attempt. speech is empty for an agent without a
// model. A prompt that is too long for all the ways that the agent has is an
// error.
func (a Adapter) Call(s Setting, speech Speech) (Call, error) {
	model := s.Model
	if speech.Model != "" {
		model = fill(speech.Model, s.values(s.Model))
	}
	values := s.values(model)
	c := Call{Env: environ(values, a.Env, speech.Env), exits: a.Exits}
	for _, f := range slices.Concat(a.Files, speech.Files) {
		file, err := f.make(values)
		if err != nil {
			return c, err
		}
		c.Files = append(c.Files, file)
	}
	c.Files = append(c.Files, harness.File{Path: values["prompt_file"], Data: []byte(s.Prompt)})
	for _, l := range a.Logs {
		c.Logs = append(c.Logs, fill(l, values))
	}
	for _, e := range a.Ends {
		if e.File = fill(e.File, values); e.File != "" && !slices.Contains(c.Logs, e.File) {
			c.Logs = append(c.Logs, e.File)
		}
		c.ends = append(c.ends, e)
	}
	var words []string
	for _, w := range slices.Concat(a.Command, speech.Args) {
		words = append(words, quote(fill(w, values)))
	}
	more, input, err := a.prompt(s, values)
	if err != nil {
		return c, err
	}
	c.Script = strings.Join(append(words, more...), " ") + " <" + quote(input) + "\n"
	return c, nil
}

// prompt is how the prompt is given: more words of the command, as shell, and
// the file that is standard input.
func (a Adapter) prompt(s Setting, values map[string]string) (words []string, input string, err error) {
	p := a.Prompt
	switch {
	case len(p.Argument) > 0 && len(s.Prompt) <= longPrompt:
		for _, w := range p.Argument {
			words = append(words, promptWord(w, values))
		}
		return words, "/dev/null", nil
	case len(p.File) > 0:
		for _, w := range p.File {
			words = append(words, quote(fill(w, values)))
		}
		return words, "/dev/null", nil
	case p.Stdin:
		for _, w := range p.StdinArgs {
			words = append(words, quote(fill(w, values)))
		}
		return words, values["prompt_file"], nil
	}
	return nil, "", fmt.Errorf("%s takes its prompt as an argument only, and this one has %d bytes: at most %d are possible", a.Name, len(s.Prompt), longPrompt)
}

// promptWord is a word in which {{prompt}} is read from the prompt's file, so
// that the script stays short. The shell drops line ends at its end.
func promptWord(word string, values map[string]string) string {
	var out []string
	for i, part := range strings.Split(word, "{{prompt}}") {
		if i > 0 {
			out = append(out, `"$(cat `+quote(values["prompt_file"])+`)"`)
		}
		if part != "" {
			out = append(out, quote(fill(part, values)))
		}
	}
	return strings.Join(out, "")
}

func (f File) make(values map[string]string) (harness.File, error) {
	out := harness.File{Path: path.Clean(fill(f.Path, values)), Data: []byte(fill(f.Text, values))}
	if f.Mode != "" {
		mode, err := strconv.ParseUint(f.Mode, 8, 9)
		if err != nil {
			return out, fmt.Errorf("mode %q of %s: expected octal permissions", f.Mode, f.Path)
		}
		out.Mode = fs.FileMode(mode)
	}
	return out, nil
}

// environ fills variables in; of equal names the last counts.
func environ(values map[string]string, parts ...map[string]string) []string {
	all := map[string]string{}
	for _, p := range parts {
		maps.Copy(all, p)
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(all)) {
		out = append(out, k+"="+fill(all[k], values))
	}
	return out
}

// quote makes one word of POSIX shell.
func quote(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@%+,"
