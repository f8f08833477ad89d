package export

import (
	"cmp"
	"slices"
	"strings"

	"assay/bench"
)

// javaResults reads the reports in JUnit's form that are younger than the file of the
// ids. Names lose the types of parameters. A test that has no report of its own by
// its name passes where its class ran and the whole run passed.
const javaResults = `find . \( -path '*/surefire-reports/TEST-*.xml' -o -path '*/test-results/*/TEST-*.xml' \) -newer "$ids" -exec cat {} + |
awk -v code="$code" -v ids="$ids" '
function text(s) { gsub(/&lt;/, "<", s); gsub(/&gt;/, ">", s); gsub(/&quot;/, "\"", s); gsub(/&apos;/, "\047", s); gsub(/&amp;/, "\\&", s); return s }
function attribute(tag, name) {
  if (!match(tag, "[ \t]" name "=\"[^\"]*\"")) return ""
  return text(substr(tag, RSTART + length(name) + 3, RLENGTH - length(name) - 4))
}
function finish() {
  if (id == "") return
  seen[id] = 1
  if (state != "SKIP") print state ": " id
  id = ""
}
{
  line = $0
  while (line != "") {
    if (data) { # of a test, such as its output
      at = index(line, "]]>")
      if (!at) break
      data = 0; line = substr(line, at + 3); continue
    }
    if (!match(line, /<testcase [^>]*>|<failure|<error|<skipped|<rerunFailure|<!\[CDATA\[|<\/testcase>/)) break
    tag = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
    if (tag ~ /^<!/) data = 1
    else if (tag ~ /^<testcase/) {
      finish()
      name = attribute(tag, "name"); gsub(/\([^)]*\)|\{[^}]*\}/, "", name)
      class = attribute(tag, "classname"); ran[class] = 1
      id = class "::" name; state = "PASS"
      if (tag ~ /\/>$/) finish()
    } else if (tag ~ /^<(failure|error)/) state = "FAIL"
    else if (tag ~ /^<skipped/) state = "SKIP"
    else if (tag ~ /^<\/testcase/) finish()
  }
}
END {
  finish()
  while (code == 0 && (getline id < ids) > 0) {
    class = id; sub(/::.*/, "", class)
    if (!(id in seen) && (class in ran)) print "PASS: " id
  }
}'`

// mavenLenient lets modules without any of the tests pass.
const mavenLenient = "-DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false"

// javaContainer runs the classes of the tests as a whole.
func javaContainer() container {
	gradle := func(env bench.Env) bool { return env.Framework == "gradle" }
	// command is the tool's, with the arguments that keep gates of style and
	// packaging out of tests.
	command := func(tool string, env bench.Env) string { return tool + shellWords(env.Args) }
	return container{
		name: "java",
		base: func(env bench.Env) string { return "maven:3.9-eclipse-temurin-" + cmp.Or(env.JDK, "17") },
		// A run of no test fetches what the tool loads for tests alone, since the
		// tests may run without network.
		setup: func(_ bench.Instance, env bench.Env) []string {
			if gradle(env) {
				return []string{"RUN " + command("./gradlew --no-daemon", env) + " test --tests no.such.Test || true"}
			}
			return []string{"RUN " + command("mvn -B -q", env) + " test " + mavenLenient + " -Dtest='*#noSuchTest' || true"}
		},
		test: func(env bench.Env, ids []string) string {
			var classes []string
			for _, id := range ids {
				class, _, _ := strings.Cut(id, "::")
				class, _, _ = strings.Cut(class, "$")
				classes = append(classes, class)
			}
			slices.Sort(classes)
			classes = slices.Compact(classes)
			if gradle(env) {
				return command("./gradlew --no-daemon", env) + " --continue test --tests " + strings.Join(classes, " --tests ")
			}
			return command("mvn -B", env) + " test -fae " + mavenLenient + " -Dtest='" + strings.Join(classes, ",") + "'"
		},
		results: javaResults,
	}
}
