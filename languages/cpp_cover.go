package languages

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"assay/harness"
	"assay/languages/syntax"
)

func (cppLanguage) measures(p string) bool {
	about := about(Cpp)
	return about.IsCode(p) && !strings.HasSuffix(p, ".cmake")
}

func (cppLanguage) tellsTestsApart() bool { return false }

// coverageLayer implements measurer: gcov comes with the compiler.
func (cppLanguage) coverageLayer() harness.Recipe { return harness.Recipe{} }

// measure implements measurer, for what CMake builds: the files in question count
// as changed, so that everything that compiles them is compiled again, in the
// run's own copy of the build folder, and now for coverage. Nothing else is. gcov
// reads what the tests left.
func (cppLanguage) measure(s Suite, lines map[string][]int) measurement {
	folder := coverFolder(s)
	var keep strings.Builder
	for _, p := range sortedKeys(lines) {
		fmt.Fprintf(&keep, "mv %s %s 2>/dev/null\n", quote(gcovName(p)), quote(folder+"/kept/"))
	}
	return measurement{
		script: "mkdir -p " + quote(folder+"/all") + " " + quote(folder+"/kept") + "\nmkdir -p " + cppSetUp + "\n" +
			`ASSAY_COMPILE_FLAGS="${ASSAY_COMPILE_FLAGS--Wno-error} --coverage -O0"; export ASSAY_COMPILE_FLAGS
printf '%s\n' -DCMAKE_EXE_LINKER_FLAGS=--coverage -DCMAKE_SHARED_LINKER_FLAGS=--coverage >>` + cppSetUp + `/cmake
touch -c ` + quoteAll(sortedKeys(lines)) + "\n",
		after: `here=$PWD
cd ` + quote(folder+"/all") + ` || exit 1
find ` + buildDir + ` -name '*.gcno' -exec gcov -p -r -s "$here" {} +
` + keep.String(),
		collect: folder + "/kept/*.gcov",
		read:    func(files map[string][]byte) Coverage { return readGcov(files, folder+"/kept/", lines) },
	}
}

// gcovName is what gcov calls its text about a source (with -p).
func gcovName(p string) string { return strings.ReplaceAll(p, "/", "#") + ".gcov" }

// readGcov takes the lines in question from gcov's texts; nil where there are
// none. A file that nothing compiled has no executable line.
func readGcov(files map[string][]byte, folder string, lines map[string][]int) Coverage {
	out, found := Coverage{}, false
	for p, wanted := range lines {
		f := FileCoverage{Executable: []int{}, Covered: map[string][]int{}, Whole: true}
		text, ok := files[folder+gcovName(p)]
		found = found || ok
		counts := gcovLines(string(text))
		numbers := make([]int, 0, len(counts))
		for n := range counts {
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		for _, n := range numbers {
			f.note(n, counts[n], wanted)
		}
		out[p] = f
	}
	if !found {
		return nil
	}
	return out
}

// gcovLines are the executable lines of a text of gcov's, and whether they ran. A
// template's lines come once for each of its instances.
func gcovLines(text string) map[int]bool {
	out := map[int]bool{}
	for line := range strings.Lines(text) {
		parts := strings.SplitN(line, ":", 3)
		if len(parts) < 3 {
			continue
		}
		count := strings.TrimSpace(parts[0])
		n, err := strconv.Atoi(strings.TrimSpace(parts[1]))
		if err != nil || n == 0 || count == "-" {
			continue
		}
		ran := count != "" && count[0] >= '1' && count[0] <= '9'
		out[n] = out[n] || ran
	}
	return out
}

// cppCases are the arguments by which Catch2 and doctest run the selected test
// cases and no others; "" where all run. A section is run with its case.
func cppCases(framework string, suite Suite) string {
	if !suite.Measured || len(suite.Select) == 0 {
		return ""
	}
	var roots []string
	for _, f := range suite.Files {
		tests, err := cppLanguage{}.Tests(f, []byte(suite.Repo.Text(f)))
		if err != nil {
			return ""
		}
		for _, t := range tests {
			if !slices.ContainsFunc(tests, func(o syntax.Test) bool { return strings.HasPrefix(t.ID, o.ID+"/") }) {
				roots = append(roots, t.ID)
			}
		}
	}
	var names []string
	for _, id := range suite.Select {
		for _, r := range roots {
			if id == r || strings.HasPrefix(id, r+"/") {
				names = append(names, strings.NewReplacer(`\`, `\\`, ",", `\,`, "[", `\[`).Replace(r))
			}
		}
	}
	slices.Sort(names)
	list := strings.Join(slices.Compact(names), ",")
	switch {
	case list == "" || len(list) > longList:
		return ""
	case framework == "doctest":
		return " " + quote("--test-case="+list)
	}
	return " " + quote(list)
}
