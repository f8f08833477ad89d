package badpatch

import (
	"path"
	"regexp"
	"slices"
	"strconv"
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
			f, ok := readTrace(inst.Language, text)
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

var (
	// pytest closes every frame with its place, the last one with the exception;
	// Python itself puts the place first.
	pytestFrame = regexp.MustCompile(`(?m)^(\S+\.py):(\d+): (\w*)`)
	pythonFrame = regexp.MustCompile(`(?m)^\s*File "([^"]+\.py)", line (\d+), in `)
	pythonError = regexp.MustCompile(`(?m)^(?:E\s+)?((?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit))(?::|$)`)
	javaError   = regexp.MustCompile(`(?m)^\s*(?:Caused by: )?((?:[a-z_]\w*\.)+[A-Z][\w$]*(?:Error|Exception|Throwable))\b`)
	javaFrame   = regexp.MustCompile(`(?m)^\s*at ([\w.$]+)\.[\w$<>]+\((\w+\.java):(\d+)\)`)
)

// readTrace finds the innermost frame that is the repository's own code, and
// the exception.
func readTrace(language, text string) (Failure, bool) {
	switch language {
	case languages.Java:
		return javaTrace(text)
	case languages.Cpp:
		return Failure{}, false // its runners report no frames
	}
	return pythonTrace(text)
}

func pythonTrace(text string) (Failure, bool) {
	var f Failure
	if all := pythonError.FindAllStringSubmatch(text, -1); len(all) > 0 {
		f.Exception = all[len(all)-1][1]
	}
	frames := append(pytestFrame.FindAllStringSubmatch(text, -1), pythonFrame.FindAllStringSubmatch(text, -1)...)
	for _, m := range frames {
		p := strings.TrimPrefix(strings.TrimPrefix(m[1], languages.Root), "/")
		if own(languages.Python, p) {
			f.Path = p
			f.Line, _ = strconv.Atoi(m[2])
		}
	}
	return f, f.Exception != ""
}

// javaTrace takes the uppermost frame of a class that is not a test and whose
// package may be in the repository: frames name no folders, so that the path
// is that of the class below any source root.
func javaTrace(text string) (Failure, bool) {
	m := javaError.FindStringSubmatch(text)
	if m == nil {
		return Failure{}, false
	}
	f := Failure{Exception: m[1]}
	for _, frame := range javaFrame.FindAllStringSubmatch(text, -1) {
		class := frame[1]
		if strings.HasPrefix(class, "java.") || strings.HasPrefix(class, "org.junit") || strings.HasSuffix(strings.TrimSuffix(frame[2], ".java"), "Test") {
			continue
		}
		dir := strings.ReplaceAll(class, ".", "/")
		f.Path = "src/main/java/" + path.Join(path.Dir(dir), frame[2])
		f.Line, _ = strconv.Atoi(frame[3])
		break
	}
	return f, true
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
