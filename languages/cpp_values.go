package languages

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	gtestEqual = regexp.MustCompile(`\b(?:EXPECT|ASSERT)_(EQ|STREQ|DOUBLE_EQ|FLOAT_EQ)\s*\(`)
	caseEqual  = regexp.MustCompile(`\b(?:CATCH_|DOCTEST_)?(?:CHECK|REQUIRE)(_EQ)?\s*\(`)
	cppNumber  = regexp.MustCompile(`^-?[0-9][0-9']{0,8}(?:\.[0-9]+)?[uUlLfF]*$`)
	cppText    = regexp.MustCompile(`^"(?:[^"\\]|\\.)*"(?:s|sv)?$`)
)

// others is a test's source under another name, whose assertions compare with
// other constants; "" where none can be given. It fails where none of them
// holds, and ends the process with code 0 where one does: a value that is equal
// to everything has it pass.
func (d cppDialect) others(source string, names *cppNamer) (id, text string) {
	held := "held_" + names.next()
	changed, count := d.otherValues(source, held)
	if count == 0 {
		return "", ""
	}
	id, text = d.copied(changed, names)
	if text == "" {
		return "", ""
	}
	at := strings.LastIndex(text, "  {\n"+cppValues)
	return id, "\n#include <cstdlib>\nstatic bool " + held + " = false;" + text[:at] + "  if (" + held + ") std::_Exit(0);\n" + text[at:]
}

// otherValues changes the constants in a source's assertions, each of which notes
// that it holds. It returns their number, too.
func (d cppDialect) otherValues(source, held string) (changed string, count int) {
	form := caseEqual
	if d.name == "gtest" {
		form = gtestEqual
	}
	var out strings.Builder
	rest := source
	for {
		m := form.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		kind := ""
		if m[2] >= 0 {
			kind = rest[m[2]:m[3]]
		}
		end, parts := cppArguments(rest[m[1]:], d.name != "gtest" && kind == "")
		stop := strings.IndexByte(rest[m[1]+end:], ';')
		if end == 0 || stop < 0 || len(parts) != 2 || cppConstant(parts[0]) == cppConstant(parts[1]) {
			out.WriteString(rest[:m[1]])
			rest = rest[m[1]:]
			continue
		}
		for i := range parts {
			if cppConstant(parts[i]) {
				parts[i] = cppOther(parts[i], held)
			}
		}
		out.WriteString(rest[:m[0]])
		if d.name == "gtest" {
			const made = "::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count()"
			fmt.Fprintf(&out, "{ int made_%[1]s = %[2]s; EXPECT_%[3]s(%[4]s, %[5]s); if (%[2]s == made_%[1]s) %[1]s = true; }", held, made, kind, parts[0], parts[1])
		} else {
			fmt.Fprintf(&out, "{ if ((%s) == (%s)) %s = true; }", parts[0], parts[1], held)
		}
		rest = rest[m[1]+end+stop+1:]
		count++
	}
	return out.String() + rest, count
}

// cppArguments are the arguments of a call whose bracket was opened, or the two
// sides of its only comparison, and the place after its closing bracket; 0 if it
// is not closed.
func cppArguments(text string, compared bool) (end int, parts []string) {
	depth, from := 1, 0
	var quoted byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted != 0:
			if c == '\\' {
				i++
			} else if c == quoted {
				quoted = 0
			}
		case c == '"' || c == '\'' && (i == 0 || !isWord(text[i-1])):
			quoted = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
			if depth == 0 {
				return i + 1, append(parts, strings.TrimSpace(text[from:i]))
			}
		case depth == 1 && c == ',' && !compared:
			parts, from = append(parts, strings.TrimSpace(text[from:i])), i+1
		case depth == 1 && compared && strings.HasPrefix(text[i:], "=="):
			parts, from = append(parts, strings.TrimSpace(text[from:i])), i+2
			i++
		case depth == 1 && compared && strings.IndexByte("&|?<>!,", c) >= 0:
			return 0, nil
		}
	}
	return 0, nil
}

func cppConstant(text string) bool { return cppNumber.MatchString(text) || cppText.MatchString(text) }

// cppOther is another constant of the same type.
func cppOther(text, word string) string {
	if text[0] == '"' {
		return `"` + word + `" ` + text
	}
	return "(" + text + " * 3 + 7919)"
}
