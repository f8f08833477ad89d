package llm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// LoadDotenv reads a .env file. One that does not exist is empty.
func LoadDotenv(name string) (map[string]string, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading settings: %w", err)
	}
	return ParseDotenv(name, data)
}

// ParseDotenv reads lines NAME=value. "export " before a name, comments and
// empty lines are allowed. A value in single quotes is taken as it is, in
// double quotes \n, \r, \t, \", \\ and \$ are replaced; without quotes it ends
// before " #" and loses blanks around it. Nothing is expanded, a value does
// not go over several lines, and the last of equal names counts. Errors give
// file (name) and line and never show a value, which may be a key.
func ParseDotenv(name string, data []byte) (map[string]string, error) {
	vars := map[string]string{}
	text := strings.TrimPrefix(string(data), "\ufeff")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, err := parseAssignment(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		vars[key] = value
	}
	return vars, nil
}

func parseAssignment(line string) (key, value string, err error) {
	if rest, found := strings.CutPrefix(line, "export"); found && rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
		line = strings.TrimSpace(rest)
	}
	key, value, found := strings.Cut(line, "=")
	key = strings.TrimSpace(key)
	if !found {
		return "", "", errors.New("want NAME=value")
	}
	if !isVariable(key) {
		return "", "", errors.New("the name before = may hold letters, digits and _ only, and no digit first")
	}
	value, err = parseValue(strings.TrimSpace(value))
	return key, value, err
}

func isVariable(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != ""
}

func parseValue(raw string) (string, error) {
	if strings.ContainsRune(raw, 0) {
		return "", errors.New("NUL in the value")
	}
	if raw == "" {
		return "", nil
	}
	switch raw[0] {
	case '#':
		return "", nil
	case '\'', '"':
		return parseQuoted(raw[0], raw[1:])
	}
	for i := 1; i < len(raw); i++ {
		if raw[i] == '#' && (raw[i-1] == ' ' || raw[i-1] == '\t') {
			return strings.TrimSpace(raw[:i]), nil
		}
	}
	return raw, nil
}

func parseQuoted(quote byte, rest string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		c := rest[i]
		switch {
		case c == quote:
			after := strings.TrimSpace(rest[i+1:])
			if after != "" && after[0] != '#' {
				return "", errors.New("text after the closing quote")
			}
			return b.String(), nil
		case c == '\\' && quote == '"' && i+1 < len(rest):
			i++
			b.WriteString(unescape(rest[i]))
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("the quote is not closed on this line")
}

func unescape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 'r':
		return "\r"
	case 't':
		return "\t"
	case '"', '\\', '$':
		return string(c)
	}
	return string([]byte{'\\', c})
}
