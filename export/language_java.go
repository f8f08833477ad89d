package export

import (
	"cmp"
	"slices"
	"strings"

	"assay/bench"
)

// harborJava runs the classes of the tests as a whole.
func harborJava() harborLanguage {
	gradle := func(env bench.Env) bool { return env.Framework == "gradle" }
	// command is the tool's, with the arguments that keep gates of style and
	// packaging out of tests.
	command := func(tool string, env bench.Env) string { return tool + shellWords(env.Args) }
	return harborLanguage{
		name: "java",
		base: func(env bench.Env) string { return "maven:3.9-eclipse-temurin-" + cmp.Or(env.JDK, "17") },
		setup: func(_ bench.Instance, env bench.Env) []string {
			if gradle(env) {
				return []string{"RUN " + command("./gradlew --no-daemon", env) + " testClasses || true"}
			}
			return []string{"RUN " + command("mvn -B -q", env) + " -DskipTests test-compile surefire:help || true"}
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
			return command("mvn -B", env) + " test -fae -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false -Dtest='" + strings.Join(classes, ",") + "'"
		},
	}
}
