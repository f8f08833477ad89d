package languages

import (
	"fmt"
	"path"
	"strings"

	"assay/bench"
)

// cppSetUp is where the set-up leaves what later runs read: flags that it
// learnt, and small programs.
const cppSetUp = buildDir + "/.assay"

// cppPrepare defines the variables and the functions that all scripts share.
func cppPrepare(env bench.Env, suite Suite) string {
	args, flags := cppFlags(env.Args)
	var b strings.Builder
	fmt.Fprintf(&b, "B=%s\nA=%s\nASSAY_DIR=%s\nmkdir -p \"$ASSAY_DIR\" \"$A\" \"$B/.cmake/api/v1/query\"\n", buildDir, cppSetUp, suite.dir())
	b.WriteString(`: >"$B/.cmake/api/v1/query/codemodel-v2"
` + cppWrapper + `touch "$A/cmake" "$A/cxx" "$A/c"
` + cppJobs)
	fmt.Fprintf(&b, `assay_configure() {
  set -- -DCMAKE_C_COMPILER_LAUNCHER="$A/compile" -DCMAKE_CXX_COMPILER_LAUNCHER="$A/compile" %s
  while IFS= read -r arg; do set -- "$@" "$arg"; done <"$A/cmake"
  cxx=$(echo %s $(cat "$A/cxx"))
  c=$(echo $(cat "$A/c"))
  if [ -n "$cxx" ]; then set -- "$@" "-DCMAKE_CXX_FLAGS=$cxx"; export CXXFLAGS="$cxx"; fi
  if [ -n "$c" ]; then set -- "$@" "-DCMAKE_C_FLAGS=$c"; export CFLAGS="$c"; fi
  cmake -S %s -B "$B" -G Ninja "$@"
}
`, quoteAll(args), quote(flags), quote(cppSourceDir(suite.Repo)))
	fmt.Fprintf(&b, "assay_targets() {\n%s}\n", cppTargets(env, suite))
	b.WriteString(cppArtifacts)
	return b.String()
}

// cppJobs sets J, how many compilers run at once: one for each processor, and
// at most one for each 1.5 GB of memory.
const cppJobs = `assay_jobs() {
  n=$(nproc 2>/dev/null || echo 2)
  m=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo 2>/dev/null)
  l=$(cat /sys/fs/cgroup/memory.max 2>/dev/null)
  case $l in ''|max|*[!0-9]*) ;; *) l=$((l / 1048576)); if [ "${m:-0}" -gt "$l" ]; then m=$l; fi ;; esac
  m=$((${m:-3000} / 1500))
  if [ "$m" -lt "$n" ]; then n=$m; fi
  if [ "$n" -lt 1 ]; then n=1; fi
  echo "$n"
}
J=${ASSAY_JOBS:-$(assay_jobs)}
`

// cppFlags takes the compiler's flags out of cmake's arguments, since the
// set-up may add some.
func cppFlags(args []string) (rest []string, flags string) {
	for _, a := range args {
		if f, ok := strings.CutPrefix(a, "-DCMAKE_CXX_FLAGS="); ok {
			flags = f
			continue
		}
		rest = append(rest, a)
	}
	return rest, flags
}

// cppSourceDir is the folder of the project's uppermost CMakeLists.txt.
func cppSourceDir(repo Repository) string {
	best := ""
	if repo == nil {
		return "."
	}
	for _, p := range repo.Paths() {
		if path.Base(p) != "CMakeLists.txt" || foreign(p) {
			continue
		}
		if best == "" || strings.Count(p, "/") < strings.Count(best, "/") {
			best = p
		}
	}
	return path.Dir(best)
}

