package languages

import (
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

// cppCTest runs CTest and leaves its exit code in rc. Where nothing that CTest
// runs was built, the run counts as not built.
const cppCTest = cppChecks + `if ctest --test-dir "$B" -N | grep -q '^Total Tests: 0$'; then
  echo "assay: CMake adds no test"
  echo build >"$ASSAY_DIR/phase"
  exit 1
fi
ctest --test-dir "$B" --timeout 900 --output-junit "$R/ctest.xml" >"$R/ctest.log" 2>&1 </dev/null
rc=$?
cat "$R/ctest.log"
if [ "$built" -ne 0 ] && grep -q '^0% tests passed' "$R/ctest.log"; then echo build >"$ASSAY_DIR/phase"; fi
`
