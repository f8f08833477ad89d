package languages

import (
	"regexp"
	"strings"
)

// iniFile is a file in the form of setup.cfg and tox.ini.
type iniFile struct {
	file     string
	sections map[string]map[string]iniValue
}

// iniValue is a value, of several lines perhaps, and its first line's number.
type iniValue struct {
	text string
	line int
}

// parseINI reads sections, keys and indented continuation lines. Anything
// else is skipped.
func parseINI(file, text string) iniFile {
	out := iniFile{file, map[string]map[string]iniValue{}}
	section, key := "", ""
	pair := regexp.MustCompile(`^([A-Za-z0-9_.\-:* ]+?)\s*[=:]\s*(.*)$`)
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";"):
		case trimmed == "":
		case strings.HasPrefix(line, "[") && strings.Contains(line, "]"):
			section, key = strings.TrimSpace(line[1:strings.Index(line, "]")]), ""
			if out.sections[section] == nil {
				out.sections[section] = map[string]iniValue{}
			}
		case (line[0] == ' ' || line[0] == '\t') && key != "":
			v := out.sections[section][key]
			v.text += "\n" + trimmed
			out.sections[section][key] = v
		default:
			m := pair.FindStringSubmatch(trimmed)
			if m == nil || out.sections[section] == nil {
				key = ""
				continue
			}
			key = strings.ToLower(strings.TrimSpace(m[1]))
			out.sections[section][key] = iniValue{m[2], i + 1}
		}
	}
	return out
}

func (f iniFile) get(section, key string) (iniValue, bool) {
	v, ok := f.sections[section][key]
	return v, ok
}

// expandBraces splits a list of environments at commas and blanks outside of
// braces, and multiplies the braces out: py{27,36}-x is py27-x and py36-x.
func expandBraces(list string) []string {
	var out []string
	for _, item := range splitOutside(list) {
		out = append(out, multiply(item, 256)...)
		if len(out) > 1024 {
			return out[:1024]
		}
	}
	return out
}

func splitOutside(list string) []string {
	var out []string
	depth, word := 0, ""
	for _, r := range list {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		case depth <= 0 && (r == ',' || r == ' ' || r == '\n' || r == '\t'):
			if word != "" {
				out = append(out, word)
			}
			word = ""
			continue
		}
		word += string(r)
	}
	if word != "" {
		out = append(out, word)
	}
	return out
}

func multiply(item string, limit int) []string {
	from := strings.Index(item, "{")
	to := strings.Index(item, "}")
	if from < 0 || to < from || limit <= 0 {
		return []string{item}
	}
	var out []string
	for _, choice := range strings.Split(item[from+1:to], ",") {
		for _, rest := range multiply(item[to+1:], limit/2) {
			out = append(out, item[:from]+strings.TrimSpace(choice)+rest)
			if len(out) >= limit {
				return out
			}
		}
	}
	return out
}
