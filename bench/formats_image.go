package bench

import (
	"path"
	"strings"
)

const expectedCommands = "a command, or a list of commands"

// imageFields takes what an instance says about its image and of the command
// in it. Names differ: SWE-bench 5 has image and eval_script, SWE-bench-Live
// docker_image and test_cmds, SWE-rebench docker_image or image_name and the
// command and its reader in install_config.
func (r *record) imageFields(in *Instance, format string) {
	in.Image = r.text("image", "an image reference")
	in.Root = r.text("root", "a path")
	in.EvalScript = r.text("eval_script", "a script")
	in.EvalType = EvalType(r.text("eval_type", "pass_and_fail or fail_only"))
	in.LogParser = r.text("log_parser", "a name")
	in.TestCmds = r.commands("test_cmds")
	if format != FormatSWEBenchLive && format != FormatSWERebench {
		return
	}
	for _, name := range []string{"docker_image", "image_name"} {
		if in.Image == "" {
			in.Image = r.text(name, "an image reference")
		}
	}
	r.installConfig(in)
}

// installConfig looks into install_config, which stays where it is.
func (r *record) installConfig(in *Instance) {
	if !r.has("install_config") {
		return
	}
	config, wrong := newRecord(r.fields["install_config"], "install_config")
	if wrong != nil {
		return // some publish it as text; nothing of it is needed then
	}
	if in.TestCmds == nil && in.EvalScript == "" {
		in.TestCmds = config.commands("test_cmd")
	}
	if in.LogParser == "" {
		in.LogParser = config.text("log_parser", "a name")
	}
	r.errs = append(r.errs, config.errs...)
}

// commands takes a field that holds a command or a list of them.
func (r *record) commands(name string) []string {
	raw, ok := r.take(name)
	if !ok {
		return nil
	}
	if text, err := unquote(raw); err == nil {
		if text == "" {
			return nil
		}
		return []string{text}
	}
	ids, wrong := testIDs(raw)
	if wrong != nil {
		r.fail(name, expectedCommands, raw)
	}
	return ids
}

// otherLanguage names the language of an instance that has its own test
// command and whose patches touch no file of a known language, from the
// files that they touch most; "" where these are of no known language.
func otherLanguage(diffs ...string) string {
	count := map[string]int{}
	best := ""
	for _, diff := range diffs {
		for line := range strings.Lines(diff) {
			if !strings.HasPrefix(line, "+++ ") {
				continue
			}
			name, _, _ := strings.Cut(strings.TrimRight(line[4:], "\r\n"), "\t")
			language := languageOfExtension(strings.ToLower(path.Ext(name)))
			if language == "" {
				continue
			}
			if count[language]++; best == "" || count[language] > count[best] {
				best = language
			}
		}
	}
	return best
}

func languageOfExtension(ext string) string {
	switch ext {
	case ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte":
		return "javascript"
	case ".ts", ".tsx", ".mts":
		return "typescript"
	case ".go", ".php":
		return ext[1:]
	case ".rs":
		return "rust"
	case ".rb":
		return "ruby"
	case ".tcl":
		return "tcl"
	}
	return ""
}
