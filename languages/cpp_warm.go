package languages

import (
	"strings"

	"assay/bench"
)

// Warm tries to build at base what will run later, reads what fails, adds the
// flags that known errors need, and tries again. It fails where nothing was
// built that a test could be: then there is no environment.
func (l cppLanguage) Warm(env bench.Env, suite Suite) string {
	suite = withUnits(suite)
	if tool, ok := cppToolNamed(env.Framework); ok {
		return tool.warm(env, suite)
	}
	_, all := l.published(env, suite)
	var b strings.Builder
	b.WriteString(cppPrepare(env, suite))
	b.WriteString(cppLearn() + cppOffline + cppKeep(suite))
	b.WriteString(`trap assay_keep EXIT
begin=$(date +%s)
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
		b.WriteString(cppFirstCTest)
	} else {
		b.WriteString(cppListed(suite) + cppFirst(cppRunnerOf(env.Framework, suite, nil)))
	}
	b.WriteString("exit 0\n")
	return b.String()
}

// cppFirstCTest runs tests of CTest's without network until one of them was
// started: failing ones are as good.
const cppFirstCTest = `if ctest --test-dir "$B" -N | grep -q '^Total Tests: 0$'; then
  echo "assay: CMake adds no test, so that none can run"
  exit 1
fi
for part in 1,10 11,60 61,; do
  timeout 600 $(assay_offline) ctest --test-dir "$B" --timeout 60 -I $part >"$A/first.log" 2>&1 </dev/null
  if [ $? -eq 124 ] || grep -q -E '(Passed|\*\*\*(Failed|Timeout|Exception|Skipped)).* sec' "$A/first.log"; then exit 0; fi
done
cat "$A/first.log"
echo "assay: no test of CTest's can be started at base without network"
exit 1
`

// cppFirst starts the executables that will be tested without network, until
// one of them runs: the loader's errors are 127. Where base has none of them,
// gold adds the first.
func cppFirst(r cppRunner) string {
	return `R=$A/first
mkdir -p "$R"
cat >"$A/first.sh" <<'ASSAY_FIRST_END'
how=$ASSAY_DIR/tests/$(printf '%s' "$exe" | tr / +)
mkdir -p "$B/$folder" && cd "$B/$folder" || exit 1
set --
if [ -f "$how" ]; then . "$how"; fi
` + r.run + `
ASSAY_FIRST_END
export ASSAY_DIR B R
tried=
while IFS='	' read -r name artifact folder; do
  case $artifact in /*) exe=$artifact ;; *) exe=$B/$artifact ;; esac
  if [ ! -f "$exe" ]; then continue; fi
  tried=yes
  export name folder exe
  timeout 300 $(assay_offline) sh "$A/first.sh" >"$A/first.log" 2>&1 </dev/null
  code=$?
  if [ $code -ne 126 ] && [ $code -ne 127 ]; then exit 0; fi
  cat "$A/first.log"
done <"$ASSAY_DIR/targets"
if [ -n "$tried" ]; then
  echo "assay: no test executable can be started at base without network: $(tail -n 1 "$A/first.log")"
  exit 1
fi
`
}
