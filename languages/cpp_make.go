package languages

import (
	"path"
	"regexp"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// makeTool builds and tests with a plain Makefile, in the tree.
func makeTool() cppTool {
	return cppTool{
		name:  "make",
		file:  makefileWithTests,
		tests: func(r Repository) bool { return makefileWithTests(r) != "" },
		needs: makePackages, args: func(Facts) ([]string, []bench.Decision) { return nil, nil },
		shell:   makeShell,
		formats: map[string]reports.Format{"make.log": reports.MakeText, "": reports.GTest},
		printed: true,
	}
}

var (
	makeTarget = regexp.MustCompile(`(?m)^(check|test|tests|unittest|unittests|runtests|run-tests|run_tests)\s*:([^=]|$)`)
	makeLibs   = regexp.MustCompile(`(?:^|\s)-l([\w.+-]+)`)
)

// makefileWithTests is the uppermost Makefile with a target that tests.
func makefileWithTests(repo Repository) string {
	best := ""
	for _, p := range ownFiles(repo, "Makefile", "makefile", "GNUmakefile", "Makefile.in") {
		if (best == "" || strings.Count(p, "/") < strings.Count(best, "/")) && makeTarget.MatchString(repo.Text(p)) {
			best = p
		}
	}
	return best
}

// makeShell runs the first target that tests. The target itself is a test, too:
// all that is known of a Makefile whose tests print nothing of the kind.
const makeShell = makeWhole + `assay_build() {
  (cd "$S" || exit 1
   if [ ! -f Makefile ] && [ ! -f makefile ] && [ ! -f GNUmakefile ] && [ -f configure ]; then sh ./configure || exit 1; fi
   assay_make)
}
assay_built() { if [ "$ASSAY_WARM" = 1 ] || [ ! -f "$A/whole" ]; then echo yes; fi; }
assay_target() {
  cat "$S/GNUmakefile" "$S/makefile" "$S/Makefile" 2>/dev/null >"$ASSAY_DIR/makefile"
  for t in check test tests unittest unittests runtests run-tests run_tests; do
    if grep -q -E "^$t[[:space:]]*:([^=]|\$)" "$ASSAY_DIR/makefile"; then echo "$t"; break; fi
  done
}
assay_test() {
  target=$(assay_target)
  rm -f "$R"/gtest/*.xml
  (cd "$S" && make "${target:-check}") >"$ASSAY_DIR/make.log" 2>&1
  code=$?
  cat "$ASSAY_DIR/make.log"
  if [ $code -ne 0 ] && ! ls "$R"/gtest/*.xml >/dev/null 2>&1 &&
    ! grep -q -E '^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): |^(not )?ok\b' "$ASSAY_DIR/make.log" &&
    grep -q -E '(: (fatal )?error: |undefined reference to |No rule to make target|collect2: error)' "$ASSAY_DIR/make.log"; then return $code; fi
  { cat "$ASSAY_DIR/make.log"; echo; echo "make: assay: the target"
    if [ $code -eq 0 ]; then echo "PASS: ${target:-check}"; else echo "FAIL: ${target:-check}"; fi; } >"$R/make.log"
  return $code
}
assay_driver() { assay_test; }
assay_ran() { cat "$R/make.log" 2>/dev/null | tail -1; }
`

// makePackages are those of the libraries that Makefiles link.
func makePackages(f Facts) ([]string, []bench.Decision, error) {
	p, err := newCppNeeds("g++", "make", "pkg-config")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range ownFiles(f.Repo, "Makefile", "makefile", "GNUmakefile", "Makefile.in") {
		text := f.Repo.Text(file)
		for _, m := range makeLibs.FindAllStringSubmatchIndex(text, -1) {
			p.library(text[m[2]:m[3]], path.Clean(file), lineAt(text, m[2]))
		}
	}
	return p.packages, p.why, nil
}
