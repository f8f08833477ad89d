package badpatch

import (
	"path"
	"slices"
	"strings"

	"assay/badpatch/code"
	"assay/bench"
	"assay/languages"
	"assay/tasks"
)

// FailuresOf reads, from a run of the hidden tests on base, where the
// fail-to-pass tests fail inside the code and with which exception. What the
// runner's messages do not show stays out: sources work without it.
func FailuresOf(inst *bench.Instance, base languages.Outcome) []Failure {
	f2p, _ := tasks.FailingTests(inst, base)
	var out []Failure
	for _, t := range f2p {
		for _, text := range []string{t.Message, section(string(base.Log), t.ID)} {
			f, ok := readTrace(LanguageOf(inst), text)
			if ok && !slices.Contains(out, f) {
				out = append(out, f)
			}
			if ok {
				break
			}
		}
	}
	return out
}

// thrown reports whether the code threw, and no assertion of a test.
func (f Failure) thrown() bool {
	return f.Exception != "" && !strings.Contains(f.Exception[strings.LastIndexByte(f.Exception, '.')+1:], "Assertion")
}

func readTrace(language, text string) (Failure, bool) {
	if trace := readingOf(language).trace; trace != nil {
		return trace(text)
	}
	return Failure{}, false
}

// own reports whether a path may be the repository's source.
func own(language, p string) bool {
	return !path.IsAbs(p) && !strings.HasPrefix(p, "..") && !strings.Contains(p, "site-packages/") &&
		!strings.HasPrefix(p, "usr/") && !strings.HasPrefix(p, "opt/") && code.IsSource(language, p)
}

// section is the part of a runner's output that is about one test: from the
// line that heads it to the next heading.
func section(log, id string) string {
	name := id[strings.LastIndexAny(id, ":/ ")+1:]
	name, _, _ = strings.Cut(name, "[")
	if name == "" {
		return ""
	}
	lines := strings.Split(log, "\n")
	for i, l := range lines {
		if !heads(l) || !strings.Contains(l, name) {
			continue
		}
		end := i + 1
		for end < len(lines) && !heads(lines[end]) {
			end++
		}
		return strings.Join(lines[i:end], "\n")
	}
	return ""
}

// heads recognises pytest's and unittest's headings.
func heads(line string) bool {
	return strings.HasPrefix(line, "____") || strings.HasPrefix(line, "====") || strings.HasPrefix(line, "FAIL: ") || strings.HasPrefix(line, "ERROR: ")
}
