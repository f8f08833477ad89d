package languages

import (
	"fmt"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// cppRunner is how a framework's executables are run and read.
type cppRunner struct {
	format, text reports.Format
	// run is the command line of an executable for all its tests, and none that
	// for a test with a name that no test has.
	run, none string
	// closed is the end of a report that a runner wrote to its end.
	closed string
}

func cppRunnerOf(framework string, suite Suite, own *Own) cppRunner {
	switch framework {
	case "gtest":
		return cppRunner{
			format: reports.GTest, text: reports.GTestText, closed: "</testsuites>",
			run:  gtestFilter(suite.Select, own) + `GTEST_OUTPUT="xml:$R/$name.xml" "$exe" "$@" --gtest_output="xml:$R/$name.xml"`,
			none: `GTEST_FILTER=` + suite.Nonce + `.* "$exe" --gtest_output="xml:$R/$name.xml"`,
		}
	case "catch2":
		return cppRunner{
			format: reports.Catch2, closed: "</Catch",
			run:  `"$exe" "$@"` + cppCases(framework, suite) + ` -r xml -o "$R/$name.xml"`,
			none: `"$exe" ` + suite.Nonce + ` -r xml -o "$R/$name.xml"`,
		}
	case "doctest":
		return cppRunner{
			format: reports.Doctest, closed: "</doctest>",
			run:  `"$exe" "$@"` + cppCases(framework, suite) + ` -r=xml -o="$R/$name.xml"`,
			none: `"$exe" --test-case=` + suite.Nonce + ` -r=xml -o="$R/$name.xml"`,
		}
	}
	return cppRunner{format: reports.CTest, text: reports.CTestText}
}

func (l cppLanguage) Command(env bench.Env, suite Suite) Command {
	suite = withUnits(suite)
	if tool, ok := cppToolNamed(env.Framework); ok {
		return tool.command(env, suite)
	}
	direct, ctest := l.published(env, suite)
	own := cppOwnOf(env, suite, !direct)
	runner := cppRunnerOf(env.Framework, suite, own)
	c := Command{
		Reports: []string{suite.reports() + "/*"},
		Env:     []string{"GTEST_COLOR=no", "CTEST_OUTPUT_ON_FAILURE=1"},
		Own:     own,
		Collect: []string{suite.dir() + "/settings/*"}, Settings: cppSettings(suite),
	}
	script := cppBegin + cppBuild(env, suite, ctest) + cppSettingsScript(suite) + "R=" + suite.reports() + "\nrc=0\n"
	c.Format, c.Text = cppFormats(direct, ctest, runner)
	script += cppTests(direct, ctest, cppListed(suite)+own.script()+cppRunEach(runner, suite))
	switch {
	case suite.Bare:
	case direct:
		c.Nonce = cppNonce(suite, runner)
		c.Nonce.Script = "B=" + buildDir + "\nASSAY_DIR=" + suite.dir() + "\n" + own.copiesScript() + c.Nonce.Script
	case own != nil:
		c.Nonce = &Nonce{Script: "B=" + buildDir + "\nASSAY_DIR=" + suite.dir() + "\n" + own.script() + cppListed(suite) + own.copiesScript()}
	}
	c.Script = script + "exit $rc\n"
	return c
}

// cppTests runs CTest, the executables by each, or both, and leaves the worst exit
// code in rc.
func cppTests(direct, ctest bool, each string) string {
	switch {
	case ctest && direct:
		return cppCTest + "worst=$rc\n" + each + "if [ $worst -ne 0 ]; then rc=$worst; fi\n"
	case ctest:
		return cppCTest
	}
	return each
}

// cppFormats are those of the reports, and of the output of what died.
func cppFormats(direct, ctest bool, runner cppRunner) (format, text reports.Format) {
	switch {
	case ctest && direct:
		return "", "" // recognised by their content
	case ctest:
		return reports.CTest, reports.CTestText
	}
	return runner.format, runner.text
}

// cppListed reads where and how CTest would run each executable: for one that
// is in CTest's tests, a file of shell that goes there, sets the environment,
// and, where it is run in one way only, its arguments.
func cppListed(suite Suite) string {
	return `mkdir -p "$ASSAY_DIR/tests"
cat >"$ASSAY_DIR/tests.cmake" <<'ASSAY_END'
` + cppTestsCMake + `ASSAY_END
ctest --test-dir "$B" --show-only=json-v1 >"$ASSAY_DIR/tests.json" 2>/dev/null &&
  cmake -DIN="$ASSAY_DIR/tests.json" -DOUT="$ASSAY_DIR/tests" -P "$ASSAY_DIR/tests.cmake" || true
`
}

const cppTestsCMake = `file(READ "${IN}" doc)
string(JSON count ERROR_VARIABLE wrong LENGTH "${doc}" tests)
if(wrong OR count EQUAL 0)
  return()
endif()
function(word out text)
  string(REPLACE "'" "'\\''" text "${text}")
  set(${out} "'${text}'" PARENT_SCOPE)
endfunction()
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON test GET "${doc}" tests ${i})
  string(JSON length ERROR_VARIABLE wrong LENGTH "${test}" command)
  if(wrong OR length EQUAL 0)
    continue()
  endif()
  string(JSON exe GET "${test}" command 0)
  string(REPLACE "/" "+" key "${exe}")
  set(args "set --")
  if(length GREATER 1)
    math(EXPR end "${length} - 1")
    foreach(k RANGE 1 ${end})
      string(JSON arg GET "${test}" command ${k})
      if(NOT arg MATCHES "^--gtest_")
        word(arg "${arg}")
        string(APPEND args " ${arg}")
      endif()
    endforeach()
  endif()
  set(place "")
  string(JSON n ERROR_VARIABLE wrong LENGTH "${test}" properties)
  if(NOT wrong AND n GREATER 0)
    math(EXPR end "${n} - 1")
    foreach(k RANGE ${end})
      string(JSON name GET "${test}" properties ${k} name)
      if(name STREQUAL "WORKING_DIRECTORY")
        string(JSON dir GET "${test}" properties ${k} value)
        word(dir "${dir}")
        string(APPEND place "cd ${dir} || exit 1\n")
      elseif(name STREQUAL "ENVIRONMENT")
        string(JSON m LENGTH "${test}" properties ${k} value)
        if(m GREATER 0)
          math(EXPR stop "${m} - 1")
          foreach(v RANGE ${stop})
            string(JSON var GET "${test}" properties ${k} value ${v})
            word(var "${var}")
            string(APPEND place "export ${var}\n")
          endforeach()
        endif()
      endif()
    endforeach()
  endif()
  if(DEFINED "args${key}" AND NOT "${args${key}}" STREQUAL "${args}")
    set(args "set --")
  endif()
  set("args${key}" "${args}")
  if(DEFINED "place${key}" AND NOT "${place${key}}" STREQUAL "${place}")
    set(place "${place${key}}")
  endif()
  set("place${key}" "${place}")
  file(WRITE "${OUT}/${key}" "${place}${args}\n")
endforeach()
`

// cppRunEach runs every executable where and as CTest would, and keeps the
// worst exit code in rc. Its output goes to a file first, for a run that
// dies. One that was not built leaves a report of that. Where the report
// ended, an exit code above 125 is a number of failures.
func cppRunEach(r cppRunner, suite Suite) string {
	unbuilt := `printf '<testsuites disabled="0"><testsuite name="build"><testcase name="%s" classname="build"><failure message="the executable was not built"/></testcase></testsuite></testsuites>\n' "$name" >"$R/$name.unbuilt.xml"`
	if suite.Contributed {
		unbuilt = ":"
	}
	return fmt.Sprintf(`while IFS='	' read -r name artifact folder; do
  case $artifact in /*) exe=$artifact ;; *) exe=$B/$artifact ;; esac
  if [ ! -f "$exe" ]; then %s; rc=1; continue; fi
  (mkdir -p "$B/$folder" && cd "$B/$folder" || exit 1
   set --
   how=$ASSAY_DIR/tests/$(printf '%%s' "$exe" | tr / +)
   if [ -f "$how" ]; then . "$how"; fi
   %s) >"$R/$name.log" 2>&1 </dev/null
  code=$?
  if [ $code -gt 125 ] && tail -c 200 "$R/$name.xml" 2>/dev/null | grep -q -F '%s'; then code=1; fi
  if [ $code -ne 0 ]; then rc=$code; fi
  cat "$R/$name.log"
done <"$ASSAY_DIR/targets"
`, unbuilt, r.run, r.closed)
}

// cppNonce starts every executable again that holds no nonce test, and asks
// for a test that does not exist: one that writes reports by itself is likely
// to write them here, too.
func cppNonce(suite Suite, r cppRunner) *Nonce {
	dir := suite.dir() + "/again"
	r.run = r.none
	again := suite
	again.Contributed = true // what was not built is already reported
	script := "B=" + buildDir + "\nASSAY_DIR=" + suite.dir() + "\nR=" + dir + "\nmkdir -p \"$R\"\nrc=0\n" + cppWithoutOwn + cppRunEach(r, again) + "exit $rc\n"
	return &Nonce{Script: script, Reports: []string{dir + "/*.xml"}, Format: r.format, Empty: true}
}

// cppWithoutOwn leaves among the targets those that hold no nonce tests.
const cppWithoutOwn = `if [ -f "$ASSAY_DIR/own/state" ]; then
  awk -F '\t' 'FNR == NR { if ($3 != "none") own[$1] = 1; next } !($1 in own)' "$ASSAY_DIR/own/state" "$ASSAY_DIR/targets" >"$ASSAY_DIR/others"
  mv "$ASSAY_DIR/others" "$ASSAY_DIR/targets"
fi
`

// gtestFilter narrows a run to tests by name, with any parameters.
func gtestFilter(selected []string, own *Own) string {
	if len(selected) == 0 {
		return ""
	}
	var patterns []string
	for _, id := range selected {
		suite, name, ok := strings.Cut(id, ".")
		if !ok {
			return ""
		}
		patterns = append(patterns, suite+"."+name, suite+"."+name+"/*", "*/"+suite+"."+name, "*/"+suite+"."+name+"/*", suite+"/*."+name, "*/"+suite+"/*."+name)
	}
	patterns = append(patterns, own.ids()...)
	filter := strings.Join(patterns, ":")
	if len(filter) > longList {
		return "" // one variable holds 128 KiB; all tests run, and those that count are picked afterwards
	}
	return "GTEST_FILTER=" + quote(filter) + " "
}
