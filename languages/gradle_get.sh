# assay_gradle URL EVIDENCE: the wrapper's Gradle, so that later runs find it.
# $ASSAY_GRADLE_DISTRIBUTIONS names a mirror of the distributions (a URL, the
# file's name is added).
assay_gradle() {
  file=${1##*/}
  if [ -n "$ASSAY_GRADLE_DISTRIBUTIONS" ]; then
    sed -i "s#^distributionUrl=.*#distributionUrl=${ASSAY_GRADLE_DISTRIBUTIONS%/}/$file#" gradle/wrapper/gradle-wrapper.properties
  fi
  for again in 1 2 3; do
    if sh ./gradlew --no-daemon --version >/tmp/assay-gradle.log 2>&1; then rm -f /tmp/assay-gradle.log; return 0; fi
    grep -Eq 'UnknownHost|No route|refused' /tmp/assay-gradle.log && break
    sleep $((again * 3))
  done
  grep -m 2 -E "Exception|[Ee]rror" /tmp/assay-gradle.log || tail -n 5 /tmp/assay-gradle.log
  echo "assay: the repository wants $file ($2), and it cannot be fetched here; set env.vars.ASSAY_GRADLE_DISTRIBUTIONS to a mirror of Gradle's distributions, or env.vars.ASSAY_GRADLE to system for the machine's own Gradle" >&2
  return 1
}
# assay_gradle_online TOOL... -- ARGUMENT...: builds with network, again where a
# download failed. It never fails.
assay_gradle_online() {
  tool=
  while [ "$1" != -- ]; do tool="$tool $1"; shift; done
  shift
  for again in 1 2 3; do
    code=0
    $tool "$@" >/assay/warm/log 2>&1 || code=$?
    [ $code -ne 0 ] && grep -Eq 'Could not (GET|HEAD)|timed out|status code (429|5[0-9][0-9])' /assay/warm/log || return 0
    sleep $((again * 5))
  done
}
# assay_gradle_warm TOOL... -- ARGUMENT...: builds online, then offline. Tests
# that fail do not matter; a build that does not get to them does.
assay_gradle_warm() {
  assay_gradle_online "$@"
  tool=
  while [ "$1" != -- ]; do tool="$tool $1"; shift; done
  shift
  code=0
  $tool --offline "$@" >/assay/warm/log 2>&1 || code=$?
  tail -n 40 /assay/warm/log
  [ $code -eq 0 ] && return 0
  find . -path '*/build/test-results/*' -name '*.xml' | grep -q . && return 0
  echo "assay: no test can be run offline at base"
  return 1
}
