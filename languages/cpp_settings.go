package languages

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// cppBegin notes when the run began: what is changed later is its own doing.
const cppBegin = "assay_begin=$(date +%s.%N)\n"

// cppSettingsScript leaves what the build was configured to do in files: the
// commands that compile the suite's files and link their executables, CTest's
// tests, and what was changed outside of the build tree.
func cppSettingsScript(suite Suite) string {
	return `S=$ASSAY_DIR/settings
mkdir -p "$S"
printf '%s\n' "$assay_begin" >"$S/begin"
/usr/bin/find ` + Root + ` -name .git -prune -o \( -type f -o -type l \) -newerct "@$assay_begin" -exec /usr/bin/stat -c '%h %W %i %n' {} + 2>/dev/null | head -n 2000 >"$S/changed"
: >"$S/names"
if awk -v begin="$assay_begin" '$1 > 1 && $2 > 0 && $2 < int(begin) { found = 1 } END { exit !found }' "$S/changed"; then
  /usr/bin/find / -xdev -type f -links +1 -newerct "@$assay_begin" -exec /usr/bin/stat -c '%i %n' {} + 2>/dev/null | head -n 20000 >"$S/names"
fi
` + cppSystemCheck + `cat "$B"/CTestCustom.cmake "$B"/CTestCustom.ctest "$B"/CTestCustom.in >"$S/custom" 2>/dev/null
cksum <"$A/compile" >"$S/wrapper"
ctest --test-dir "$B" --show-only=json-v1 >"$S/ctest.json" 2>/dev/null
while IFS='	' read -r name artifact folder; do
  case $artifact in "$B"/*) artifact=${artifact#"$B"/} ;; esac
  ninja -C "$B" -t commands "$artifact" 2>/dev/null | awk -v name="$name" -v artifact="$artifact" -v files=` + quote(strings.Join(suite.Files, `\n`)) + ` '
  BEGIN { n = split(files, f, "\n") }
  { for (k = 1; k <= n; k++) { s = "/" f[k]; if (substr($0, length($0) - length(s) + 1) == s) print name "\tcompile\t" f[k] "\t" $0 } last = $0 }
  END { print name "\tlink\t" artifact "\t" last }'
done <"$ASSAY_DIR/targets" >"$S/commands"
`
}

// cppSystemCheck leaves the trusted files that were changed since the run began,
// found by tools that no other can stand in for. What is older than the run and
// has several names was not written to: that would have made a file of its own.
// Its status changes where another environment links to it meanwhile.
const cppSystemCheck = `/usr/bin/find -H ` + cppTrusted + ` -xdev \( -type f -o -type l \) -newerct "@$assay_begin" -exec /usr/bin/stat -c '%h %W %n' {} + 2>/dev/null |
  /usr/bin/awk -v begin="$assay_begin" '$1 < 2 || $2 < 1 || $2 >= int(begin) { sub(/^[^ ]+ [^ ]+ /, ""); print }' | /usr/bin/sort | /usr/bin/head -n 50 >"$S/system"
`

// cppTrusted are the tools and headers that a build must not change. The list
// is short, since the local executor shows the machine's own system, which
// may change meanwhile.
const cppTrusted = "/usr/bin/c++ /usr/bin/g++* /usr/bin/gcc* /usr/bin/cc /usr/bin/ld* /usr/bin/as /usr/bin/ar /usr/bin/ninja /usr/bin/cmake /usr/bin/ctest " +
	"/usr/bin/sh /usr/bin/dash /usr/bin/awk /usr/bin/mawk /usr/bin/grep /usr/bin/sed /usr/bin/find /usr/bin/stat /usr/lib/gcc/*/*/cc1plus /usr/lib/gcc/*/*/collect2 " +
	"/usr/include/gtest /usr/include/gmock /usr/include/catch2 /usr/include/doctest /usr/include/assert.h /usr/lib/*/libgtest* /usr/lib/*/libgmock* /usr/local/include " +
	"/usr/local/bin /usr/local/sbin /usr/local/lib/*.so* /usr/local/lib/*.a /usr/local/lib/*/lib*.so* /etc/ld.so.preload /etc/ld.so.conf /etc/ld.so.conf.d /etc/ld.so.cache /usr/lib/*/libc.so.6 /usr/lib/*/libstdc++.so.6*"