// cppTargets prints name, artifact and build folder of the executables that
// compile the suite's files, also by way of a library, or of the instance's own
// list.
func cppTargets(env bench.Env, suite Suite) string {
	want := `awk -v wanted=%s -v files=%s '
function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
BEGIN { n = split(wanted, w, "\n"); for (i = 1; i <= n; i++) byname[w[i]] = 1
        m = split(files, f, "\n"); for (i = 1; i <= m; i++) bypath[f[i]] = 1 }
function emit() { if (id == "") return
  all[++count] = id; names[id] = name; arts[id] = artifact; dirs[id] = folder; exes[id] = exe; hits[id] = hit; links[id] = deps }
FNR == 1 { emit(); exe = 0; hit = 0; name = ""; id = ""; artifact = ""; folder = "."; inart = 0; deps = "" }
/^\t"artifacts"/ { inart = 1 }
/^\t"paths"/ { inart = 0 }
/^\t"dependencies"/ { indeps = 1 }
/^\t[\]"]/ && !/^\t"dependencies"/ { indeps = 0 }
/^\t\t\t"id" : / { if (indeps) deps = deps "\n" value($0) }
/^\t"id" : / { id = value($0) }
/"path" : / { p = value($0); if (inart && artifact == "") { artifact = p; inart = 0 } if (p in bypath) hit = 1 }
/^\t\t"build" : / { folder = value($0) }
/^\t"name" : / { name = value($0) }
/^\t"type" : "EXECUTABLE"/ { exe = 1 }
END { emit()
  for (c = 1; c <= count; c++) { id = all[c]
    if (!exes[id] || arts[id] == "") continue
    ok = n ? (names[id] in byname) : hits[id]
    if (!ok && !n) { k = split(links[id], d, "\n"); for (i = 1; i <= k; i++) if (d[i] in exes && !exes[d[i]] && hits[d[i]]) ok = 1 }
    if (ok) print names[id] "\t" arts[id] "\t" dirs[id] } }
' "$B"/.cmake/api/v1/reply/target-*.json
`
	return fmt.Sprintf(want, quote(strings.Join(env.Targets, `\n`)), quote(strings.Join(suite.Files, `\n`)))
}

// cppArtifacts lists the files that the build tree's targets of a type make, as
// CMake's file API has them, and takes away the executables that an earlier
// build left: what does not build must not be there when tests run.
const cppArtifacts = `assay_artifacts() { # type
awk -v type="$1" '
function value(line) { sub(/^[^:]*: "/, "", line); sub(/",?$/, "", line); return line }
function emit() { if (wanted && artifact != "") print artifact }
FNR == 1 { emit(); wanted = 0; artifact = ""; inart = 0 }
/^\t"artifacts"/ { inart = 1 }
/"path" : / { if (inart && artifact == "") { artifact = value($0); inart = 0 } }
/^\t"type" : "/ { wanted = value($0) == type }
END { emit() }
' "$B"/.cmake/api/v1/reply/target-*.json 2>/dev/null | sed "s|^\([^/]\)|$B/\1|"
}
assay_executables() { assay_artifacts EXECUTABLE; }
assay_clean() { assay_executables | while IFS= read -r exe; do rm -f "$exe"; done; }
assay_any() { assay_executables | while IFS= read -r exe; do if [ -f "$exe" ]; then echo yes; break; fi; done; }
`

// cppBuild configures and builds what the suite needs: the executables that
// compile its files, or everything for CTest. What does not build does not
// stop the rest, but in a run of contributed tests, which count as one.
func cppBuild(env bench.Env, suite Suite, all bool) string {
	var b strings.Builder
	b.WriteString(cppPrepare(env, suite))
	b.WriteString("echo configure >\"$ASSAY_DIR/phase\"\n")
	if all {
		b.WriteString(cppForget(suite.Published))
	}
	b.WriteString(`assay_configure >"$ASSAY_DIR/configure.log" 2>&1 || { cat "$ASSAY_DIR/configure.log"; exit 1; }
cat "$ASSAY_DIR/configure.log"
echo build >"$ASSAY_DIR/phase"
assay_targets | sort -u >"$ASSAY_DIR/targets"
assay_clean
`)
	if all {
		b.WriteString(cppOnly(suite) + cppNarrow)
	} else {
		b.WriteString(`set --
while IFS='	' read -r name rest; do set -- "$@" "$name"; done <"$ASSAY_DIR/targets"
if [ $# -gt 0 ]; then set -- --target "$@"; fi
`)
	}
	if suite.Contributed {
		b.WriteString("cmake --build \"$B\" -j \"$J\" \"$@\" || exit 1\necho run >\"$ASSAY_DIR/phase\"\n")
		return b.String()
	}
	b.WriteString(`cmake --build "$B" -j "$J" "$@" -- -k 0
built=$?
if [ $built -ne 0 ] && [ -z "$(assay_any)" ]; then exit 1; fi
echo run >"$ASSAY_DIR/phase"
`)
	return b.String()
}
