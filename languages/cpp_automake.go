package languages

import (
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// automakeTool builds with Autoconf and Automake, in the tree, and runs
// "make check".
func automakeTool() cppTool {
	return cppTool{
		name:  "automake",
		file:  automakeInput,
		tests: func(r Repository) bool { return firstOwn(r, "Makefile.am", automakeTests) != "" },
		needs: automakePackages, args: automakeArgs,
		shell:   automakeShell,
		formats: map[string]reports.Format{"automake.trs": reports.Automake, "make.log": reports.MakeText, "": reports.GTest},
	}
}

var (
	automakeTests  = regexp.MustCompile(`(?m)^\s*TESTS\s*\+?=`)
	automakeSwitch = regexp.MustCompile(`\bAC_ARG_(ENABLE|WITH)\s*\(\s*\[?([\w-]+)`)
	automakeNeeds  = regexp.MustCompile(`\b(PKG_CHECK_MODULES|AC_CHECK_LIB|AC_SEARCH_LIBS|AC_CHECK_PROGS?|AC_PATH_PROGS?)\s*\(([^)]*)`)
	automakeMacros = regexp.MustCompile(`\b(AC_PROG_LEX|AC_PROG_YACC|LT_INIT|AC_PROG_LIBTOOL|AM_PROG_LIBTOOL|AM_GNU_GETTEXT|AX_\w+)\b`)
	automakeWord   = regexp.MustCompile(`[A-Za-z][\w.+-]*`)
	automakeInit   = regexp.MustCompile(`\bAC_INIT\s*\(\s*\[?([^\],)]+)`)
)

// makeWhole defines assay_make, which builds the default goal. Where all of it
// was built at base, it must be built in every run: what an earlier build left
// is not to be tested. Where not, every run begins without what was built.
const makeWhole = `assay_make() {
  if [ "$ASSAY_WARM" = 1 ]; then
    if make -j "$J"; then touch "$A/whole"; else make -k -j "$J"; fi
  elif [ -f "$A/whole" ]; then make -j "$J"
  else make clean >/dev/null 2>&1; make -k -j "$J"; return 0; fi
}
`

// automakeShell makes the configure script where the tree has none. Automake
// tests only what was built, and each folder on its own; the older harness
// leaves no .trs files, and what it prints is read.
const automakeShell = makeWhole + `assay_build() {
  (cd "$S" || exit 1
   if [ ! -f configure ]; then
     NOCONFIGURE=1 autoreconf -fi || for f in autogen.sh bootstrap bootstrap.sh buildconf; do
       if [ -f "$f" ]; then NOCONFIGURE=1 sh "./$f"; break; fi
     done
   fi
   if [ ! -f Makefile ]; then
     set --
     if [ -n "$ARGS" ]; then while IFS= read -r arg; do set -- "$@" "$arg"; done <<ASSAY_ARGS
$ARGS
ASSAY_ARGS
     fi
     sh ./configure "$@" || exit 1
   fi
   assay_make || exit 1
   make -k -j "$J" check TESTS= || [ "$ASSAY_WARM" != 1 ])
}
assay_built() { if [ "$ASSAY_WARM" = 1 ] || [ ! -f "$A/whole" ]; then find "$S" -name '*.o' -o -name '*.lo' | head -1; fi; }
assay_test() {
  find "$S" -name '*.trs' -type f -delete
  (cd "$S" && make -k -j "$J" check) >"$ASSAY_DIR/make.log" 2>&1
  code=$?
  cat "$ASSAY_DIR/make.log"
  if [ $code -ne 0 ]; then find "$S" -name test-suite.log -type f -exec cat {} +; fi
  assay_results
  return $code
}
assay_driver() {
  find "$S" -name '*.trs' -type f -delete
  while IFS= read -r program; do
    program=$(printf '%s\n' "$program" | sed 's|/\.libs/\(lt-\)\{0,1\}\([^/]*\)$|/\2|')
    top=$(dirname "$program")
    while [ ! -f "$top/Makefile" ] && [ "$top" != . ] && [ "$top" != / ]; do top=$(dirname "$top"); done
    (cd "$top" && make -k check TESTS="${program#"$top"/}")
  done <"$1" >"$ASSAY_DIR/make.log" 2>&1
  assay_results
}
assay_results() {
  find "$S" -name '*.trs' -type f | sort | while IFS= read -r trs; do
    top=$(dirname "$trs")
    while [ ! -f "$top/Makefile" ] && [ "$top" != . ] && [ "$top" != / ]; do top=$(dirname "$top"); done
    name=${trs#"$top"/}
    printf ':assay-test: %s\n' "${name%.trs}"
    cat "$trs"
    echo
    if ! grep -q '^:global-test-result: PASS' "$trs" && [ -f "${trs%.trs}.log" ]; then tail -c 200000 "${trs%.trs}.log" | sed 's/^/:assay-log: /'; echo; fi
    awk -v n="${name%.trs}" '{ w = $0; sub(/: .*/, "", w); at = w ": " n " "
      if (w ~ /^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR)$/ && index($0, at) == 1) print ":assay-part: " w " " substr($0, length(at) + 1) }' "$ASSAY_DIR/make.log"
  done >"$ASSAY_DIR/automake.trs"
  if [ -s "$ASSAY_DIR/automake.trs" ]; then cp "$ASSAY_DIR/automake.trs" "$R/"
  elif grep -q -E '^(PASS|FAIL|XFAIL|XPASS|SKIP|ERROR): |^(not )?ok\b' "$ASSAY_DIR/make.log"; then cp "$ASSAY_DIR/make.log" "$R/make.log"; fi
}
assay_ran() { grep -m 1 -h -E '^:test-result: *(PASS|FAIL|XFAIL|XPASS|SKIP)|^(PASS|FAIL|XFAIL|XPASS|SKIP): |^(not )?ok\b' "$R/automake.trs" "$R/make.log" 2>/dev/null; ls "$R"/gtest/*.xml 2>/dev/null; }
`

func automakeInput(repo Repository) string { return uppermost(repo, "configure.ac", "configure.in") }

// automakeArgs turn on the switches that add tests.
func automakeArgs(f Facts) (args []string, why []bench.Decision) {
	file := automakeInput(f.Repo)
	text := f.Repo.Text(file)
	own := map[string]bool{}
	for _, w := range words(strings.TrimSpace(first(automakeInit, text))) {
		own[w] = true
	}
	for _, m := range automakeSwitch.FindAllStringSubmatchIndex(text, -1) {
		kind, name := strings.ToLower(text[m[2]:m[3]]), text[m[4]:m[5]]
		arg := "--" + kind + "-" + strings.ReplaceAll(name, "_", "-")
		if (cppOption{name: unprefixed + name}).wantsTests(own) && !slices.Contains(args, arg) {
			args = append(args, arg)
			why = append(why, bench.Decision{Field: "args", Value: arg, Why: "this switch adds the project's tests", File: file, Line: lineAt(text, m[0])})
		}
	}
	return args, why
}

// automakePackages are Autoconf's own and those of what configure.ac looks for.
func automakePackages(f Facts) ([]string, []bench.Decision, error) {
	p, err := newCppNeeds("autoconf", "automake", "libtool", "g++", "make", "pkg-config")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range append([]string{automakeInput(f.Repo)}, ownFiles(f.Repo, "configure.m4")...) {
		text := f.Repo.Text(file)
		for _, m := range automakeNeeds.FindAllStringSubmatchIndex(text, -1) {
			macro, rest := text[m[2]:m[3]], text[m[4]:m[5]]
			line := lineAt(text, m[0])
			for _, word := range automakeWord.FindAllString(rest, -1) {
				if strings.Contains(macro, "PROG") {
					p.program(word, file, line)
				} else {
					p.library(word, file, line)
				}
			}
		}
		for _, m := range automakeMacros.FindAllStringIndex(text, -1) {
			name := text[m[0]:m[1]]
			if strings.HasPrefix(name, "AX_") {
				name = "AX_"
			}
			p.program(name, file, lineAt(text, m[0]))
		}
	}
	return p.packages, p.why, nil
}
