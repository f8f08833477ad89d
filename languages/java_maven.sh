# assay_maven VERSION: that Maven at /opt/maven-VERSION, before the system's on
# the path. Its archive is an artifact like any other.
assay_maven() {
  home=/opt/maven-$1
  work=$(mktemp -d)
  for again in 1 2 3; do
    code=0
    mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get "-Dartifact=org.apache.maven:apache-maven:$1:zip:bin" -Dtransitive=false "-Dmaven.repo.local=$work/m2" >"$work/log" 2>&1 || code=$?
    [ $code -ne 0 ] || break
    grep -Eq 'status code: (429|5[0-9][0-9])|timed out|Connection reset' "$work/log" || break
    sleep $((again * 3))
  done
  zip=$work/m2/org/apache/maven/apache-maven/$1/apache-maven-$1-bin.zip
  if [ ! -e "$zip" ]; then
    grep -m 2 ERROR "$work/log" >&2
    echo "assay: the repository wants Maven $1, and it cannot be fetched here" >&2
    return 1
  fi
  (cd "$work" && "${JAVA_HOME:-/usr}/bin/jar" xf "$zip")
  mkdir -p /opt /usr/local/bin
  rm -rf "$home" && mv "$work/apache-maven-$1" "$home"
  chmod +x "$home/bin/mvn"
  ln -sf "$home/bin/mvn" /usr/local/bin/mvn
  rm -rf "$work"
  mvn --version
}
