package languages

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"assay/bench"
)

// jdks are the ones that environments are made with: those with long support.
func jdks() []int { return []int{8, 11, 17, 21, 25} }

// jdkHome is where environments have a JDK.
func jdkHome(jdk string) string { return "/opt/jdk-" + jdk }

// javaFact is a version that a file of the repository names.
type javaFact struct {
	jdk  int
	what string
	file string
	line int
	prop string // the property that holds it, where one does
}

// javaFacts are what the choice of a JDK rests on.
type javaFacts struct {
	atLeast []javaFact // levels, releases, and what rules ask for
	atMost  []javaFact
	levels  []javaFact // of the sources: an old one is refused by a new compiler
	tested  []javaFact // what CI runs
}

// chooseJDK picks the JDK: the oldest that CI runs among those that have every
// feature asked for and still compile the oldest level; without CI the oldest
// of these.
func (f javaFacts) choose() (int, bench.Decision) {
	low, high := jdks()[0], 25
	why, at := "nothing asks for another, and it compiles every level", javaFact{}
	for _, x := range f.atLeast {
		if x.jdk > low {
			low, why, at = x.jdk, "the oldest with "+x.what, x
		}
	}
	for _, x := range f.levels {
		if x.jdk >= 8 && at.file == "" {
			why, at = "the oldest with "+x.what, x
		}
		if newest := newestFor(x.jdk); newest < high && newest >= low {
			high = newest
			if x.jdk < 8 {
				why, at = fmt.Sprintf("%s, which compilers after %d refuse", x.what, newest), x
			}
		}
	}
	for _, x := range f.atMost {
		if x.jdk >= low && x.jdk < high {
			high, why, at = x.jdk, x.what, x
		}
	}
	pick := fitting(low, high)
	tested := slices.Clone(f.tested)
	slices.SortStableFunc(tested, func(a, b javaFact) int { return a.jdk - b.jdk })
	for _, x := range tested {
		if x.jdk >= low && x.jdk <= high && slices.Contains(jdks(), x.jdk) {
			pick, why, at = x.jdk, "the oldest that CI runs among those that compile the sources", x
			break
		}
	}
	return pick, bench.Decision{Field: "jdk", Value: strconv.Itoa(pick), Why: why, File: at.file, Line: at.line}
}

// fitting is the oldest JDK within bounds, or else the oldest above them.
func fitting(low, high int) int {
	for _, j := range jdks() {
		if j >= low && j <= high {
			return j
		}
	}
	for _, j := range jdks() {
		if j >= low {
			return j
		}
	}
	return jdks()[len(jdks())-1]
}

// newestFor is the newest JDK whose compiler takes a source level.
func newestFor(level int) int {
	switch {
	case level < 6:
		return 8
	case level == 6:
		return 11
	case level == 7:
		return 17
	}
	return 1000
}

// mavenFacts reads the poms of the modules that are built.
func mavenFacts(r *reactor, modules []*mavenModule) javaFacts {
	var f javaFacts
	for _, m := range modules {
		m.pom.each(func(n *xmlNode) bool {
			if n.name == "profile" {
				return false
			}
			f.mavenElement(r, m, n)
			return true
		})
	}
	f.libraries(r, modules)
	return f
}

// gold notes what only the solution's poms ask for: base builds with a newer
// JDK too, as a rule.
func (f *javaFacts) gold(env bench.Env, facts Facts) {
	if facts.Gold == nil {
		return
	}
	r := readReactor(facts.Gold, 0)
	for _, x := range mavenFacts(r, r.upstream(append(javaModules(env, facts.Gold, facts.Files), "."))).atLeast {
		if !slices.Contains(f.atLeast, x) {
			f.atLeast = append(f.atLeast, x)
		}
	}
}

// surroundings notes what is outside of the poms that every build reads:
// options of Maven's own JVM, and modules of the tests that only a profile
// with a JDK builds.
func (f *javaFacts) surroundings(r *reactor, repo Repository, files []string) {
	if line := lineOf(repo.Text(".mvn/jvm.config"), "--add-"); line > 0 {
		f.atLeast = append(f.atLeast, javaFact{jdk: 9, what: "--add-opens or --add-exports", file: ".mvn/jvm.config", line: line})
	}
	for _, m := range r.modules {
		for _, p := range m.pom.list("profiles") {
			low, _, _ := jdkRange(p.value("activation", "jdk"))
			for _, n := range p.list("modules") {
				dir := path.Join(m.dir, n.text) + "/"
				if low > 0 && slices.ContainsFunc(files, func(t string) bool { return strings.HasPrefix(t, dir) }) {
					f.atLeast = append(f.atLeast, javaFact{jdk: low, what: "the profile that builds " + n.text, file: m.file, line: n.line})
				}
			}
		}
	}
}

