package badpatch

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"assay/languages"
)

var (
	javaError = regexp.MustCompile(`(?m)^\s*(?:Caused by: )?((?:[a-z_]\w*\.)+[A-Z][\w$]*(?:Error|Exception|Throwable))\b`)
	javaFrame = regexp.MustCompile(`(?m)^\s*at ([\w.$]+)\.[\w$<>]+\((\w+\.java):(\d+)\)`)
)

func javaReading() reading {
	return reading{
		language: languages.Java, trace: javaTrace, lostAtThrow: true,
		errorRan: func(message string) bool { return !unlinked.MatchString(message) },
	}
}

// unlinked are the words of a JVM that could not load a class.
var unlinked = regexp.MustCompile(`\b(?:NoClassDefFoundError|ExceptionInInitializerError|ClassNotFoundException|LinkageError|NoSuch(?:Method|Field)Error)\b`)

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
