# assay_online ARGUMENT...: a call of Maven with network, again where a download
# failed. Its code is in $code.
assay_online() {
  log=/assay/warm/log
  for again in 1 2 3 4; do
    code=0
    mvn "$@" >"$log" 2>&1 || code=$?
    [ $code -ne 0 ] && [ $again -lt 4 ] && grep -Eq 'status code: (429|5[0-9][0-9])|timed out|Connection reset|Connect to .* failed|Premature end' "$log" || break
    echo "assay: a download failed; trying again"
    sleep $((again * 5))
  done
  tail -n 60 "$log"
}
# assay_warm MODULE... -- ARGUMENT...: builds online, then offline; the tests of
# the MODULEs have to run. No report of these runs stays, nor what Maven wrote of
# them for people (target/site).
assay_warm() {
  must=
  while [ "$1" != -- ]; do must="$must $1"; shift; done
  shift
  assay_online "$@"
  [ -d "$HOME/.m2/repository" ] && find "$HOME/.m2/repository" -name _remote.repositories -delete
  [ $code -eq 0 ] || echo "assay: not every module can be built at base"
  find . -type d \( -name surefire-reports -o -name failsafe-reports \) -path '*/target/*' -not -path '*/src/*' -prune -exec rm -rf {} +
  mvn -o "$@" >"$log" 2>&1
  offline=$?
  ran=0
  for m in $must; do
    if ls "$m"/target/*-reports/TEST-*.xml >/dev/null 2>&1; then ran=1; continue; fi
    tail -n 60 "$log"
    assay_cause "$log"
    echo "assay: no test of module $m can be run offline at base"
    return 1
  done
  if [ -z "$must" ] && [ $offline -ne 0 ]; then
    tail -n 60 "$log"
    assay_cause "$log"
    return 1
  fi
  find . -type d \( -name surefire-reports -o -name failsafe-reports -o -path '*/target/site' \) -path '*/target/*' -not -path '*/src/*' -prune -exec rm -rf {} +
  return 0
}
assay_cause() {
  echo "assay: the deciding lines:"
  grep -E '^\[ERROR\]|Source option|Unsupported' "$1" | grep -Ev 'Re-run Maven|\[Help|For more information|To see the full' | head -n 5
}
