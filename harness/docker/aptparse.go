package docker

import (
	"bytes"
	"strings"
)

// parseSourceLines reads the one-line form: "deb [options] uri suite
// component...". Other lines are skipped, as apt would complain about them
// itself.
func parseSourceLines(data []byte) []aptSource {
	var out []aptSource
	for line := range bytes.Lines(data) {
		text, _, _ := strings.Cut(string(line), "#")
		rest, ok := strings.CutPrefix(strings.TrimSpace(text), "deb")
		if !ok || rest == "" || (rest[0] != ' ' && rest[0] != '\t') {
			continue
		}
		var s aptSource
		rest = strings.TrimSpace(rest)
		if options, behind, found := strings.Cut(rest, "]"); found && strings.HasPrefix(rest, "[") {
			s.setOptions(strings.Fields(options[1:]))
			rest = behind
		}
		fields := strings.Fields(rest)
		if len(fields) < 2 {
			continue
		}
		s.uri, s.suite, s.components = fields[0], fields[1], fields[2:]
		out = append(out, s)
	}
	return out
}

func (s *aptSource) setOptions(options []string) {
	for _, o := range options {
		switch name, value, _ := strings.Cut(o, "="); strings.ToLower(name) {
		case "signed-by":
			s.signedBy = value
		case "trusted":
			s.trusted = value == "yes"
		}
	}
}

// parseSourceStanzas reads the form of sources.list(5) that is written as
// stanzas of "Name: value", in which one stanza names several sources.
func parseSourceStanzas(data []byte) []aptSource {
	var out []aptSource
	fields := map[string]string{}
	last := ""
	flush := func() {
		out = append(out, expand(fields)...)
		fields, last = map[string]string{}, ""
	}
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case strings.TrimSpace(text) == "":
			flush()
		case text[0] == '#':
		case text[0] == ' ' || text[0] == '\t':
			// A line of a value on its own; a dot stands for an empty one.
			if part := strings.TrimSpace(text); part == "." {
				fields[last] += "\n"
			} else {
				fields[last] += "\n" + part
			}
		default:
			name, value, _ := strings.Cut(text, ":")
			last = strings.ToLower(strings.TrimSpace(name))
			fields[last] = strings.TrimSpace(value)
		}
	}
	flush()
	return out
}

// expand makes the sources of one stanza, in the order apt uses.
func expand(f map[string]string) []aptSource {
	binary := false
	for _, kind := range strings.Fields(f["types"]) {
		binary = binary || kind == "deb"
	}
	if !binary || strings.EqualFold(f["enabled"], "no") {
		return nil
	}
	var out []aptSource
	for _, uri := range strings.Fields(f["uris"]) {
		for _, suite := range strings.Fields(f["suites"]) {
			out = append(out, aptSource{
				uri: uri, suite: suite, components: strings.Fields(f["components"]),
				signedBy: strings.TrimSpace(f["signed-by"]), trusted: f["trusted"] == "yes",
			})
		}
	}
	return out
}