// cppSettings reads what cppSettingsScript left.
func cppSettings(suite Suite) func(map[string][]byte) Settings {
	return func(files map[string][]byte) Settings {
		dir := suite.dir() + "/settings/"
		s := Settings{}
		s.Set(subjectMachine, "files changed by the build", string(files[dir+"system"]))
		s.Set(subjectMachine, "compiler wrapper", string(files[dir+"wrapper"]))
		s.Set(subjectTestFiles, "files changed by the build", changedTests(suite, touchedIn(files, dir)))
		if !configures(suite.Changed) {
			s.Set(configuredAsBase, "", "")
		}
		s.Set("CTest", "CTestCustom", string(files[dir+"custom"]))
		s.commands(suite, string(files[dir+"commands"]))
		s.tests(files[dir+"ctest.json"])
		return s
	}
}

// configures reports whether changes go beyond sources and documents of C++, so
// that the build may be configured in another way than base's.
func configures(changed []string) bool {
	return slices.ContainsFunc(changed, func(p string) bool {
		return (!about(Cpp).IsRelated(p) || about(Cpp).IsCommon(p)) && !slices.Contains([]string{".md", ".rst"}, path.Ext(p))
	})
}

// each notes every item as a property of its own: a reference that has more
// of them is not a difference.
func (s Settings) each(subject, kind string, items []string) {
	for _, i := range items {
		s.Set(subject, kind+" "+i, "set")
	}
}

