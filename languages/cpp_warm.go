package languages

import (
	"strings"

	"assay/bench"
)

// Warm tries to build at base what will run later, reads what fails, adds the
// flags that known errors need, and tries again. It fails where nothing was
// built that a test could be: then there is no environment.
func (l cppLanguage) Warm(env bench.Env, suite Suite) string {
	_, all := l.published(env, suite)
	var b strings.Builder
	b.WriteString(cppPrepare(env, suite))
	b.WriteString(cppLearn())
	b.WriteString(`begin=$(date +%s)
assay_left() { # seconds; a build that is cut short is a shorter warm build
  left=$((2400 - $(date +%s) + begin))
  if [ $left -lt 60 ]; then left=60; fi
  echo $left
}
assay_try() { # options of the build tool
  assay_configure >"$A/log" 2>&1
  code=$?
  cat "$A/log"
  if [ $code -ne 0 ]; then return $code; fi
  assay_targets | sort -u >"$ASSAY_DIR/targets"
  set -- -- "$@"
`)
	if !all {
		b.WriteString(`  while IFS='	' read -r name rest; do set -- --target "$name" "$@"; done <"$ASSAY_DIR/targets"
`)
	}
	b.WriteString(`  { timeout "$(assay_left)" cmake --build "$B" -j "$J" "$@" 2>&1; echo $? >"$A/code"; } | tee "$A/made.log"
  cat "$A/made.log" >>"$A/log"
  return "$(cat "$A/code")"
}
tries=0
until assay_try -k 1; do
  tries=$((tries + 1))
  if [ $tries -gt 8 ] || ! assay_learn "$A/log"; then
    if [ "$(cat "$A/code" 2>/dev/null)" = 124 ]; then break; fi
    assay_try -k 0
    if assay_learn "$A/log"; then assay_try -k 0; fi
    break
  fi
  rm -f "$B/CMakeCache.txt"
done
if [ -s "$A/decisions" ]; then cat "$A/decisions"; fi
if [ -z "$(assay_any)" ]; then
  why=$(tr -d '\r' <"$A/log" | grep -m 1 -A 2 -E 'CMake Error|error: ' || tr -d '\r' <"$A/log" | grep -m 1 -E 'FAILED|ninja: |not found|No such file')
  echo "assay: the set-up built no executable, so that no test can run: $(echo ${why:-the project adds none})"
  exit 1
fi
`)
	if all {
		b.WriteString(`if ctest --test-dir "$B" -N | grep -q '^Total Tests: 0$'; then
  echo "assay: CMake adds no test, so that none can run"
  exit 1
fi
`)
	}
	b.WriteString("exit 0\n")
	return b.String()
}
