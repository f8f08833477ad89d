package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/bench"
	"assay/languages/reports"
)

// mesonTool builds with Meson and Ninja, and runs "meson test".
func mesonTool() cppTool {
	return cppTool{
		name:  "meson",
		file:  func(r Repository) string { return uppermost(r, "meson.build") },
		tests: func(r Repository) bool { return firstOwn(r, "meson.build", mesonTest) != "" },
		needs: mesonPackages, args: mesonArgs, sources: mesonWraps,
		shell:   mesonShell,
		formats: map[string]reports.Format{"testlog.json": reports.MesonLog, "testlog.junit.xml": reports.Meson, "": reports.GTest},
	}
}

var (
	mesonTest   = regexp.MustCompile(`(?m)^\s*test\s*\(`)
	mesonOption = regexp.MustCompile(`(?s)\boption\s*\(\s*'([\w.-]+)'(.*?)\)\s*(?:\n|$)`)
	mesonType   = regexp.MustCompile(`\btype\s*:\s*'(\w+)'`)
	mesonValue  = regexp.MustCompile(`\bvalue\s*:\s*'?(\w+)'?`)
	mesonDoc    = regexp.MustCompile(`\bdescription\s*:\s*'([^']*)'`)
	mesonName   = regexp.MustCompile(`\bproject\s*\(\s*'([^']+)'`)
	mesonNeeds  = regexp.MustCompile(`\b(dependency|find_program)\s*\(\s*'([^']+)'`)
)

// mesonShell configures once; Ninja configures again where a build file
// changes. What a build before this one made is removed first. An executable
// that is not built has a stub in its place, which ends as an error: Meson would
// run no test at all.
const mesonShell = `assay_targets_of() {
  meson introspect --targets "$B" 2>/dev/null | python3 -c '
import json, sys
for t in json.load(sys.stdin):
    if t["type"] == "executable":
        for f in t["filename"] if isinstance(t["filename"], list) else [t["filename"]]:
            print(f)' 2>/dev/null
}
assay_build() {
  if [ ! -f "$B/build.ninja" ]; then
    set --
    if [ -n "$ARGS" ]; then while IFS= read -r arg; do set -- "$@" "$arg"; done <<ASSAY_ARGS
$ARGS
ASSAY_ARGS
    fi
    meson setup "$@" "$B" "$S" || return 1
  fi
  assay_targets_of | while IFS= read -r exe; do rm -f "$exe"; done
  more=$(ninja -C "$B" -t targets all 2>/dev/null | sed -n 's/^\(meson-test-prereq\): .*/\1/p')
  ninja -C "$B" -k 0 -j "$J" all $more
}
assay_built() { assay_targets_of | while IFS= read -r exe; do if [ -f "$exe" ]; then echo yes; break; fi; done; }
assay_test() {
  rm -f "$B"/meson-logs/testlog*
  assay_targets_of | while IFS= read -r exe; do
    if [ ! -e "$exe" ]; then
      printf '#!/bin/sh\necho "the executable was not built" >&2\nexit 99\n' >"$exe"
      chmod 755 "$exe"
    fi
  done
  meson test -C "$B" --no-rebuild --timeout-multiplier 10 --num-processes "$J" --print-errorlogs "$@"
  code=$?
  cp "$B/meson-logs/testlog.json" "$B/meson-logs/testlog.junit.xml" "$R/" 2>/dev/null
  return $code
}
assay_driver() {
  meson introspect --tests "$B" 2>/dev/null | python3 -c '
import json, os, sys
programs = set(os.path.realpath(line.rstrip("\n")) for line in open(sys.argv[1]))
for t in json.load(sys.stdin):
    if t["cmd"] and os.path.realpath(t["cmd"][0]) in programs:
        print(t["name"])' "$1" | sort -u >"$ASSAY_DIR/names"
  set --
  while IFS= read -r name; do set -- "$@" "$name"; done <"$ASSAY_DIR/names"
  if [ $# -gt 0 ]; then assay_test "$@"; fi
}
assay_ran() { grep -m 1 -E '"result": "(OK|FAIL|TIMEOUT|EXPECTEDFAIL|UNEXPECTEDPASS|SKIP)"' "$R/testlog.json" 2>/dev/null | cut -c 1-40; }
`

