package languages

import (
	"regexp"
	"strings"
)

// evalScript is a published script that runs an instance's tests in its
// image, parsed. Such a script applies the hidden tests itself; these lines
// are left out, since the tree has the tests already, applied to the
// submission by the rules of docs/judging.md.
type evalScript struct {
	Setup []string // lines before the tests run
	Tests []string // lines that run the tests
	Cut   []string // commands that were left out, for people
}

// The lines around the tests in SWE-bench's scripts.
const (
	testsBegin = ">>>>> Start Test Output"
	testsEnd   = ">>>>> End Test Output"
)

// parseEvalScript parses a script. Without the marker lines all of it runs
// tests.
func parseEvalScript(text string) evalScript {
	var s evalScript
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	marked := strings.Contains(text, testsBegin)
	inTests := !marked
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		command, next := line, i
		for _, tag := range hereDocs(line) {
			for next++; next < len(lines) && strings.TrimSpace(lines[next]) != tag; next++ {
				command += "\n" + lines[next]
			}
			if next < len(lines) {
				command += "\n" + lines[next]
			}
		}
		i = next
		switch {
		case marked && strings.Contains(line, testsBegin):
			inTests = true
			continue
		case marked && strings.Contains(line, testsEnd):
			return s
		}
		s.add(command, line, inTests)
	}
	return s
}

// add keeps a command, without what applies patches or restores files.
func (s *evalScript) add(command, first string, inTests bool) {
	if strings.HasPrefix(first, "#!") {
		return
	}
	kept := command
	if m := treeCondition.FindStringSubmatch(first); m != nil {
		// Scripts leave where a patch does not apply; the tree has it already.
		kept = "if true; then"
		if m[1] != "" {
			kept = "if false; then"
		}
		s.Cut = append(s.Cut, strings.TrimSpace(first))
	} else if changesTree(first) {
		kept = withoutTreeCommands(first)
		s.Cut = append(s.Cut, strings.TrimSpace(first))
	}
	switch {
	case kept == "":
	case inTests:
		s.Tests = append(s.Tests, kept)
	default:
		s.Setup = append(s.Setup, kept)
	}
}

// hereDoc finds <<TAG, <<'TAG', <<"TAG" and <<-TAG, but not <<<.
var hereDoc = regexp.MustCompile(`(?:^|[^<])<<-?\s*(['"]?)([A-Za-z_][A-Za-z0-9_]*)['"]?`)

func hereDocs(line string) []string {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return nil
	}
	var tags []string
	for _, m := range hereDoc.FindAllStringSubmatch(line, -1) {
		tags = append(tags, m[2])
	}
	return tags
}

// treeCommand is a command that applies a patch or restores files of the
// repository.
var treeCommand = regexp.MustCompile(`^\s*(?:git(?:\s+-[cC]\s+\S+)*\s+(?:apply|checkout|restore|reset|stash|clean|am)\b|patch\s+-)`)

// treeCondition is such a command as the condition of an if.
var treeCondition = regexp.MustCompile(`^\s*if\s+(!\s+)?(?:git(?:\s+-[cC]\s+\S+)*\s+(?:apply|checkout|restore|reset|stash|clean|am)|patch\s+-)\b[^;&|]*;\s*then\s*$`)

func changesTree(line string) bool {
	for part := range strings.SplitSeq(line, "&&") {
		if treeCommand.MatchString(part) {
			return true
		}
	}
	return false
}

// withoutTreeCommands leaves the other parts of "a && b && c"; a part with a
// here-document is the only one with its line.
func withoutTreeCommands(line string) string {
	var kept []string
	for part := range strings.SplitSeq(line, "&&") {
		if !treeCommand.MatchString(part) {
			kept = append(kept, strings.TrimSpace(part))
		}
	}
	return strings.Join(kept, " && ")
}

// masked reports whether the tests' exit code is lost in the script: the
// runner is before "||", in a pipe, or in the background.
func (s evalScript) masked() bool {
	for _, line := range s.Tests {
		if strings.Contains(line, "|") || strings.Contains(line, "set +e") || strings.HasSuffix(strings.TrimSpace(line), "&") {
			return true
		}
	}
	return false
}

// pytestCommand is a start of pytest with nothing around it, after variables
// that are set for it alone.
var pytestCommand = regexp.MustCompile(`^\s*((?:` + assignment + `\s+)*(?:(?:\S*/)?python[0-9.]*(?:\s+-[WX]\s*\S+)*\s+-m\s+pytest|(?:\S*/)?py\.?test))(\s.*)?$`)

// pytest finds the script's only line that does anything but prepare the
// shell, where that line starts pytest and nothing else: head is the start,
// up to and with the word pytest, and rest its arguments.
func (s evalScript) pytest() (index int, head, rest string, ok bool) {
	index = -1
	for i, line := range s.Tests {
		if preparesShell(line) {
			continue
		}
		m := pytestCommand.FindStringSubmatch(line)
		if index >= 0 || m == nil || strings.ContainsAny(m[2], "|&;<>`$\n(){}") {
			return 0, "", "", false
		}
		index, head, rest = i, m[1], m[2]
	}
	return index, head, rest, index >= 0
}

// preparesShell holds for lines that run no tests: comments, cd, set, export,
// and the activation of an environment.
func preparesShell(line string) bool {
	line = strings.TrimSpace(line)
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "", ":", "cd", "set", "export", "unset", "source", ".", "conda", "ulimit":
		return !strings.ContainsAny(line, "|&;")
	}
	return strings.HasPrefix(line, "#")
}
