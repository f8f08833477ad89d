# assay_release GROUP ARTIFACT SNAPSHOT KIND LINE: the release of that version,
# or else the newest one of the same LINE (2.17), or else the newest before it,
# under the SNAPSHOT's name in the local repository. Where there is none Maven
# looks for the SNAPSHOT itself.
assay_release() {
  group=$1 artifact=$2 snapshot=$3 kind=$4 line=$5
  here=$HOME/.m2/repository/$(echo "$group" | tr . /)/$artifact
  [ ! -e "$here/$snapshot/$artifact-$snapshot.pom" ] || return 0
  work=$(mktemp -d)
  got=${snapshot%-SNAPSHOT}
  assay_fetch "$got" || got=
  if [ -z "$got" ]; then
    assay_fetch "[0,)" || true # brings the list of versions
    for got in $(assay_versions) ""; do
      [ -n "$got" ] && assay_fetch "$got" && break
    done
  fi
  [ -z "$got" ] || assay_stand_in
  rm -rf "$work"
  return 0
}
# assay_versions: the releases to try in place of a SNAPSHOT, best first.
assay_versions() {
  cat "$here"/maven-metadata-*.xml 2>/dev/null | sed -n 's:.*<version>\([^<]*\)</version>.*:\1:p' | grep -v SNAPSHOT | sort -Vu >"$work/versions"
  grep -E '^[0-9]+(\.[0-9]+)*$' "$work/versions" >"$work/final" || true
  for list in final versions; do
    awk -v line="$line." 'index($0 ".", line) == 1' "$work/$list" | tail -n 1
  done
  { cat "$work/final"; echo "$line"; } | sort -V | awk -v line="$line" '$0 == line { exit } { print }' | tail -n 1
}
assay_stand_in() {
  mkdir -p "$here/$snapshot"
  for f in "$here/$got/$artifact-$got".*; do
    case $f in *.sha1 | *.lastUpdated) continue ;; esac
    cp "$f" "$here/$snapshot/$artifact-$snapshot.${f##*"$artifact-$got".}"
  done
  awk -v old="$got" -v new="$snapshot" '
    /<parent>/ { above = 1 }
    /<(dependencies|dependencyManagement|build|properties|profiles|modules|reporting)>/ { done = 1 }
    !above && !done && index($0, "<version>" old "</version>") { sub("<version>[^<]*</version>", "<version>" new "</version>"); done = 1 }
    { print }
    /<\/parent>/ { above = 0 }' "$here/$got/$artifact-$got.pom" >"$here/$snapshot/$artifact-$snapshot.pom"
  echo "assay: $group:$artifact:$snapshot is $got here"
}
# assay_fetch VERSION: Maven reads a parent without any plugin, and knows ranges
# there; what is no parent takes a plugin.
assay_fetch() {
  head="<project><modelVersion>4.0.0</modelVersion>"
  tail="<groupId>assay</groupId><artifactId>release</artifactId><version>1</version><packaging>pom</packaging>"
  named="<groupId>$group</groupId><artifactId>$artifact</artifactId><version>$1</version>"
  goal=validate
  if [ "$kind" = pom ]; then
    echo "$head<parent>$named<relativePath/></parent>$tail</project>" >"$work/pom.xml"
  else
    echo "$head$tail<dependencies><dependency>$named<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency></dependencies></project>" >"$work/pom.xml"
    goal=org.apache.maven.plugins:maven-dependency-plugin:3.6.1:resolve
  fi
  for again in 1 2 3; do
    if (cd "$work" && mvn -B -q -f "$work/pom.xml" "$goal") >"$work/log" 2>&1; then return 0; fi
    grep -Eq 'status code: (429|5[0-9][0-9])|timed out|Connection reset' "$work/log" || return 1
    sleep $((again * 3))
  done
  return 1
}
