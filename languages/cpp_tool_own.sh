# Tests of ours for projects that CMake does not build. The programs that stand
# in for the compiler have noted each command in $C: its folder, and a word a
# line. A file of ours is compiled with the command of a test file, at that
# file's own place and under its name, and linked as the test was.
mkdir -p "$O/driver"
: >"$O/state"; : >"$O/direct.log"; : >"$O/programs"
for r in $(ls -tr "$C" 2>/dev/null); do printf '\001%s\n' "$C/$r"; cat "$C/$r"; done >"$O/commands"
unset GTEST_OUTPUT ASSAY_RECORD
libs=$(find "$PWD" "$B" -type d -name .libs 2>/dev/null | tr '\n' ':')
if [ -n "$libs" ]; then LD_LIBRARY_PATH=$libs$LD_LIBRARY_PATH; export LD_LIBRARY_PATH; fi

assay_words='
function full(w,  n, i, k, p, out) {
  if (w !~ /^\//) w = dir "/" w
  n = split(w, p, "/"); k = 0
  for (i = 1; i <= n; i++) {
    if (p[i] == "..") { if (k > 0) k-- }
    else if (p[i] != "" && p[i] != ".") part[++k] = p[i]
  }
  out = ""
  for (i = 1; i <= k; i++) out = out "/" part[i]
  return out
}
function quoted(w) { gsub(/\047/, "\047\\\047\047", w); return "\047" w "\047" }
'

assay_find() { # a test file: prints the notes of its compiling and linking, its object and its program
  F=$PWD/$1 awk "$assay_words"'
  BEGIN { f = ENVIRON["F"] }
  function over(  i, w, c, e, src, obj, out, a) {
    if (note == "") return
    c = e = src = 0; obj = out = ""
    for (i = 3; i <= n; i++) {
      w = word[i]
      if (word[i - 1] == "-o") out = full(w)
      else if (w == "-c") c = 1
      else if (w == "-E" || w == "-S" || w == "-M" || w == "-MM" || w == "-fsyntax-only") e = 1
      else if (w !~ /^-/) { a = full(w); if (a == f) src = 1; else if (a in made) obj = a }
    }
    if (e) return
    if (src && c) {
      if (out == "") { out = f; sub(/.*\//, "", out); sub(/\.[^.]*$/, ".o", out); out = full(out) }
      made[out] = note; compile = note; object = out; link = program = ""
    } else if (src && out != "") { compile = link = note; object = ""; program = out }
    else if (obj != "" && !c && out != "") { compile = made[obj]; object = obj; link = note; program = out }
  }
  /^\001/ { over(); note = substr($0, 2); n = -1; next }
  { n++; if (n == 0) dir = $0; else word[n] = $0 }
  END { over(); if (compile != "") print compile "|" object "|" link "|" program }' "$O/commands"
}

assay_again() { # a note, lines "path TAB what stands for it...", object or nothing: prints the command
  MAP=$2 awk -v mode="$3" "$assay_words"'
  BEGIN { k = split(ENVIRON["MAP"], line, "\n"); for (i = 1; i <= k; i++) { at = index(line[i], "\t"); to[substr(line[i], 1, at - 1)] = substr(line[i], at + 1) } }
  NR == 1 { dir = $0; printf "cd %s &&", quoted(dir); next }
  { w = $0; valued = before ~ /^-(o|I|D|U|L|include|imacros|isystem|iquote|idirafter|x|MT|MQ|MF)$/ }
  before == "-MF" { printf " /dev/null"; before = w; next }
  mode == "object" && NR > 3 && !valued && (w ~ /^-(l|L|Wl)/ || w !~ /^-/ && w ~ /\.(o|lo|a|so|c|cc|cpp|cxx|C)$/ && full(w) != ENVIRON["F"]) { next }
  { before = w; a = full(w); if (w == "-o") placed = 1
    if (w !~ /^-/ && a in to) { k = split(to[a], one, "\t"); for (i = 1; i <= k; i++) printf " %s", quoted(one[i]) }
    else printf " %s", quoted(w) }
  END { if (!placed) for (a in to) printf " -o %s", quoted(to[a])
    if (mode == "object") printf " -c"; else if (mode != "") printf " %s", quoted(mode); print "" }' "$1" >"$O/again.sh"
  timeout 600 sh "$O/again.sh"
}

assay_one() { # index, file, kind: leaves the program in $O/new
  rm -f "$O/new" "$O/first.o"
  mine=$O/$1.o
  other=
  cp -p "$2" "$O/kept" || return 1
  if [ "$3" = plain ]; then # the test's own code stays, so that all that it is linked with does, too
    if [ -n "$object" ]; then cp "$object" "$O/first.o"; else F=$PWD/$2 assay_again "$compile" "$program	$O/first.o" object; fi
    other=$O/$1.other.o
    objcopy --redefine-sym main=assay_other_main "$O/first.o" "$other" || return 1
  fi
  case $3 in
    whole) cat "$O/kept" "$O/$1.core" >"$O/source" ;;
    copies) cat "$O/kept" "$O/$1.copies" >"$O/source" ;;
    plain) cat "$O/$1.head" "$O/$1.full" >"$O/source" ;;
    *) cat "$O/$1.head" "$O/$1.$3" >"$O/source" ;;
  esac
  cat "$O/source" >"$2"
  if [ -n "$object" ]; then assay_again "$compile" "$object	$mine"; else assay_again "$compile" "$program	$O/new" "$other"; fi
  made=$?
  cat "$O/kept" >"$2"; touch -r "$O/kept" "$2"
  if [ $made -ne 0 ]; then return 1; fi
  if [ -n "$object" ]; then
    case $3 in
      whole|copies) with=$mine ;;
      plain) with="$mine	$other" ;;
      *) with="$object	$mine" ;;
    esac
    assay_again "$link" "$object	$with
