package samples

import (
	"bytes"
	"encoding/xml"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newRunner returns a function that applies patches to base and runs all
// tests. The work tree is kept between runs, so that C++ is built in part
// only.
//
// Note: reports are read here with a few lines of this test's own, so that
// the lists of the samples do not rest on the readers that they shall try.
func newRunner(t *testing.T, d definition) func(patches ...string) outcomes {
	t.Helper()
	work := t.TempDir()
	var run func(tree string) outcomes
	switch d.language {
	case "python":
		python := pytestPython(t)
		run = func(tree string) outcomes { return runPytest(t, python, tree) }
	case "java":
		need(t, "mvn", "javac")
		run = func(tree string) outcomes { return runMaven(t, tree) }
	case "cpp":
		need(t, "cmake", "ninja", "g++")
		build := t.TempDir()
		run = func(tree string) outcomes { return runCMake(t, d.Env.Framework, tree, build) }
	}
	return func(patches ...string) outcomes {
		synchronise(t, work, patched(t, d, patches))
		return run(work)
	}
}

func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine", tool)
		}
	}
}

// patched returns the files of base with patches on it.
func patched(t *testing.T, d definition, patches []string) map[string][]byte {
	t.Helper()
	tree := t.TempDir()
	files, err := d.files()
	require.NoError(t, err)
	synchronise(t, tree, files)
	for _, name := range patches {
		text, err := d.patch(name)
		require.NoError(t, err)
		cmd := exec.Command("git", "apply", "-")
		cmd.Dir, cmd.Stdin = tree, strings.NewReader(text)
		cmd.Env = append(gitEnviron(os.Environ()), "GIT_CEILING_DIRECTORIES="+filepath.Dir(tree))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
	}
	return read(t, tree)
}

// synchronise makes dir hold exactly the files; what is the same keeps its
// time stamp.
func synchronise(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, text := range read(t, dir) {
		if wanted, ok := files[name]; !ok || !bytes.Equal(wanted, text) {
			require.NoError(t, os.Remove(filepath.Join(dir, name)))
		}
	}
	for name, text := range files {
		file := filepath.Join(dir, name)
		if _, err := os.Stat(file); err == nil {
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, text, 0o644))
	}
}

// pytestPython returns an interpreter that has pytest: the machine's, or one
// that is made.
func pytestPython(t *testing.T) string {
	t.Helper()
	need(t, "python3")
	if exec.Command("python3", "-c", "import pytest").Run() == nil {
		return "python3"
	}
	venv := t.TempDir()
	if out, err := exec.Command("python3", "-m", "venv", venv).CombinedOutput(); err != nil {
		t.Skipf("no virtual environment can be made: %s", out)
	}
	if out, err := exec.Command(filepath.Join(venv, "bin/pip"), "install", "-q", "pytest==8.3.5").CombinedOutput(); err != nil {
		t.Skipf("pytest cannot be installed: %s", out)
	}
	return filepath.Join(venv, "bin/python")
}

// testcase is an element of JUnit's XML.
type testcase struct {
	Name    string    `xml:"name,attr"`
	Class   string    `xml:"classname,attr"`
	File    string    `xml:"file,attr"`
	Failure *struct{} `xml:"failure"`
	Error   *struct{} `xml:"error"`
}

// readCases reads the test cases of a report, at any depth.
func readCases(t *testing.T, file string, id func(testcase) string) outcomes {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	out := outcomes{}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.Token()
		if err != nil {
			return out
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "testcase" {
			continue
		}
		var c testcase
		require.NoError(t, decoder.DecodeElement(&c, &start))
		out[id(c)] = c.Failure == nil && c.Error == nil
	}
}

func runPytest(t *testing.T, python, tree string) outcomes {
	report := filepath.Join(t.TempDir(), "report.xml")
	cmd := exec.Command(python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "junit_family=xunit1", "--junitxml="+report)
	cmd.Dir = tree
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() > 1 {
		t.Logf("pytest: %s", out)
		return nil
	}
	return readCases(t, report, func(c testcase) string {
		module := strings.ReplaceAll(strings.TrimSuffix(c.File, ".py"), "/", ".")
		class := strings.TrimPrefix(strings.TrimPrefix(c.Class, module), ".")
		if class != "" {
			class += "::"
		}
		return c.File + "::" + class + c.Name
	})
}

var javaParameters = regexp.MustCompile(`\([^)]*\)`)

func runMaven(t *testing.T, tree string) outcomes {
	for _, d := range globAll(t, tree, "target") {
		require.NoError(t, os.RemoveAll(d))
	}
	cmd := exec.Command("mvn", "-B", "-fn", "test")
	cmd.Dir = tree
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	if strings.Contains(string(text), "COMPILATION ERROR") {
		return nil
	}
	out := outcomes{}
	for _, report := range globAll(t, tree, "TEST-*.xml") {
		for id, passed := range readCases(t, report, func(c testcase) string {
			return c.Class + "::" + javaParameters.ReplaceAllString(c.Name, "")
		}) {
			out[id] = passed
		}
	}
	return out
}

// globAll lists what is named so at any depth.
func globAll(t *testing.T, dir, pattern string) []string {
	t.Helper()
	var out []string
	require.NoError(t, filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if ok, _ := filepath.Match(pattern, entry.Name()); ok && err == nil {
			out = append(out, file)
		}
		return err
	}))
	return out
}

func runCMake(t *testing.T, framework, tree, build string) outcomes {
	for _, args := range [][]string{{"-S", tree, "-B", build, "-G", "Ninja"}, {"--build", build}} {
		if out, err := exec.Command("cmake", args...).CombinedOutput(); err != nil {
			t.Logf("cmake: %s", out)
			return nil
		}
	}
	report := filepath.Join(t.TempDir(), "report.xml")
	programs := globAll(t, build, "*_tests")
	require.Len(t, programs, 1)
	if framework == "doctest" {
		out, _ := exec.Command(programs[0], "-r=xml", "-o="+report).CombinedOutput()
		require.FileExists(t, report, string(out))
		return readDoctest(t, report)
	}
	out, _ := exec.Command(programs[0], "--gtest_output=xml:"+report).CombinedOutput()
	require.FileExists(t, report, string(out))
	return readCases(t, report, func(c testcase) string { return c.Class + "." + c.Name })
}

// readDoctest reads test cases and sub-cases; a failure counts for all that
// contain it.
func readDoctest(t *testing.T, report string) outcomes {
	t.Helper()
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	out := outcomes{}
	var path []string
	decoder := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.Token()
		if err != nil {
			return out
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "TestCase", "SubCase":
				path = append(path, attribute(e, "name"))
				id := strings.Join(path, "/")
				if _, known := out[id]; !known {
					out[id] = true
				}
			case "Expression", "Exception":
				if attribute(e, "success") != "true" {
					for i := range path {
						out[strings.Join(path[:i+1], "/")] = false
					}
				}
			}
		case xml.EndElement:
			if e.Name.Local == "TestCase" || e.Name.Local == "SubCase" {
				path = path[:len(path)-1]
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
