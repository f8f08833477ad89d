package languages

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// reactor is the set of Maven projects that one call at the root builds.
type reactor struct {
	modules []*mavenModule // sorted by folder, the root first
	byDir   map[string]*mavenModule
	byName  map[string]*mavenModule // group:artifact
}

// mavenModule is one project of the reactor.
type mavenModule struct {
	dir    string // "." for the root
	file   string
	pom    *xmlNode
	parent *mavenModule // where the parent's pom is in the repository
	above  *mavenModule // that names this one as its module
	needs  []string     // group:artifact of everything its pom names
}

// readReactor follows the modules from the root's pom.xml. jdk decides which
// profiles are active; 0 leaves out those that ask for a JDK.
func readReactor(repo Repository, jdk int) *reactor {
	r := &reactor{byDir: map[string]*mavenModule{}, byName: map[string]*mavenModule{}}
	r.add(repo, ".", nil, jdk)
	slices.SortFunc(r.modules, func(a, b *mavenModule) int {
		if (a.dir == ".") != (b.dir == ".") {
			if a.dir == "." {
				return -1
			}
			return 1
		}
		return strings.Compare(a.dir, b.dir)
	})
	for _, m := range r.modules {
		r.byName[r.group(m)+":"+m.pom.value("artifactId")] = m
	}
	for _, m := range r.modules {
		m.parent = r.parentOf(m)
		m.needs = r.named(m)
	}
	return r
}

// add reads a folder's pom and those of its modules.
func (r *reactor) add(repo Repository, dir string, above *mavenModule, jdk int) {
	file := path.Join(dir, "pom.xml")
	if strings.HasSuffix(dir, ".xml") {
		file, dir = dir, path.Dir(dir)
	}
	text := repo.Text(file)
	if text == "" || r.byDir[dir] != nil {
		return
	}
	pom, _ := parseXML(text) // a cut one gives what is there
	if pom == nil {
		return
	}
	m := &mavenModule{dir: dir, file: file, pom: pom, above: above}
	r.byDir[dir] = m
	r.modules = append(r.modules, m)
	lists := [][]*xmlNode{pom.list("modules")}
	for _, p := range activeProfiles(pom, jdk) {
		lists = append(lists, p.list("modules"))
	}
	for _, l := range lists {
		for _, n := range l {
			if below := path.Join(dir, r.value(m, n.text)); n.text != "" && !strings.HasPrefix(below, "..") {
				r.add(repo, below, m, jdk)
			}
		}
	}
}

// parentOf finds the pom that a module inherits from, where it is one of the
// reactor's.
func (r *reactor) parentOf(m *mavenModule) *mavenModule {
	p := m.pom.find("parent")
	if p == nil {
		return nil
	}
	found := r.byName[p.value("groupId")+":"+p.value("artifactId")]
	if found == nil || found == m {
		return nil
	}
	return found
}

func (r *reactor) group(m *mavenModule) string {
	if g := m.pom.value("groupId"); g != "" {
		return g
	}
	return m.pom.value("parent", "groupId")
}

func (r *reactor) version(m *mavenModule) string {
	if v := m.pom.value("version"); v != "" {
		return r.value(m, v)
	}
	return r.value(m, m.pom.value("parent", "version"))
}

var mavenExpression = regexp.MustCompile(`\$\{([^${}]+)\}`)

// value replaces ${names} by what the module and its parents say; names
// without a value stay.
func (r *reactor) value(m *mavenModule, text string) string {
	for range 8 {
		next := mavenExpression.ReplaceAllStringFunc(text, func(e string) string {
			if v, ok := r.property(m, e[2:len(e)-1]); ok {
				return v
			}
			return e
		})
		if next == text || len(next) > 1000 {
			return next
		}
		text = next
	}
	return text
}

func (r *reactor) property(m *mavenModule, name string) (string, bool) {
	switch strings.TrimPrefix(strings.TrimPrefix(name, "project."), "pom.") {
	case "version":
		v := m.pom.value("version")
		if v == "" {
			v = m.pom.value("parent", "version")
		}
		return v, v != "" && v != "${"+name+"}"
	case "groupId":
		return r.group(m), r.group(m) != ""
	case "parent.version":
		v := m.pom.value("parent", "version")
		return v, v != ""
	case "parent.groupId":
		v := m.pom.value("parent", "groupId")
		return v, v != ""
	}
	for _, p := range r.lineage(m) {
		if n := p.pom.find("properties", name); n != nil {
			return n.text, true
		}
	}
	return "", false
}

// lineage is a module with those that it inherits from.
func (r *reactor) lineage(m *mavenModule) []*mavenModule {
	var out []*mavenModule
	for ; m != nil && !slices.Contains(out, m); m = m.parent {
		out = append(out, m)
	}
	return out
}

// named lists everything that a pom names by group and artifact:
// dependencies, plugins, imports, its parent.
func (r *reactor) named(m *mavenModule) []string {
	var out []string
	m.pom.each(func(n *xmlNode) bool {
		if a := n.value("artifactId"); a != "" && n != m.pom {
			out = append(out, r.value(m, n.value("groupId"))+":"+r.value(m, a))
		}
		return true
	})
	slices.Sort(out)
	return slices.Compact(out)
}

// upstream are the folders of the given modules and of all that they need.
func (r *reactor) upstream(dirs []string) []*mavenModule {
	seen := map[*mavenModule]bool{}
	var visit func(m *mavenModule)
	visit = func(m *mavenModule) {
		if m == nil || seen[m] {
			return
		}
		seen[m] = true
		visit(m.parent)
		for _, n := range m.needs {
			visit(r.byName[n])
		}
	}
	for _, d := range dirs {
		visit(r.byDir[d])
	}
	return r.those(seen)
}

// downstream are the modules that hold or need one of the given ones.
func (r *reactor) downstream(from map[*mavenModule]bool) []*mavenModule {
	for grew := true; grew; {
		grew = false
		for _, m := range r.modules {
			if !from[m] && r.needsOne(m, from) {
				from[m], grew = true, true
			}
		}
	}
	return r.those(from)
}

func (r *reactor) needsOne(m *mavenModule, set map[*mavenModule]bool) bool {
	if m.parent != nil && set[m.parent] {
		return true
	}
	return slices.ContainsFunc(m.needs, func(n string) bool { return r.byName[n] != nil && set[r.byName[n]] })
}

func (r *reactor) those(set map[*mavenModule]bool) []*mavenModule {
	var out []*mavenModule
	for _, m := range r.modules {
		if set[m] {
			out = append(out, m)
		}
	}
	return out
}

// holding is the innermost module whose folder holds a path.
func (r *reactor) holding(p string) *mavenModule {
	for dir := path.Dir(p); ; dir = path.Dir(dir) {
		if m := r.byDir[dir]; m != nil || dir == "." || dir == "/" {
			return m
		}
	}
}
