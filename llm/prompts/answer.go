package prompts

import (
	"fmt"
	"strings"
)

// ReadCategory reads the letter, A to F, from the answer to a categorise
// prompt: the last line "Category: X", in any case and with any Markdown
// around it.
func ReadCategory(answer string) (string, error) {
	value := strings.ToUpper(field(answer, "category"))
	letter, _, _ := strings.Cut(value, ".") // "B. Scope"
	letter = strings.TrimSpace(letter)
	if len(letter) != 1 || letter < "A" || letter > "F" {
		return "", fmt.Errorf("no line \"Category: A\" to F in the answer (found %.40q)", value)
	}
	return letter, nil
}

// ReadKind reads Partial, Unnecessary or Incorrect from the answer to
// badpatch-categorise.
func ReadKind(answer string) (string, error) {
	value := field(answer, "kind")
	for _, kind := range []string{"Partial", "Unnecessary", "Incorrect"} {
		if strings.EqualFold(strings.TrimRight(value, "."), kind) {
			return kind, nil
		}
	}
	return "", fmt.Errorf("no line \"Kind: Partial\", Unnecessary or Incorrect in the answer (found %.40q)", value)
}

// field returns what follows the last "name:" that begins a line.
func field(answer, name string) (value string) {
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(strings.NewReplacer("*", "", "`", "", "_", "").Replace(line))
		key, rest, found := strings.Cut(line, ":")
		if found && strings.EqualFold(strings.TrimSpace(key), name) {
			value = strings.TrimSpace(rest)
		}
	}
	return value
}
