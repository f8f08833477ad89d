package bench

import (
	"path"
	"strings"
)

// NormaliseLanguage returns assay's name of a language (python, java, cpp)
// for any of its usual spellings, or the name as it is and false.
func NormaliseLanguage(name string) (string, bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "python", "py", "python3":
		return "python", true
	case "java":
		return "java", true
	case "cpp", "c++", "cxx", "cc":
		return "cpp", true
	}
	return name, false
}

// languageOfPatches guesses the language of an instance that names none, as
// those of OmniCode and SWE-bench do, from the files that its test patch
// touches most, or else its gold patch; where neither holds source code, from
// their build files. Without a majority it is python, SWE-bench's language.
func languageOfPatches(testPatch, patch string) string {
	for _, of := range []func(string) string{languageOfSource, languageOfBuildFile} {
		for _, diff := range []string{testPatch, patch} {
			python, java, cpp := countLanguages(diff, of)
			switch {
			case python+java+cpp == 0:
				continue
			case python >= max(java, cpp):
				return "python"
			case java >= cpp:
				return "java"
			default:
				return "cpp"
			}
		}
	}
	return "python"
}

// countLanguages counts the files of a diff by language.
func countLanguages(diff string, of func(name string) string) (python, java, cpp int) {
	for line := range strings.Lines(diff) {
		if !strings.HasPrefix(line, "+++ ") && !strings.HasPrefix(line, "--- ") {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimRight(line[4:], "\r\n"), "\t")
		switch of(strings.ToLower(path.Base(name))) {
		case "python":
			python++
		case "java":
			java++
		case "cpp":
			cpp++
		}
	}
	return python, java, cpp
}

// languageOfSource returns the language of a source file. C counts as C++,
// whose tools build it.
func languageOfSource(name string) string {
	switch path.Ext(name) {
	case ".py":
		return "python"
	case ".java":
		return "java"
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".ipp", ".tcc", ".inl":
		return "cpp"
	}
	return ""
}

// languageOfBuildFile returns the language that a build file builds.
func languageOfBuildFile(name string) string {
	switch name {
	case "pom.xml":
		return "java"
	case "cmakelists.txt":
		return "cpp"
	case "pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini":
		return "python"
	}
	switch path.Ext(strings.TrimSuffix(name, ".kts")) {
	case ".gradle":
		return "java"
	case ".cmake":
		return "cpp"
	}
	return ""
}
