package languages

import (
	"slices"
	"strings"

	"assay/bench"
)

// packaged are the folders of the projects that the modules want as files of
// the local repository: Maven gives classes in place of a jar where a project
// is a dependency, and builds it first, but not where the configuration of a
// plugin names it, or where a dependency wants another kind of file.
func (r *reactor) packaged(modules []*mavenModule) []string {
	set := map[string]bool{}
	for _, m := range modules {
		m.pom.each(func(n *xmlNode) bool {
			if n.name == "profile" || n.name == "exclusion" || n.name == "exclude" || n.name == "dependencyManagement" {
				return false
			}
			if made := r.wantsFile(m, n); made != nil && made != m {
				set[made.dir] = true
			}
			return true
		})
	}
	return sortedKeys(set)
}

// wantsFile is the project that an element names and that has to be packaged
// for it; nil for all others.
func (r *reactor) wantsFile(m *mavenModule, n *xmlNode) *mavenModule {
	group, artifact, version := n.value("groupId"), n.value("artifactId"), n.value("version")
	switch {
	case n.name == "extension" && !n.within("configuration"):
	case n.name == "plugin" && n.value("extensions") == "true":
	case n.name == "dependency" && !n.within("configuration"):
		if !packagedKind(r.value(m, n.value("type")), n.value("classifier")) {
			return nil
		}
	case n.within("configuration") && artifact != "":
	case n.within("configuration") && strings.Count(n.text, ":") >= 2 && len(n.children) == 0:
		parts := strings.Split(r.value(m, n.text), ":")
		group, artifact, version = parts[0], parts[1], "" // the version's place differs
	default:
		return nil
	}
	made := r.byName[r.value(m, group)+":"+r.value(m, artifact)]
	if made == nil || made.pom.value("packaging") == "pom" {
		return nil
	}
	if v := r.value(m, version); v != "" && !strings.Contains(v, "${") && v != r.version(made) {
		return nil // a release of the project, which is fetched
	}
	return made
}

// packagedKind reports whether Maven takes no folder of classes in place of a
// dependency of this kind.
func packagedKind(kind, classifier string) bool {
	switch kind {
	case "pom", "test-jar":
		return false
	case "", "jar", "ejb", "maven-plugin", "bundle":
		return classifier != "" && classifier != "tests"
	}
	return true
}

// packagedFor are the projects that the environment's modules want packaged.
func packagedFor(r *reactor, env bench.Env) []string {
	if len(r.modules) < 2 {
		return nil
	}
	return r.packaged(r.upstream(append([]string{"."}, env.Modules...)))
}

// packageAgain are those of them whose sources a patch changes, or those of a
// project that they need: what the set-up installed no longer holds.
func packageAgain(r *reactor, env bench.Env, suite Suite) []string {
	changed := map[*mavenModule]bool{}
	for _, p := range suite.Changed {
		if m := r.holding(p); m != nil && classify(Java, p) != TestPath && classify(Java, p) != DocPath {
			changed[m] = true
		}
	}
	var out []string
	for _, dir := range packagedFor(r, env) {
		if slices.ContainsFunc(r.upstream([]string{dir}), func(m *mavenModule) bool { return changed[m] }) {
			out = append(out, dir)
		}
	}
	return out
}

// installArgs are the arguments that put projects into the local repository.
func installArgs(env bench.Env, dirs []string) []string {
	args := []string{"-B", "-nsu", "-DskipTests", "-Dmaven.install.skip=false", "-pl", strings.Join(dirs, ","), "-am"}
	return append(append(args, env.Args...), "install")
}