var levelProperty = regexp.MustCompile(`(?i)^(maven[._-]?compiler[._-]?(test)?(source|target|release)|(project\.)?(build\.)?(java|jdk|javac?)[._-]?(src|source|target|release|build|compiler?|test)?[._-]?(version|level|release)?|(source|target)[._-]?(jdk|java|level)([._-]?version)?)$`)

// mavenElement notes what one element of a pom asks for.
func (f *javaFacts) mavenElement(r *reactor, m *mavenModule, n *xmlNode) {
	switch {
	case len(n.children) > 0 || n.text == "" || n.parent == nil:
		return
	case strings.Contains(n.text, "--add-opens"), strings.Contains(n.text, "--add-exports"):
		f.atLeast = append(f.atLeast, javaFact{jdk: 9, what: "--add-opens in <" + n.name + ">", file: m.file, line: n.line})
	case strings.Contains(n.text, "MaxPermSize"):
		f.atMost = append(f.atMost, javaFact{jdk: 16, what: "-XX:MaxPermSize, which later ones refuse", file: m.file, line: n.line})
	case n.parent.name == "properties" && levelProperty.MatchString(n.name):
		f.level(r, m, n, n.name)
	case isLevel(n.name) && within(n, "maven-compiler-plugin"):
		f.level(r, m, n, "")
	case n.name == "version" && (n.parent.name == "requireJavaVersion" || n.parent.name == "jdkToolchain" || n.parent.name == "jdk" && n.within("toolchains")):
		f.bounds(r.value(m, n.text), n.parent.name, m.file, n.line)
	}
}

func isLevel(name string) bool {
	switch name {
	case "source", "target", "release", "testSource", "testTarget", "testRelease":
		return true
	}
	return false
}

// within reports whether an element belongs to a plugin's entry.
func within(n *xmlNode, artifact string) bool {
	for p := n.parent; p != nil; p = p.parent {
		if p.name == "plugin" {
			return p.value("artifactId") == artifact
		}
	}
	return false
}

func (f *javaFacts) level(r *reactor, m *mavenModule, n *xmlNode, property string) {
	level := javaLevel(r.value(m, n.text))
	if level == 0 {
		return
	}
	x := javaFact{jdk: level, what: fmt.Sprintf("level %d in <%s>", level, n.name), file: m.file, line: n.line, prop: property}
	f.atLeast = append(f.atLeast, x)
	f.levels = append(f.levels, x)
	if strings.HasSuffix(strings.ToLower(n.name), "release") && level < 9 && !strings.Contains(property, "java") {
		x.jdk, x.what = 9, "--release in <"+n.name+">"
		f.atLeast = append(f.atLeast, x)
	}
}

// bounds notes a range, or a version that is the least one.
func (f *javaFacts) bounds(text, what, file string, line int) {
	low, high, ok := jdkRange(text)
	if !ok {
		low, high = javaLevel(text), 1000
	}
	what = fmt.Sprintf("%s in <%s>", text, what)
	if low > 0 {
		f.atLeast = append(f.atLeast, javaFact{jdk: low, what: what, file: file, line: line})
	}
	if high < 1000 && high > 0 {
		f.atMost = append(f.atMost, javaFact{jdk: high, what: what, file: file, line: line})
	}
}

// raised are the flags that lift a source level which the JDK no longer
// compiles, where a property holds it.
func (f javaFacts) raised(jdk int) []string {
	oldest := map[int]int{8: 1, 11: 6, 17: 7, 21: 8, 25: 8}[jdk]
	var out []string
	for _, x := range f.levels {
		if x.jdk < oldest && x.prop != "" {
			out = append(out, fmt.Sprintf("-D%s=%s", x.prop, levelText(oldest)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func levelText(level int) string {
	if level < 9 {
		return fmt.Sprintf("1.%d", level)
	}
	return strconv.Itoa(level)
}
