package languages

import (
	"path"
	"slices"
	"strings"

	"assay/bench"
)

// goldDir is where the set-up finds what the solution writes, while it runs.
const goldDir = "/assay/gold"

// Solution is the instance's gold patch with the hidden tests, as the warm
// build needs it.
type Solution struct {
	// Repo is the tree with all of it.
	Repo Repository
	// Files are the test files that will run on it, sorted.
	Files []string
	// Removed are the paths that it deletes, sorted.
	Removed []string
}

// goldBuild reports whether the solution needs something that no build of
// base provides: only then it is built at set-up.
func goldBuild(env bench.Env, suite Suite) bool {
	if suite.Gold == nil {
		return false
	}
	switch env.Framework {
	case "ant":
		return buildFilesDiffer(suite.Repo, suite.Gold.Repo) || !antTests(suite.Repo)
	case "gradle":
		return buildFilesDiffer(suite.Repo, suite.Gold.Repo) || firstInModule(env, suite)
	}
	return goldFetches(suite.Repo, suite.Gold.Repo, jdkOf(env)) || untriedAtBase(env, suite)
}

// untriedAtBase reports whether hidden tests are the first ones of their
// module, or the first ones that Failsafe runs: Maven fetches what runs tests
// only when there is one to run.
func untriedAtBase(env bench.Env, suite Suite) bool {
	if firstInModule(env, suite) {
		return true
	}
	_, before := mavenSplit(env, suite)
	_, after := mavenSplit(env, hiddenSuite(suite))
	return len(after) > 0 && len(before) == 0
}

// firstInModule reports whether hidden tests are in a module without tests at
// base: nothing that base builds needs the libraries of tests.
func firstInModule(env bench.Env, suite Suite) bool {
	gold := hiddenSuite(suite)
	modules := javaModules(env, gold.Repo, gold.Files)
	if len(modules) == 0 {
		modules = []string{"."}
	}
	env.Modules = modules
	for _, m := range modules {
		if firstTest(suite.Repo, suite.Repo.Paths(), m, env) == "" && firstTest(gold.Repo, gold.Files, m, env) != "" {
			return true
		}
	}
	return false
}

// hiddenSuite holds the hidden test files on the solution's tree.
func hiddenSuite(suite Suite) Suite {
	return Suite{Repo: suite.Gold.Repo, Files: intersection(suite.Gold.Files, suite.Hidden)}
}

// goldFetches reports whether the solution's poms name something that those of
// base do not.
func goldFetches(base, gold Repository, jdk int) bool {
	before := readReactor(base, jdk).coordinates()
	for c := range readReactor(gold, jdk).coordinates() {
		if !before[c] {
			return true
		}
	}
	return false
}

// buildFilesDiffer compares the files that describe what Gradle or Ant
// fetches.
func buildFilesDiffer(base, gold Repository) bool {
	for _, p := range gold.Paths() {
		ext := path.Ext(p)
		if (ext == ".gradle" || ext == ".kts" || ext == ".toml" || ext == ".properties" || p == "build.xml") &&
			!strings.Contains(p, "src/") && base.Text(p) != gold.Text(p) {
			return true
		}
	}
	return false
}

// coordinates are what the poms of a reactor fetch, as far as they say:
// parents, dependencies and plugins with their versions, and versions that
// properties hold, for parents that read them. Its own projects do not count.
func (r *reactor) coordinates() map[string]bool {
	out := map[string]bool{}
	for _, m := range r.modules {
		m.pom.each(func(n *xmlNode) bool {
			artifact := r.value(m, n.value("artifactId"))
			group := r.value(m, n.value("groupId"))
			switch {
			case n.parent != nil && n.parent.name == "properties" && strings.ContainsAny(n.text, "0123456789") && !strings.Contains(n.text, " "):
				out[n.name+"="+r.value(m, n.text)] = true
			case artifact != "" && n != m.pom && r.byName[group+":"+artifact] == nil:
				out[strings.Join([]string{group, artifact, r.value(m, n.value("version")), r.value(m, n.value("type")), r.value(m, n.value("classifier"))}, ":")] = true
			}
			return true
		})
	}
	return out
}

// mavenGold builds a copy of the tree with the solution on it, so that what
// only its poms name is there when a submission needs it too. The copy goes
// with the rest of the set-up's files.
func mavenGold(env bench.Env, suite Suite) string {
	if !goldBuild(env, suite) {
		return ""
	}
	gold := Suite{Repo: suite.Gold.Repo, Files: suite.Gold.Files, Hidden: suite.Hidden}
	hidden := intersection(gold.Files, suite.Hidden)
	env.Modules = javaModules(env, gold.Repo, hidden)
	return goldCopy(suite.Gold) + "assay_online " + quoteAll(append(warmArgs(env, gold), "-Dmaven.test.failure.ignore=true")) +
		"\n[ $code -eq 0 ] || echo 'assay: the solution cannot be built in the set-up'\n" +
		"find \"$HOME/.m2/repository\" -name _remote.repositories -delete\n)\n"
}

// goldCopy opens a sub-shell in a copy of the tree with the solution on it.
func goldCopy(gold *Solution) string {
	removed := slices.Clone(gold.Removed)
	for i, p := range removed {
		removed[i] = "./" + p
	}
	return "(\ncp -a . /assay/copy && cd /assay/copy || exit\nrm -f " + quoteAll(removed) + "\ncp -a " + goldDir + "/. .\n"
}
