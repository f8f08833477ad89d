# assay_jdk VERSION SUITE...: a JDK at /opt/jdk-VERSION.
assay_jdk() {
  jdk=$1 home=/opt/jdk-$1
  shift
  for d in /usr/lib/jvm/*; do
    if [ -x "$d/bin/javac" ] && "$d/bin/javac" -version 2>&1 | grep -Eq "^javac (1\.)?$jdk([._+-]|\$)"; then
      mkdir -p /opt
      ln -sfn "$d" "$home"
      return 0
    fi
  done
  tmp=$(mktemp -d)
  mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk '$1 == "URIs:" { print $2 } $1 == "deb" { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; next } }' |
    grep -E '/debian/?$' | head -n 1)
  [ -n "$mirror" ] || { echo "assay: no Debian mirror is named below /etc/apt, so that JDK $jdk cannot be had; install one below /usr/lib/jvm" >&2; return 1; }
  for suite in "$@"; do
    rm -rf "$tmp/get" "$tmp/lists" && mkdir -p "$tmp/get" "$tmp/lists/partial" "$tmp/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$tmp/sources.list"
    assay_apt update || continue
    (cd "$tmp/get" && assay_apt download "openjdk-$jdk-jdk-headless" "openjdk-$jdk-jre-headless") && break
  done
  assay_unpack "$tmp/get" "$tmp/root"
  found=$(ls -d "$tmp"/root/usr/lib/jvm/java-"$jdk"-openjdk-* 2>/dev/null | head -n 1)
  [ -n "$found" ] || { echo "assay: none of Debian's $* has JDK $jdk; install one below /usr/lib/jvm" >&2; return 1; }
  mkdir -p /opt && rm -rf "$home" && mv "$found" "$home"
  cp -a "$tmp/root/etc/." /etc/
  "$home/bin/javac" -version 2>/dev/null || assay_glibc
  rm -rf "$tmp"
  "$home/bin/javac" -version
}
assay_apt() {
  apt-get -q -o Dir::Etc::SourceList="$tmp/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$tmp/lists" \
    -o Dir::Cache="$tmp/cache" -o APT::Sandbox::User=root -o Acquire::Retries=3 -o Acquire::Languages=none -o Acquire::Check-Valid-Until=false "$@"
}
assay_unpack() {
  mkdir -p "$2"
  for d in "$1"/*.deb; do [ ! -e "$d" ] || dpkg -x "$d" "$2"; done
}
# A JDK that is built for a newer C library gets that library beside it, and
# its programs are told to use it: nothing else of the machine does.
assay_glibc() {
  rm -rf "$tmp/get" && mkdir -p "$tmp/get" "$tmp/tool"
  (cd "$tmp/get" && assay_apt download libc6 libstdc++6 libgcc-s1 zlib1g) || return 1
  assay_unpack "$tmp/get" "$tmp/c"
  mkdir -p "$home/glibc"
  for f in $(find "$tmp/c/usr/lib" "$tmp/c/lib" -name '*.so*' 2>/dev/null | grep -v -e /gconv/ -e '\.py$'); do
    [ ! -e "$f" ] || cp -L "$f" "$home/glibc/"
  done
  apt-get -q -o APT::Sandbox::User=root update || return 1
  (cd "$tmp/tool" && apt-get -q -o APT::Sandbox::User=root download patchelf && dpkg -x patchelf_*.deb .) || return 1
  rm -rf /var/lib/apt/lists/*
  loader=$(ls "$home"/glibc/ld-linux* | head -n 1)
  for f in $(find "$home" -type f -perm -100); do
    head -c 4 "$f" | grep -q ELF || continue
    "$tmp/tool/usr/bin/patchelf" --print-interpreter "$f" >/dev/null 2>&1 || continue
    old=$("$tmp/tool/usr/bin/patchelf" --print-rpath "$f")
    "$tmp/tool/usr/bin/patchelf" --set-interpreter "$loader" --force-rpath --set-rpath "$home/glibc${old:+:$old}" "$f"
  done
}
