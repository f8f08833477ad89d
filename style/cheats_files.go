package style

import (
	"bytes"
	"slices"
	"strings"

	"assay/languages"
	"assay/languages/token"
)

// isSource reports whether a path is a file that the linters take.
func (c Change) isSource(p string) bool { return c.Languages.Named(c.Language).About().IsCode(p) }

// files flags what came, went or was emptied.
func (i *inspector) files() {
	for _, p := range i.pairs() {
		source := i.isSource(p.path)
		switch {
		case !p.was:
			i.flag(FlagNewFile, p.path, "%d lines", bytes.Count(p.new, []byte{'\n'}))
		case !p.is && source:
			i.flag(FlagDeleted, p.path, "%d statements", len(statements(i.Language, p.old)))
		case source && p.is:
			i.edited(p)
		}
	}
}

func (i *inspector) edited(p filePair) {
	before, after := codeTokens(i.Language, p.old), codeTokens(i.Language, p.new)
	switch {
	case len(after) == 0 && len(statements(i.Language, p.old)) > 0:
		i.flag(FlagEmptyFile, p.path, "%d statements", len(statements(i.Language, p.old)))
	case bytes.Equal(p.old, p.new) || !slices.Equal(before, after):
	case slices.Equal(comments(i.Language, p.old), comments(i.Language, p.new)):
		i.flag(FlagReformat, p.path, "the same code and comments with other white space")
	}
}

// codeTokens returns the texts of the tokens that are code.
func codeTokens(language string, src []byte) []string {
	return tokenTexts(language, src, func(k token.Kind) bool { return k != token.Comment && k != token.LineEnd })
}

func comments(language string, src []byte) []string {
	return tokenTexts(language, src, func(k token.Kind) bool { return k == token.Comment })
}

func tokenTexts(language string, src []byte, wanted func(token.Kind) bool) []string {
	var out []string
	for _, t := range lex(language, src) {
		if wanted(t.Kind) {
			out = append(out, squeeze(t.Text(src)))
		}
	}
	return out
}

// ConfigKind describes what a file may configure in a linter.
type ConfigKind string

// The kinds of configuration.
const (
	NoConfig     ConfigKind = ""
	OwnConfig    ConfigKind = "config" // read by linters alone: configuration, ruleset, suppressions, baseline
	SharedConfig ConfigKind = "shared" // has sections for several tools
)

// ConfigReader is a linter that knows where it reads its configuration.
type ConfigReader interface {
	Linter
	// ConfigPath reports whether the linter reads its configuration from a
	// path, or could be made to by a build. The judge uses its own; an edit
	// of these still counts as an attempt.
	ConfigPath(path string) ConfigKind
}

// configuration flags edits of what configures any linter of the language.
func (i *inspector) configuration() {
	for _, p := range i.pairs() {
		if i.isSource(p.path) || bytes.Equal(p.old, p.new) && p.was == p.is {
			continue
		}
		switch {
		case i.configures(p):
		case i.Languages.Named(i.Language).Classify(p.path) == languages.BuildPath:
			i.flag(FlagBuildFile, p.path, "may change what is linted, and how")
		}
	}
}

// configures flags a file that configures a linter differently than before.
func (i *inspector) configures(p filePair) bool {
	for _, l := range i.Linters {
		reader, ok := l.(ConfigReader)
		if !ok {
			continue
		}
		tool := l.About().Name
		switch kind := reader.ConfigPath(p.path); {
		case kind == OwnConfig:
			i.flag(FlagConfig, p.path, "is a linter's configuration")
			return true
		case kind == SharedConfig && !slices.Equal(sections(p.old, tool), sections(p.new, tool)):
			i.flag(FlagConfig, p.path, "changes the linter's configuration in it")
			return true
		}
	}
	return false
}

// sections returns the lines of a file in INI or TOML form below headers that
// name a tool, without blank ones and comments.
func sections(text []byte, tool string) []string {
	var out []string
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") && !strings.HasPrefix(line, "[[]") {
			inside = strings.Contains(strings.ToLower(line), tool)
		}
		named := strings.HasPrefix(strings.ToLower(line), "tool."+tool) // a dotted key
		if (inside || named) && line != "" && line[0] != '#' && line[0] != ';' {
			out = append(out, squeeze(line))
		}
	}
	return out
}
