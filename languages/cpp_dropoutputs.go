package languages

import (
	"path"
	"strings"
)

// cppKeep defines assay_keep, which ends a set-up. It takes away what every
// run makes again: executables, objects of the hidden tests' files, and the
// static libraries of the build folder, which only repeat the objects and
// take a moment to make. What is left gets one time where all of it is up to
// date, so that instances can share the objects that are the same; after a
// build that failed, its times may still show what has to be built again.
func cppKeep(suite Suite) string {
	return `assay_keep() {
  assay_clean
  assay_artifacts STATIC_LIBRARY | while IFS= read -r lib; do
    case $lib in "$B"/*) rm -f "$lib" ;; esac
  done
` + cppDropObjects(suite.Hidden) + `  if [ "$(cat "$A/code" 2>/dev/null)" = 0 ]; then assay_stamp "$B" ` + Root + ` ` + sourcesDir + `; fi
}
` + stampFiles
}

// cppDropObjects removes the objects of some sources. One of the same name
// elsewhere goes with them, and is compiled again when it is needed.
func cppDropObjects(files []string) string {
	var b strings.Builder
	plain := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)
	for _, f := range files {
		if about(Cpp).IsRunnable(f) {
			b.WriteString("  find \"$B\" -name " + quote(plain.Replace(path.Base(f))+".o") + " -exec rm -f {} +\n")
		}
	}
	return b.String()
}
