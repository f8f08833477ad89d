package prompts

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
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

// ReadYes reads the last line "NAME: yes" or "NAME: no" of an answer, in any case
// and with any Markdown around it; where there is none, the answer itself may be
// that word.
func ReadYes(answer, name string) (yes bool, err error) {
	value := field(answer, name)
	if value == "" {
		value = answer
	}
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) > 0 && (words[0] == "yes" || words[0] == "no") {
		return words[0] == "yes", nil
	}
	return false, fmt.Errorf("no line %q or %q in the answer (found %.40q)", name+": yes", name+": no", value)
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

var reasonLine = regexp.MustCompile(`(?im)^[\s*-]*reason[*\s]*:[*\s]*(.*)$`)

// ReadCause reads the cause (tool_chain, installation, testing, undecidable)
// and the reason from the answer to setup-cause.
func ReadCause(answer string) (cause, reason string, err error) {
	value := strings.ToLower(strings.TrimRight(strings.ReplaceAll(field(answer, "cause"), " ", ""), "."))
	for _, c := range []string{"tool_chain", "installation", "testing", "undecidable"} {
		// field takes Markdown's underscores out.
		if value == strings.ReplaceAll(c, "_", "") {
			if m := reasonLine.FindAllStringSubmatch(answer, -1); m != nil {
				reason = strings.TrimSpace(m[len(m)-1][1])
			}
			return c, reason, nil
		}
	}
	return "", "", fmt.Errorf("no line \"Cause: tool_chain\", installation, testing or undecidable in the answer (found %.40q)", value)
}
