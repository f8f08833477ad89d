package languages

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"assay/bench"
)

// cppOption is a switch of a CMake project.
type cppOption struct {
	name, doc, initial string
	file               string
	line               int
}

// cppOptions finds the project's switches: option(), cmake_dependent_option()
// and cached booleans, and variables that guard a folder of tests and that
// nothing declares.
func cppOptions(commands []cmakeCommand) []cppOption {
	var out []cppOption
	seen := map[string]bool{}
	add := func(name, doc, initial string, c cmakeCommand) {
		if name == "" || seen[name] || strings.ContainsAny(name, "${}") {
			return
		}
		seen[name] = true
		out = append(out, cppOption{name, doc, initial, c.File, c.Line})
	}
	for _, c := range commands {
		switch {
		case c.Name == "option", c.Name == "cmake_dependent_option":
			add(c.arg(0), c.arg(1), c.arg(2), c)
		case c.Name == "set" && c.arg(2) == "CACHE" && c.arg(3) == "BOOL":
			add(c.arg(0), c.arg(4), c.arg(1), c)
		}
	}
	for i, c := range commands {
		if c.Name != "if" || i+1 >= len(commands) {
			continue
		}
		next := commands[i+1]
		if next.File == c.File && (next.Name == "enable_testing" || next.Name == "add_subdirectory" && testFolder(next.arg(0))) {
			for _, word := range c.Args {
				if !strings.HasPrefix(word, "CMAKE_") && !strings.HasPrefix(word, "PROJECT_") && !c.has("NOT") {
					add(word, "", "", c)
				}
			}
		}
	}
	return out
}

func testFolder(p string) bool {
	name := strings.ToLower(path.Base(p))
	return strings.HasPrefix(name, "test") || strings.HasSuffix(name, "tests") || strings.HasSuffix(name, "test")
}

// words splits FOO_BuildTests into foo, build, tests.
func words(name string) []string {
	var out []string
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(strings.Trim(name[start:end], "_-")))
		}
		start = end
	}
	for i := 1; i < len(name); i++ {
		lower, upper := unicode.IsLower(rune(name[i-1])), unicode.IsUpper(rune(name[i]))
		if name[i-1] == '_' || name[i-1] == '-' || lower && upper {
			cut(i)
		}
	}
	cut(len(name))
	return slices.DeleteFunc(out, func(w string) bool { return w == "" })
}

// wantsTests distinguishes a switch that adds the project's tests, or its
// developer mode, from one that adds some other kind of tests or leaves tests
// out: besides the project's name only words without further meaning may be
// in it.
func (o cppOption) wantsTests(own map[string]bool) bool {
	text := strings.ToLower(o.doc)
	for _, no := range []string{"skip", "disable", "do not", "don't", "expensive", "fuzz", "benchmark"} {
		if strings.Contains(text, no) {
			return false
		}
	}
	kind := ""
	for i, word := range words(o.name) {
		switch word {
		case "test", "tests", "testing", "unittest", "unittests", "selftest", "selftests":
			kind = "tests"
		case "developer", "development", "dev", "devel", "maintainer":
			kind = "developer"
		case "build", "enable", "with", "make", "compile", "add", "generate", "unit", "self", "all", "mode", "and", "cpp", "cxx", "main", "internal", "own":
		default:
			if i > 0 && !own[word] {
				return false
			}
		}
	}
	return kind != ""
}

// wantsNoErrors recognises a switch that makes errors of warnings.
func (o cppOption) wantsNoErrors() bool {
	joined := strings.Join(words(o.name), "_")
	return strings.Contains(joined, "werror") || strings.Contains(joined, "warnings_as_errors") || strings.Contains(joined, "warning_as_error")
}

// wantsDownloads recognises a switch that adds what a project compares itself
// with or is measured by: programs that no test needs and that are
// downloaded.
func (o cppOption) wantsDownloads() bool {
	for _, word := range words(o.name) {
		switch word {
		case "competition", "competitive", "benchmark", "benchmarks", "fuzzers", "fuzzing", "fuzz":
			return true
		}
	}
	return false
}

func literalOn(value string) bool {
	switch strings.ToUpper(value) {
	case "ON", "TRUE", "YES", "Y", "1":
		return true
	}
	return false
}

// cppSwitches are the arguments that switch the project's tests on. What args
// says already is left alone.
func cppSwitches(options []cppOption, own map[string]bool, args []string) (out []string, why []bench.Decision) {
	set := func(o cppOption, value, reason string) {
		arg := "-D" + o.name + "=" + value
		if slices.ContainsFunc(append(args, out...), func(a string) bool {
			return strings.HasPrefix(a, "-D"+o.name+"=") || strings.HasPrefix(a, "-D"+o.name+":")
		}) {
			return
		}
		out = append(out, arg)
		why = append(why, bench.Decision{Field: "args", Value: arg, Why: reason, File: o.file, Line: o.line})
	}
	for _, o := range options {
		switch {
		case o.wantsNoErrors():
			set(o, "OFF", "warnings of a newer compiler are not errors")
		case o.wantsDownloads():
			if o.initial != "" && strings.ToUpper(o.initial) != "OFF" {
				set(o, "OFF", "no test needs what this switch adds")
			}
		case o.wantsTests(own) && !literalOn(o.initial):
			set(o, "ON", "this switch adds the project's tests")
		}
	}
	return out, why
}

// presetOptions reads the cached variables of CMakePresets.json: which switches
// the authors turn on for tests.
func presetOptions(repo Repository, own map[string]bool) []cppOption {
	const file = "CMakePresets.json"
	var presets struct {
		ConfigurePresets []struct {
			Name           string                     `json:"name"`
			CacheVariables map[string]json.RawMessage `json:"cacheVariables"`
		} `json:"configurePresets"`
	}
	text := repo.Text(file)
	if json.Unmarshal([]byte(text), &presets) != nil {
		return nil
	}
	var out []cppOption
	for _, p := range presets.ConfigurePresets {
		names := make([]string, 0, len(p.CacheVariables))
		for name := range p.CacheVariables {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			value := strings.Trim(string(p.CacheVariables[name]), `"`)
			if o := (cppOption{name: name, file: file, line: lineOf(text, fmt.Sprintf("%q", name))}); literalOn(value) && o.wantsTests(own) {
				out = append(out, o)
			}
		}
	}
	return out
}
