package languages

import (
	"maps"
	"path"
	"strings"

	"assay/bench"
)

// The variables of env.vars that the wrapper of the compiler reads.
const (
	// varCompileFlags are appended to every command of the compiler.
	varCompileFlags = "ASSAY_COMPILE_FLAGS"
	// varOptimize takes the place of -O2 and -O3; empty leaves these alone.
	varOptimize = "ASSAY_OPTIMIZE"
)

// cppCompiler sets the variables of the wrapper that the instance leaves
// open: warnings are not errors, nothing is compiled for a debugger, and
// little is optimised, since most of a run's time is the compiler's.
func cppCompiler(env bench.Env, repo Repository) (map[string]string, []bench.Decision) {
	vars := maps.Clone(env.Vars)
	if vars == nil {
		vars = map[string]string{}
	}
	var why []bench.Decision
	set := func(d bench.Decision, name, value string) {
		if _, given := vars[name]; given {
			return
		}
		vars[name] = value
		d.Field, d.Value = "vars", name+"="+value
		why = append(why, d)
	}
	flags, d := "-Wno-error -Wno-error=pedantic -g0", bench.Decision{Why: "warnings of a newer compiler are not errors, and no debugger looks at the tests"}
	if file, line := readsDebugInfo(repo); file != "" {
		flags = "-Wno-error -Wno-error=pedantic"
		d = bench.Decision{Why: "warnings of a newer compiler are not errors; the project reads its own debug information", File: file, Line: line}
	}
	set(d, varCompileFlags, flags)
	set(bench.Decision{Why: "in place of -O2 and -O3: most of a run's time is the compiler's"}, varOptimize, "-O1")
	return vars, why
}

// readsDebugInfo finds build files that look for a reader of debug information.
func readsDebugInfo(repo Repository) (file string, line int) {
	for _, p := range repo.Paths() {
		switch name := path.Base(p); {
		case foreign(p):
			continue
		case name == "CMakeLists.txt", name == "meson.build", name == "configure.ac", name == "Makefile", path.Ext(name) == ".cmake":
		default:
			continue
		}
		text := repo.Text(p)
		lower := strings.ToLower(text)
		for _, word := range []string{"libdw", "libdwarf", "libbacktrace", "find_package(backtrace", "stacktrace", "libbfd"} {
			if strings.Contains(lower, word) {
				return p, lineOf(lower, word)
			}
		}
	}
	return "", 0
}

// cppWrapper writes the wrapper of the compiler. Some tests are that code
// does not compile, and a warning may be the reason: objects whose name marks
// such a test are compiled without the flags that turn errors into warnings.
const cppWrapper = `cat >"$A/compile" <<'ASSAY_END'
#!/bin/sh
if [ -n "$ASSAY_OPTIMIZE" ]; then
  for a in "$@"; do
    case $a in -O2|-O3) set -- "$@" $ASSAY_OPTIMIZE; break ;; esac
  done
fi
before= out=
for a in "$@"; do
  [ "$before" = -o ] && out=$a
  before=$a
done
folder=${out%/*}
case ${folder##*/}/${out##*/} in
  *not_compile*|*not-compile*|*no_compile*|*no-compile*|*nocompile*|*compile_fail*|*compile-fail*|*fail_compile*|*fail-compile*)
    for f in $ASSAY_COMPILE_FLAGS; do
      case $f in -Wno-error*) ;; *) set -- "$@" "$f" ;; esac
    done
    exec "$@" ;;
esac
exec "$@" ${ASSAY_COMPILE_FLAGS--Wno-error}
ASSAY_END
chmod 755 "$A/compile"
`
