package languages

import (
	_ "embed"
	"regexp"
	"strings"

	"assay/bench"
)

// snapshotFunction is shell that puts a release into the local repository
// under the name of a SNAPSHOT of it, which no server keeps for long.
//
//go:embed java_snapshot.sh
var snapshotFunction string

// snapshot is a version of another project that was never released.
type snapshot struct {
	group, artifact, version string
	kind                     string // pom, or the packaging
	file                     string
	line                     int
}

var mavenName = regexp.MustCompile(`^[\w.-]+$`)

// outsideSnapshots are the SNAPSHOT versions that the modules name and that
// none of the reactor's projects makes: parents, imports, dependencies, plugins.
func outsideSnapshots(r *reactor, modules []*mavenModule) []snapshot {
	var out []snapshot
	seen, used := map[string]bool{}, r.usedNames(modules)
	for _, m := range modules {
		m.pom.each(func(n *xmlNode) bool {
			if n.name == "profile" {
				return false
			}
			if managed(n) && n.value("scope") != "import" && !used[r.value(m, n.value("groupId"))+":"+r.value(m, n.value("artifactId"))] {
				return true // it is only mentioned
			}
			if s, ok := r.snapshotOf(m, n); ok && !seen[s.String()] {
				seen[s.String()] = true
				out = append(out, s)
			}
			return true
		})
	}
	return out
}

// goldSnapshots are those that the solution's poms name.
func goldSnapshots(env bench.Env, f Facts) []snapshot {
	if f.Gold == nil {
		return nil
	}
	r := readReactor(f.Gold, jdkOf(env))
	modules := r.upstream(append([]string{"."}, env.Modules...))
	if len(env.Modules) == 0 {
		modules = r.modules
	}
	return outsideSnapshots(r, modules)
}

// managed reports whether an element is below dependencyManagement or
// pluginManagement.
func managed(n *xmlNode) bool {
	return n.within("dependencyManagement") || n.within("pluginManagement")
}

// usedNames are the group:artifact of what the modules really use.
func (r *reactor) usedNames(modules []*mavenModule) map[string]bool {
	used := map[string]bool{}
	for _, m := range modules {
		m.pom.each(func(n *xmlNode) bool {
			if a := n.value("artifactId"); a != "" && n != m.pom && !managed(n) {
				used[r.value(m, n.value("groupId"))+":"+r.value(m, a)] = true
			}
			return true
		})
	}
	return used
}

func (s snapshot) String() string { return s.group + ":" + s.artifact + ":" + s.version }

// snapshotOf reads an element that names an artifact.
func (r *reactor) snapshotOf(m *mavenModule, n *xmlNode) (snapshot, bool) {
	s := snapshot{kind: "jar", file: m.file, line: n.line}
	switch n.name {
	case "parent":
		s.kind = "pom"
	case "dependency":
		if t := n.value("type"); t == "pom" {
			s.kind = t
		}
	case "plugin", "extension":
	default:
		return s, false
	}
	s.group, s.artifact, s.version = r.value(m, n.value("groupId")), r.value(m, n.value("artifactId")), r.value(m, n.value("version"))
	if n.name == "plugin" && s.group == "" {
		s.group = "org.apache.maven.plugins"
	}
	if !strings.HasSuffix(s.version, "-SNAPSHOT") || r.byName[s.group+":"+s.artifact] != nil {
		return s, false
	}
	return s, mavenName.MatchString(s.group) && mavenName.MatchString(s.artifact) && mavenName.MatchString(s.version)
}

var minorLine = regexp.MustCompile(`^\d+(?:\.\d+)?`)

// snapshotSetup are the set-up commands for them, and why they are needed.
func snapshotSetup(all []snapshot) ([]string, []bench.Decision) {
	if len(all) == 0 {
		return nil, nil
	}
	commands := []string{snapshotFunction}
	var why []bench.Decision
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.String()] {
			continue
		}
		seen[s.String()] = true
		words := []string{s.group, s.artifact, s.version, s.kind, minorLine.FindString(s.version)}
		commands = append(commands, "assay_release "+quoteAll(words))
		why = append(why, bench.Decision{
			Field: "setup", Value: "a release in place of " + s.String(),
			Why: "SNAPSHOTs of other projects are not kept: the release is used under its name", File: s.file, Line: s.line,
		})
	}
	return commands, why
}
