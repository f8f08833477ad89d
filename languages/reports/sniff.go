package reports

import (
	"bytes"
	"strings"
)

// sniffBytes bounds what Sniff looks at of text.
const sniffBytes = 256 << 10

// Sniff guesses the format: structured ones by root element and attributes,
// text by the lines that only one tool prints. It does not distinguish
// Surefire's XML from Failsafe's (they are the same) and treats JUnit XML
// without a sign of its tool as Surefire's.
func Sniff(data []byte) (Format, bool) {
	head := bytes.TrimLeft(data[:min(len(data), sniffBytes)], " \t\r\n\xef\xbb\xbf")
	if bytes.HasPrefix(head, []byte("{")) {
		switch {
		case bytes.HasPrefix(head, []byte(`{"ev"`)):
			return PytestJSON, true
		case bytes.Contains(head, []byte(`"testsuites"`)):
			return GTest, true
		}
		return "", false
	}
	if bytes.HasPrefix(head, []byte("<")) {
		return sniffXML(head)
	}
	return sniffText(head)
}

func sniffXML(head []byte) (Format, bool) {
	scan := junitScan{xmlScanner: xmlScanner{data: head}}
	switch xmlRoot(head) {
	case "Catch", "Catch2TestRun":
		return Catch2, true
	case "doctest":
		return Doctest, true
	case "testsuites", "testsuite":
	default:
		return "", false
	}
	var first xmlToken // the first testsuite
	for first.name != "testsuite" {
		tok, ok := scan.next()
		if !ok {
			break
		}
		if tok.kind == xmlStart {
			if tok.name == "testsuites" && tok.attr("disabled") != "" {
				return GTest, true
			}
			first = tok
		}
	}
	return sniffSuite(first), true
}

// sniffSuite uses the attributes that only one writer has.
func sniffSuite(suite xmlToken) Format {
	has := func(name string) bool { return suite.attr(name) != "" }
	switch {
	case suite.attr("name") == "pytest":
		return Pytest
	case has("doctest_version"):
		return Doctest
	case suite.attr("hostname") == "tbd": // Catch2 has written no host ever
		return Catch2
	case has("disabled"):
		return CTest
	case has("timestamp") && bytes.Contains(suite.attrs, []byte("hostname=")):
		return Gradle
	}
	return Surefire
}

func sniffText(head []byte) (Format, bool) {
	for line := range lines(head) {
		if f := sniffLine(line); f != "" {
			return f, true
		}
	}
	return "", false
}

func sniffLine(line string) Format {
	trimmed := strings.TrimLeft(line, " ")
	switch {
	case strings.HasPrefix(line, "[==========] Running "):
		return GTestText
	case strings.HasPrefix(line, "Test project /"):
		return CTestText
	case strings.HasPrefix(line, "=") && (strings.Contains(line, " test session starts ") || strings.Contains(line, " short test summary info ")):
		return PytestText
	case strings.HasPrefix(line, "[doctest] "):
		return DoctestText
	case strings.Contains(line, " is a Catch") && strings.HasSuffix(line, " host application."):
		return Catch2Text
	case strings.HasSuffix(line, " T E S T S") || strings.HasPrefix(line, "[INFO] Scanning for projects"):
		return MavenText
	case strings.HasPrefix(line, "> Task :") || strings.HasPrefix(line, ":compileJava") || strings.HasPrefix(line, "BUILD SUCCESSFUL in "):
		return GradleText
	case strings.HasPrefix(trimmed, "Ran ") && strings.Contains(line, " tests in ") || strings.HasSuffix(line, ") ... ok"):
		return Unittest
	}
	return ""
}