// ownFiles are the project's own files of a name.
func ownFiles(repo Repository, names ...string) []string {
	var out []string
	for _, p := range repo.Paths() {
		if slices.Contains(names, path.Base(p)) && !foreign(p) && !strings.HasPrefix(p, "subprojects/") {
			out = append(out, p)
		}
	}
	return out
}

// firstOwn is the first of the project's own files of a name in which a pattern
// matches, or "".
func firstOwn(repo Repository, name string, what *regexp.Regexp) string {
	for _, p := range ownFiles(repo, name) {
		if what.MatchString(repo.Text(p)) {
			return p
		}
	}
	return ""
}

// unprefixed is before the names of switches that, unlike CMake's, carry no
// name of a project as their first word.
const unprefixed = "any_"

// mesonArgs turn on the options that add tests.
func mesonArgs(f Facts) (args []string, why []bench.Decision) {
	own := map[string]bool{}
	if m := mesonName.FindStringSubmatch(f.Repo.Text(uppermost(f.Repo, "meson.build"))); m != nil {
		own[strings.ToLower(m[1])] = true
		for _, w := range words(m[1]) {
			own[w] = true
		}
	}
	for _, file := range []string{"meson_options.txt", "meson.options"} {
		text := f.Repo.Text(file)
		for _, m := range mesonOption.FindAllStringSubmatchIndex(text, -1) {
			name, rest := text[m[2]:m[3]], text[m[4]:m[5]]
			o := cppOption{name: unprefixed + strings.ReplaceAll(name, ".", "_"), doc: first(mesonDoc, rest)}
			value := ""
			switch first(mesonType, rest) {
			case "boolean":
				value = "true"
			case "feature":
				value = "enabled"
			}
			if value == "" || first(mesonValue, rest) == value || !o.wantsTests(own) {
				continue
			}
			arg := "-D" + name + "=" + value
			args = append(args, arg)
			why = append(why, bench.Decision{Field: "args", Value: arg, Why: "this switch adds the project's tests", File: file, Line: lineAt(text, m[0])})
		}
	}
	return args, why
}

func first(what *regexp.Regexp, text string) string {
	if m := what.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// mesonPackages are Meson's own and those of what the build files look for.
func mesonPackages(f Facts) ([]string, []bench.Decision, error) {
	p, err := newCppNeeds("meson", "g++", "ninja-build", "pkg-config", "python3")
	if err != nil {
		return nil, nil, err
	}
	for _, file := range ownFiles(f.Repo, "meson.build") {
		text := f.Repo.Text(file)
		for _, m := range mesonNeeds.FindAllStringSubmatchIndex(text, -1) {
			kind, name := text[m[2]:m[3]], text[m[4]:m[5]]
			line := lineAt(text, m[0])
			if kind == "dependency" {
				p.library(name, file, line)
			} else {
				p.program(name, file, line)
			}
		}
	}
	return p.packages, p.why, nil
}

// mesonWraps are the repositories that subprojects/NAME.wrap names.
func mesonWraps(f Facts) (out []bench.Source, why []bench.Decision) {
	for _, p := range f.Repo.Paths() {
		if path.Dir(p) != "subprojects" || path.Ext(p) != ".wrap" {
			continue
		}
		text := f.Repo.Text(p)
		values := map[string]string{}
		for _, line := range strings.Split(text, "\n") {
			if key, value, ok := strings.Cut(line, "="); ok {
				values[strings.TrimSpace(key)] = strings.TrimSpace(value)
			}
		}
		if !strings.Contains(text, "[wrap-git]") || values["url"] == "" {
			continue
		}
		folder, ref := values["directory"], values["revision"]
		if folder == "" {
			folder = strings.TrimSuffix(path.Base(p), ".wrap")
		}
		if ref == "" || strings.EqualFold(ref, "head") {
			ref = "HEAD"
		}
		out = append(out, bench.Source{Repo: values["url"], Ref: ref, Path: path.Join("subprojects", folder)})
		why = append(why, bench.Decision{Field: "sources", Value: values["url"] + "@" + ref, Why: "a subproject", File: p, Line: lineOf(text, "url")})
	}
	return out, why
}