$program	$O/new" || return 1
  fi
  [ -f "$O/new" ]
}

assay_found() { # file: sets compile, object, link and program
  found=$(assay_find "$1")
  if [ -z "$found" ]; then return 1; fi
  compile=${found%%|*}; found=${found#*|}
  object=${found%%|*}; found=${found#*|}
  link=${found%%|*}; program=${found#*|}
}

assay_own() { # index, file, kinds
  assay_found "$2" || return
  name=$(basename "${program:-$2}")
  how=none
  if [ -z "$link" ] && [ -e "$C.failed" ] || [ -n "$link" ] && [ ! -f "$program" ]; then how=unbuilt
  elif [ -n "$link" ]; then
    for kind in $3; do
      if assay_one "$1" "$2" "$kind" >"$O/$1.$kind.log" 2>&1 </dev/null; then how=$kind; break; fi
    done
  fi
  printf '%s\t%s\t%s\t%s\n' "$name" "$1" "$how" "$O/$1.exe" >>"$O/state"
  case $how in none|unbuilt) return ;; esac
  mv "$O/new" "$O/$1.exe"
  printf '%s\t%s\n' "$O/$1.exe" "$program" >>"$O/programs"
}

assay_copied() { # index, file: leaves a program with copies of the file's tests in $O/copies.exe
  assay_found "$2" && [ -n "$link" ] && [ -f "$program" ] && assay_one "$1" "$2" copies >"$O/$1.copies.log" 2>&1 </dev/null && mv "$O/new" "$O/copies.exe"
}

assay_direct() { # name, program, argument...: starts one test of ours
  id=$1; shift
  if timeout 60 "$@" </dev/null >/dev/null 2>&1; then echo "PASS: $id"; else echo "FAIL: $id"; fi >>"$O/direct.log"
}

assay_drive() { # puts the programs of ours in the places of the tests' own, and has the project's driver start them
  if [ ! -s "$O/programs" ]; then return; fi
  : >"$O/driven"
  while IFS='	' read -r mine program; do rm -f "$program"; cp "$mine" "$program"; done <"$O/programs"
  cut -f 2 "$O/programs" >"$O/places"
  R=$O/driver
  assay_driver "$O/places"
}
