package languages

import (
	"fmt"
	"regexp"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// cppLanguage builds with CMake and runs test executables directly, since they
// tell more than CTest does; CTest runs where no framework is known.
type cppLanguage struct{}

// buildDir stands outside the repository, so that nothing in it can be
// submitted.
const buildDir = "/build"

func (cppLanguage) Defaults(env bench.Env, f Facts) (bench.Env, []bench.Decision, error) {
	if env.Framework == "" {
		env.Framework = cppFramework(f.Repo, f.Files)
	}
	switch env.Framework {
	case "gtest", "catch2", "doctest", "ctest":
	default:
		if env.Test == "" {
			return env, nil, fmt.Errorf("framework %q is not one of C++'s (gtest, catch2, doctest, ctest)", env.Framework)
		}
	}
	if env.Packages == nil {
		env.Packages = append([]string{"cmake", "g++", "ninja-build"}, cppPackages(env.Framework, f.Repo)...)
	}
	return env, nil, nil
}

// cppPackages are the frameworks that Debian has, for repositories that do not
// bring their own.
func cppPackages(framework string, repo Repository) []string {
	for _, p := range repo.Paths() {
		if strings.HasSuffix(p, "/gtest.h") || strings.HasSuffix(p, "/catch.hpp") || strings.HasSuffix(p, "/doctest.h") {
			return nil
		}
	}
	switch framework {
	case "gtest":
		return []string{"libgmock-dev", "libgtest-dev"}
	case "catch2":
		return []string{"catch2"}
	case "doctest":
		return []string{"doctest-dev"}
	}
	return nil
}

var (
	gtestUse   = regexp.MustCompile(`(?m)#\s*include\s*["<](gtest|gmock)/|^\s*(TEST|TEST_F|TEST_P|TYPED_TEST)\s*\(`)
	doctestUse = regexp.MustCompile(`(?m)#\s*include\s*["<][^">]*doctest|SUBCASE\s*\(`)
	catchUse   = regexp.MustCompile(`(?m)#\s*include\s*["<][^">]*catch|SECTION\s*\(|^\s*TEST_CASE\s*\(`)
)

// cppFramework looks at the test files themselves.
func cppFramework(repo Repository, testFiles []string) string {
	for _, f := range testFiles {
		text := repo.Text(f)
		switch {
		case gtestUse.MatchString(text):
			return "gtest"
		case doctestUse.MatchString(text):
			return "doctest"
		case catchUse.MatchString(text):
			return "catch2"
		}
	}
	return "ctest"
}

// cppBuild configures, finds the executables that compile the suite's files by
// CMake's file API (or takes the instance's own list of targets), and builds
// them. It leaves one line per executable in $ASSAY_DIR/targets:
// name, artifact, folder.
func cppBuild(env bench.Env, suite Suite) string {
	var b strings.Builder
	fmt.Fprintf(&b, "B=%s\nASSAY_DIR=%s\nmkdir -p \"$ASSAY_DIR\" \"$B/.cmake/api/v1/query\"\n: >\"$B/.cmake/api/v1/query/codemodel-v2\"\n", buildDir, suite.dir())
	b.WriteString("echo configure >\"$ASSAY_DIR/phase\"\n")
	fmt.Fprintf(&b, "cmake -S . -B \"$B\" -G Ninja %s || exit 1\n", quoteAll(env.Args))
	b.WriteString("echo build >\"$ASSAY_DIR/phase\"\n")
	fmt.Fprintf(&b, "assay_targets() {\n%s}\n", cppTargets(env, suite))
	b.WriteString(`assay_targets | sort -u >"$ASSAY_DIR/targets"
set --
while IFS='	' read -r name rest; do set -- "$@" "$name"; done <"$ASSAY_DIR/targets"
if [ $# -gt 0 ]; then set -- --target "$@"; fi
cmake --build "$B" -j "${ASSAY_JOBS:-2}" "$@" || exit 1
echo run >"$ASSAY_DIR/phase"
`)
	return b.String()
}

// cppTargets prints name, artifact and build folder of the executables.
func cppTargets(env bench.Env, suite Suite) string {
	want := `awk -v wanted=%s -v files=%s '
function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
BEGIN { n = split(wanted, w, "\n"); for (i = 1; i <= n; i++) byname[w[i]] = 1
        m = split(files, f, "\n"); for (i = 1; i <= m; i++) bypath[f[i]] = 1 }
function emit() { if (exe && artifact != "" && (n ? name in byname : hit)) print name "\t" artifact "\t" folder }
FNR == 1 { emit(); exe = 0; hit = 0; name = ""; artifact = ""; folder = "."; inart = 0 }
/^\t"artifacts"/ { inart = 1 }
/^\t"paths"/ { inart = 0 }
/"path" : / { p = value($0); if (inart && artifact == "") { artifact = p; inart = 0 } if (p in bypath) hit = 1 }
/^\t\t"build" : / { folder = value($0) }
/^\t"name" : / { name = value($0) }
/^\t"type" : "EXECUTABLE"/ { exe = 1 }
END { emit() }
' "$B"/.cmake/api/v1/reply/target-*.json
`
	return fmt.Sprintf(want, quote(strings.Join(env.Targets, `\n`)), quote(strings.Join(suite.Files, `\n`)))
}

// Warm builds at base, everything where the suite's files are new.
func (cppLanguage) Warm(env bench.Env, suite Suite) string { return cppBuild(env, suite) }

func (cppLanguage) Command(env bench.Env, suite Suite) Command {
	c := Command{
		Reports: []string{suite.reports() + "/*"},
		Env:     []string{"GTEST_COLOR=no", "CTEST_OUTPUT_ON_FAILURE=1"},
	}
	switch env.Framework {
	case "gtest":
		c.Format, c.Text = reports.GTest, reports.GTestText
		c.Script = cppBuild(env, suite) + cppRunEach(gtestFilter(suite.Select)+`"$exe" --gtest_output="xml:$R/$name.xml"`)
		c.Nonce = cppNonce(suite, reports.GTest, `GTEST_FILTER=`+suite.Nonce+`.* "$exe" --gtest_output="xml:$R/$name.xml"`)
	case "catch2":
		c.Format = reports.Catch2
		c.Script = cppBuild(env, suite) + cppRunEach(`"$exe" -r xml -o "$R/$name.xml"`)
		c.Nonce = cppNonce(suite, reports.Catch2, `"$exe" `+suite.Nonce+` -r xml -o "$R/$name.xml"`)
	case "doctest":
		c.Format = reports.Doctest
		c.Script = cppBuild(env, suite) + cppRunEach(`"$exe" -r=xml -o="$R/$name.xml"`)
		c.Nonce = cppNonce(suite, reports.Doctest, `"$exe" --test-case=`+suite.Nonce+` -r=xml -o="$R/$name.xml"`)
	default:
		c.Format, c.Text = reports.CTest, reports.CTestText
		c.Script = cppBuild(env, suite) + `R=` + quote(suite.reports()) + `
ctest --test-dir "$B" --output-junit "$R/ctest.xml" >"$R/ctest.log" 2>&1
rc=$?
cat "$R/ctest.log"
exit $rc
`
	}
	c.Script = strings.ReplaceAll(c.Script, "$R/", suite.reports()+"/")
	return c
}

// cppRunEach runs every executable where CTest would, and keeps the worst
// exit code. Its output goes to a file first, for a run that dies.
func cppRunEach(run string) string {
	return `rc=0
while IFS='	' read -r name artifact folder; do
  case $artifact in /*) exe=$artifact ;; *) exe=$B/$artifact ;; esac
  (mkdir -p "$B/$folder" && cd "$B/$folder" && ` + run + `) >"$R/$name.log" 2>&1 </dev/null
  code=$?
  if [ $code -ne 0 ]; then rc=$code; fi
  cat "$R/$name.log"
done <"$ASSAY_DIR/targets"
exit $rc
`
}

// cppNonce starts every executable once more and asks for a test that does not
// exist. A test of ours would have to be linked into it; but one that writes
// reports by itself is likely to write them here, too.
func cppNonce(suite Suite, format reports.Format, run string) *Nonce {
	dir := suite.dir() + "/again"
	script := "B=" + buildDir + "\nASSAY_DIR=" + suite.dir() + "\nmkdir -p " + dir + "\n" + cppRunEach(run)
	return &Nonce{
		Script:  strings.ReplaceAll(script, "$R/", dir+"/"),
		Reports: []string{dir + "/*.xml"},
		Format:  format,
		Empty:   true,
	}
}

// gtestFilter narrows a run to tests by name, whatever their parameters.
func gtestFilter(selected []string) string {
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
	return "GTEST_FILTER=" + quote(strings.Join(patterns, ":")) + " "
}
