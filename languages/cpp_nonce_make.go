package languages

// cppOwnState empties the account of what was made.
const cppOwnState = `: >"$O/state"
`

// cppOwnMake compiles a nonce file with the command of a test file, at that
// file's own place and under its name, and links it with the objects of every
// executable that has that file: first the file's directives with our tests
// below, then the same with fewer assertions, then the whole file with our
// tests below in place of its own object.
const cppOwnMake = cppOwnState + `assay_replace() { awk -v a="$1" -v b="$2" '{ line = " " $0 " "; a1 = " " a " "; out = ""; while ((k = index(line, a1)) > 0) { out = out substr(line, 1, k) b; line = substr(line, k + length(a1) - 1) } print out line }'; }
assay_commands() { # artifact
  case $1 in "$B"/*) art=${1#"$B"/} ;; *) art=$1 ;; esac
  if [ ! -f "$O/made/$art" ]; then
    mkdir -p "$O/made/$(dirname "$art")"
    ninja -C "$B" -t commands "$art" 2>/dev/null | grep -v '^ninja: ' >"$O/made/$art" || ninja -C "$B" -t commands "$1" 2>/dev/null >"$O/made/$art"
  fi
}
assay_link() { # the part of the last command that links the executable
  awk -v o=" -o $art " '{ n = split($0, s, " && "); for (k = 1; k <= n; k++) if (index(s[k] " ", o)) found = s[k] } END { print found }' "$O/made/$art"
}
assay_compile() { # the command that compiles a file
  awk -v f="/$1" 'substr($0, length($0) - length(f) + 1) == f && index($0, " -c ") { found = $0 } END { print found }' "$O/made/$art"
}
assay_one() { # index, file, kind: compiles, and links into $O/new
  mine=$O/$name.$1.o
  cp -p "$2" "$O/kept" || return 1
  case $3 in
    whole) cat "$O/kept" "$O/$1.core" >"$O/source" ;;
    copies|values) cat "$O/kept" "$O/$1.$3" >"$O/source" ;;
    plain) cat "$O/$1.head" "$O/$1.full" >"$O/source" ;;
    *) cat "$O/$1.head" "$O/$1.$3" >"$O/source" ;;
  esac
  cat "$O/source" >"$2"
  (cd "$B" && printf '%s\n' "$compile" | assay_replace "$object" "$mine" >"$O/compile.sh" && timeout 600 sh "$O/compile.sh")
  made=$?
  cat "$O/kept" >"$2"; touch -r "$O/kept" "$2"
  if [ $made -ne 0 ]; then return 1; fi
  case $3 in
    whole|copies|values) assay_replace "$object" "$mine" <"$O/link" >"$O/link.next" ;;
    plain) # the test's own code stays, so that all that it is linked with does, too
      other=$O/$name.$1.other.o
      objcopy --redefine-sym main=assay_other_main "$B/$object" "$other" || return 1
      assay_replace "$object" "$mine $other" <"$O/link" >"$O/link.next" ;;
    *) cp "$O/link" "$O/link.next" ;;
  esac
  if ! grep -q -F -- "$mine" "$O/link.next"; then assay_replace "-o $art" "$mine -o $art" <"$O/link" >"$O/link.next"; fi
  rm -f "$O/new"
  assay_replace "-o $art" "-o $O/new" <"$O/link.next" >"$O/link.sh"
  (cd "$B" && timeout 600 sh "$O/link.sh") && [ -f "$O/new" ]
}
assay_own() { # index, file, kinds
  printf '%s' "$2" >"$O/$1.file"
  while IFS='	' read -r name artifact folder; do
    case $artifact in /*) exe=$artifact ;; *) exe=$B/$artifact ;; esac
    assay_commands "$artifact"
    compile=$(assay_compile "$2")
    if [ -z "$compile" ]; then continue; fi
    if [ ! -f "$exe" ]; then printf '%s\t%s\tunbuilt\t\n' "$name" "$1" >>"$O/state"; continue; fi
    object=$(printf '%s\n' "$compile" | sed 's/.* -o \([^ ]*\) -c .*/\1/')
    if [ -f "$O/$name.link" ]; then cp "$O/$name.link" "$O/link"; else assay_link >"$O/link"; fi
    how=none
    for kind in $3; do
      if assay_one "$1" "$2" "$kind" >"$O/$name.$1.$kind.log" 2>&1 </dev/null; then how=$kind; break; fi
    done
    printf '%s\t%s\t%s\t%s\n' "$name" "$1" "$how" "$O/$name.$1.exe" >>"$O/state"
    if [ $how = none ]; then continue; fi
    mv "$O/new" "$O/$name.$1.exe"
    cp "$O/link.next" "$O/$name.link"
    printf '%s' "$exe" >"$O/$name.exe"
  done <"$ASSAY_DIR/targets"
}
assay_own_merge() {
  while IFS='	' read -r name i how made; do
    case $how in none|unbuilt) continue ;; esac
    cp -f "$made" "$(cat "$O/$name.exe")"
    if [ $how = whole ]; then how=core; fi
    if [ -f "$O/$i.$how" ] && [ ! -f "$O/$i.told" ]; then # who reads the file finds our tests among its own
      : >"$O/$i.told"
      file=$(cat "$O/$i.file")
      cp -p "$file" "$O/kept"; cat "$O/$i.$how" >>"$file"; touch -r "$O/kept" "$file"
    fi
  done <"$O/state"
}
`