// changedTests are the tests of the tree that the build wrote to.
func changedTests(suite Suite, t touched) string {
	var out []string
	known := map[string]bool{}
	for _, p := range suite.Repo.Paths() {
		known[p] = true
	}
	for _, f := range t.files {
		if p := strings.TrimPrefix(f.path, Root+"/"); known[p] && isTest(Cpp, p) && t.written(f, known) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// commands reads the commands that compile and link.
func (s Settings) commands(suite Suite, text string) {
	holders := map[string][]string{}
	for line := range strings.Lines(text) {
		fields := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 4)
		if len(fields) < 4 {
			continue
		}
		name, file, command := fields[0], fields[2], fields[3]
		if fields[1] == "compile" {
			holders[file] = append(holders[file], name)
			s.Set(file+" in "+name, "compiler", cppProgram(command))
			s.each(file+" in "+name, "option", cppTelling(command, suite.Repo.Text(file)))
			continue
		}
		link, more := cppLinking(command, file)
		s.Set(name, "linker", cppProgram(link))
		s.each(name, "linker option", cppLinkTelling(link))
		s.each(name, "further command", more)
	}
	for file, names := range holders {
		slices.Sort(names)
		s.Set(file, "executables", strings.Join(slices.Compact(names), " "))
	}
}

// cppProgram is what a command runs: its words before the first option.
func cppProgram(command string) string {
	var out []string
	for _, w := range strings.Fields(command) {
		if strings.HasPrefix(w, "-") || strings.HasSuffix(w, ".o") {
			break
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// cppTelling are a compile command's options that can change what a test file
// says: files that are forced on it, tools of the compiler, and definitions of
// macros with parameters, of NDEBUG, or of words in the file.
func cppTelling(command, text string) []string {
	var out []string
	words := strings.Fields(command)
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case slices.Contains([]string{"-include", "-imacros", "-B", "-wrapper", "-specs", "-x", "-iquote", "-idirafter", "-Xpreprocessor"}, w):
			out = append(out, w+" "+next)
		case slices.ContainsFunc([]string{"-include", "-imacros", "-fplugin", "-B", "-wrapper", "-specs", "--specs", "-Wp,", "@", "-iquote"}, func(p string) bool { return strings.HasPrefix(w, p) }):
			out = append(out, w)
		case strings.HasPrefix(w, "-D"), strings.HasPrefix(w, "-U"):
			definition := w[2:]
			if definition == "" {
				definition = next
			}
			definition = strings.Trim(definition, "\"'\\")
			name, _, _ := strings.Cut(definition, "=")
			if name == "NDEBUG" || strings.ContainsAny(name, "(") || name != "" && containsWord(text, name) {
				out = append(out, w[:2]+definition)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func containsWord(text, word string) bool {
	for rest := text; ; {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		end := i + len(word)
		if (i == 0 || !isWord(rest[i-1])) && (end == len(rest) || !isWord(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

// cppLinking divides the command of an executable into the part that links it
// and the rest.
func cppLinking(command, artifact string) (link string, more []string) {
	for part := range strings.SplitSeq(command, " && ") {
		part = strings.TrimSpace(part)
		switch {
		case link == "" && strings.Contains(part+" ", " -o "+artifact+" "):
			link = part
		case part != ":" && part != "":
			more = append(more, part)
		}
	}
	return link, more
}

// cppLinkTelling are a link command's options that can put other code in the
// place of the tests' own.
func cppLinkTelling(command string) []string {
	var out []string
	words := strings.Fields(command)
	for i, w := range words {
		switch {
		case w == "-T" || w == "-e" || w == "-Xlinker" || w == "-B" || w == "-u" || w == "-specs":
			if i+1 < len(words) {
				out = append(out, w+" "+words[i+1])
			}
		case strings.HasPrefix(w, "-Wl,") && !harmlessLink(w):
			out = append(out, w)
		case slices.ContainsFunc([]string{"-nostart", "-nodefault", "-nostdlib", "-T", "-B", "-specs", "--specs", "@"}, func(p string) bool { return strings.HasPrefix(w, p) }):
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// harmlessLink reports whether an option for the linker only concerns where
// and how libraries are found.
func harmlessLink(option string) bool {
	for _, p := range []string{"-rpath", "--rpath", "-rpath-link", "--as-needed", "--no-as-needed", "--start-group", "--end-group", "-soname", "--dependency-file", "--gc-sections", "-O", "--push-state", "--pop-state", "--no-undefined", "--export-dynamic", "-Bstatic", "-Bdynamic", "--whole-archive", "--no-whole-archive", "--enable-new-dtags", "--build-id"} {
		if strings.HasPrefix(option, "-Wl,"+p) {
			return true
		}
	}
	return false
}

// tests reads what CTest would run.
func (s Settings) tests(data []byte) {
	var doc struct {
		Tests []struct {
			Name       string
			Command    []string
			Properties []struct {
				Name  string
				Value any
			}
		}
	}
	if json.Unmarshal(data, &doc) != nil {
		return
	}
	for _, t := range doc.Tests {
		s.Set("test "+t.Name, "FAIL_REGULAR_EXPRESSION", "") // one that is gone is a difference, too
		for _, p := range t.Properties {
			if !harmlessProperty(p.Name) {
				s.Set("test "+t.Name, p.Name, fmt.Sprint(p.Value))
			}
		}
		if len(t.Command) > 0 {
			s.Set("test "+t.Name, "command", strings.Join(append([]string{path.Clean(t.Command[0])}, t.Command[1:]...), " "))
		}
	}
}

// harmlessProperty reports whether a property of a test says only when and
// where it runs.
func harmlessProperty(name string) bool {
	return slices.Contains([]string{"LABELS", "COST", "PROCESSORS", "PROCESSOR_AFFINITY", "RUN_SERIAL", "RESOURCE_LOCK", "TIMEOUT", "TIMEOUT_AFTER_MATCH", "MEASUREMENT", "DEPENDS"}, name)
}
