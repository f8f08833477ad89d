package languages

import (
	"regexp"
	"slices"
	"strings"
)

// configureCheck marks the canonical ids of CMake's configure checks, which
// some benchmarks publish as tests.
const configureCheck = "configure: "

// cppForget lets CMake repeat the configure checks that are published: it asks
// the compiler again instead of its cache.
func cppForget(published []string) string {
	names := make([]string, 0, len(published))
	for _, id := range published {
		name := strings.ToLower(strings.TrimPrefix(id, configureCheck))
		names = append(names, name, atRoot(name))
	}
	slices.Sort(names)
	return `if [ -f "$B/CMakeCache.txt" ]; then
  awk -F: -v names=` + quote(strings.Join(slices.Compact(names), `\n`)) + ` '
  BEGIN { n = split(names, w, "\n"); for (i = 1; i <= n; i++) drop[w[i]] = 1 }
  !($2 ~ /^INTERNAL=/ && tolower($1) in drop)' "$B/CMakeCache.txt" >"$B/CMakeCache.new" && mv "$B/CMakeCache.new" "$B/CMakeCache.txt"
fi
`
}

// cppChecks writes the configure checks of this run as a report of their own.
// One that fails is a fact about the compiler, not a failure of the run.
const cppChecks = `awk '
function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/"/, "\\&quot;", s); return s }
BEGIN { print "<testsuite name=\"configure\" disabled=\"0\" hostname=\"configure\">" }
/^-- Performing Test .* - (Success|Failed)\r?$/ {
  ok = / - Success/; sub(/^-- Performing Test /, ""); sub(/ - (Success|Failed)\r?$/, "")
  printf "<testcase name=\"configure: %s\" classname=\"configure\" status=\"%s\"/>\n", escape($0), ok ? "run" : "disabled" }
END { print "</testsuite>" }
' "$ASSAY_DIR/configure.log" >"$R/configure.xml"
`

// cppOnly sets ASSAY_ONLY, a pattern of the tests that run: all, or those that
// run again on their own.
func cppOnly(suite Suite) string {
	if len(suite.Select) == 0 || suite.Contributed {
		return "ASSAY_ONLY=.\n"
	}
	var names []string
	for _, id := range suite.Select {
		names = append(names, regexp.QuoteMeta(id))
	}
	return "ASSAY_ONLY=" + quote("^("+strings.Join(names, "|")+")$") + "\n"
}

// cppNarrow leaves of a build what the tests that run again need: their own
// executables, where each of them begins with one; else everything.
const cppNarrow = `set --
if [ "$ASSAY_ONLY" != . ]; then
  ctest --test-dir "$B" -R "$ASSAY_ONLY" --show-only=json-v1 2>/dev/null >"$ASSAY_DIR/only.json"
  assay_executables >"$ASSAY_DIR/executables"
  needed=$(awk -v b="$B/" '
    NR == FNR { exe[$0] = 1; next }
    /^[ \t]*"command" :/ { inside = 1; next }
    inside && /"/ { p = $0; sub(/^[ \t]*"/, "", p); sub(/",?[ \t]*$/, "", p); inside = 0; n++
      if (!(p in exe)) { print "all"; exit }
      sub("^" b, "", p); print p }' "$ASSAY_DIR/executables" "$ASSAY_DIR/only.json" | sort -u)
  case "
$needed
" in *"
all
"*) ;; *) while IFS= read -r exe; do if [ -n "$exe" ]; then set -- "$@" "$exe"; fi; done <<ASSAY_NEEDED
$needed
ASSAY_NEEDED
  ;; esac
  if [ $# -gt 0 ]; then set -- --target "$@"; fi
fi
`

// cppCTest runs CTest and leaves its exit code in rc. Where nothing that CTest
// runs was built, the run counts as not built.
const cppCTest = cppChecks + `if ctest --test-dir "$B" -N | grep -q '^Total Tests: 0$'; then
  echo "assay: CMake adds no test"
  echo build >"$ASSAY_DIR/phase"
  exit 1
fi
ctest --test-dir "$B" --timeout 900 -R "$ASSAY_ONLY" --output-junit "$R/ctest.xml" >"$R/ctest.log" 2>&1 </dev/null
rc=$?
cat "$R/ctest.log"
if [ "$built" -ne 0 ] && grep -q '^0% tests passed' "$R/ctest.log"; then echo build >"$ASSAY_DIR/phase"; fi
`
