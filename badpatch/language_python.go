package badpatch

import (
	"regexp"
	"strconv"
	"strings"

	"assay/languages"
)

var (
	// pytest closes every frame with its place, the last one with the exception;
	// Python itself puts the place first.
	pytestFrame = regexp.MustCompile(`(?m)^(\S+\.py):(\d+): (\w*)`)
	pythonFrame = regexp.MustCompile(`(?m)^\s*File "([^"]+\.py)", line (\d+), in `)
	pythonError = regexp.MustCompile(`(?m)^(?:E\s+)?((?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit))(?::|$)`)
)

func pythonReading() reading {
	return reading{language: languages.Python, trace: pythonTrace, signatureAtImport: true}
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
