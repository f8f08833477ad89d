package imports

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"assay/languages"
	"assay/languages/syntax"
)

func javaLanguage() language {
	l := plainLanguage(languages.Java)
	l.correct, l.find, l.unknown, l.head = correctJava, findJava, unknownJava, headJava
	return l
}

// javaImport is an import statement.
type javaImport struct {
	static bool
	path   string // a.b.C, a.b.*, a.b.C.method
}

var javaStatement = regexp.MustCompile(`^import\s+(static\s+)?([\w$.\s]+?(?:\.\s*\*)?)\s*;`)

func readJavaImport(statement string) (javaImport, bool) {
	m := javaStatement.FindStringSubmatch(strings.TrimSpace(statement))
	if m == nil {
		return javaImport{}, false
	}
	return javaImport{m[1] != "", strings.Join(strings.Fields(m[2]), "")}, true
}

func (i javaImport) String() string {
	if i.static {
		return "import static " + i.path + ";"
	}
	return "import " + i.path + ";"
}

// owner is what is before the last name, last the last name.
func (i javaImport) owner() string { return i.path[:max(0, strings.LastIndexByte(i.path, '.'))] }

func (i javaImport) last() string { return i.path[strings.LastIndexByte(i.path, '.')+1:] }

func isJava(p string) bool { return path.Ext(p) == ".java" }

var javaPackage = regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)\s*;`)

func packageOf(src []byte) string {
	if m := javaPackage.FindSubmatch(src); m != nil {
		return string(m[1])
	}
	return ""
}

// classes are the repository's top-level classes by simple name, with their
// packages.
func (f *Finder) classes(name string) []string {
	var out []string
	for _, p := range f.repo.Paths() {
		if isJava(p) && strings.TrimSuffix(path.Base(p), ".java") == name {
			if pkg := packageOf(f.text(p)); !slices.Contains(out, pkg) {
				out = append(out, pkg)
			}
		}
	}
	return out
}

// correctJava replaces the import of a class that should be in one of the
// repository's packages and is not, by that of the class of the same name.
func correctJava(f *Finder, statement string) []string {
	i, ok := readJavaImport(statement)
	if !ok || i.static || i.last() == "*" {
		return []string{strings.TrimSpace(statement)}
	}
	where := f.classes(i.last())
	if len(where) > 0 && !slices.Contains(where, i.owner()) && f.ourPackage(i.owner()) {
		return []string{javaImport{path: join(where[0], i.last())}.String()}
	}
	return []string{i.String()}
}

// ourPackage reports whether a package is below one of the repository's, or has
// its first two parts.
func (f *Finder) ourPackage(pkg string) bool {
	first := func(p string) string {
		parts := strings.Split(p, ".")
		return strings.Join(parts[:min(2, len(parts))], ".")
	}
	for _, p := range f.repo.Paths() {
		if !isJava(p) {
			continue
		}
		own := packageOf(f.text(p))
		if own != "" && (first(own) == first(pkg) || strings.HasPrefix(pkg, own+".")) {
			return true
		}
	}
	return false
}

func join(pkg, name string) string {
	if pkg == "" {
		return name
	}
	return pkg + "." + name
}

// findJava looks for an import of a name in other files, for a class of the
// repository, and in the lists of the JDK and of test libraries.
func findJava(f *Finder, name string) (string, bool) {
	own := packageOf(f.text(f.path))
	var tests, others []string
	word := name
	if isAssertion(name) {
		word = "static" // a file that imports one assertion knows where they are
	}
	for _, p := range f.mentioning(word, isJava) {
		for _, i := range javaImportsOf(f.text(p)) {
			switch {
			case i.static && isAssertion(name) && isAssertion(i.last()):
				tests = append(tests, javaImport{true, i.owner() + "." + name}.String())
			case i.last() != name:
			case f.lang.isTest(p):
				tests = append(tests, i.String())
			default:
				others = append(others, i.String())
			}
		}
	}
	if s := most(tests); s != "" {
		return s, true
	}
	for _, pkg := range f.classes(name) {
		if pkg != "" && pkg != own {
			return javaImport{path: join(pkg, name)}.String(), true
		}
	}
	if s := most(others); s != "" {
		return s, true
	}
	if pkg := jdkPackage(name); pkg != "" {
		return javaImport{path: pkg + "." + name}.String(), true
	}
	return "", false
}

// isAssertion reports whether a function is called as those of JUnit's classes of
// assertions are.
func isAssertion(name string) bool {
	rest, ok := strings.CutPrefix(name, "assert")
	return ok && upper(rest) && rest != "That" || name == "fail"
}

// javaImportsOf are the imports of a source.
func javaImportsOf(src []byte) []javaImport {
	var out []javaImport
	for line := range strings.Lines(string(src)) {
		if !strings.Contains(line, "import") {
			continue
		}
		if i, ok := readJavaImport(line); ok {
			out = append(out, i)
		}
	}
	return out
}

// unknownJava are the types, and the functions called without an object, that
// these lines use and nothing makes known.
func unknownJava(f *Finder, src []byte, lines []syntax.Range) []string {
	root, _, err := syntax.Nodes(languages.Java, src)
	if err != nil {
		return nil
	}
	known := f.knownJava(root, src)
	var out []string
	root.Walk(func(n *syntax.Node) bool {
		if n.Kind == "import_declaration" || n.Kind == "package_declaration" {
			return false
		}
		name, method := javaUse(n, src)
		if name != "" && on(lines, n.Line) && !known.has(name, method) && !slices.Contains(out, name) {
			out = append(out, name)
		}
		return true
	})
	slices.Sort(out)
	return out
}

// javaUse is the name that a node uses and that an import may make known.
func javaUse(n *syntax.Node, src []byte) (name string, method bool) {
	switch {
	case n.Kind == "type_identifier" && (n.Parent == nil || n.Parent.Kind != "scoped_type_identifier" || n.Parent.Children[0] == n):
		return n.Text(src), false
	case n.Kind == "identifier" && n.Parent != nil && n.Field == "name" && (n.Parent.Kind == "annotation" || n.Parent.Kind == "marker_annotation"):
		return n.Text(src), false
	case n.Kind == "identifier" && n.Field == "object" && upper(n.Text(src)):
		return n.Text(src), false
	case n.Kind == "method_invocation" && n.Get("object") == nil:
		return n.Get("name").Text(src), true
	}
	return "", false
}

func upper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// javaNames are the names that a file knows.
type javaNames struct {
	f        *Finder
	names    map[string]bool
	packages []string // imported as a whole
	owners   []string // classes whose static members are
	own      string
	inherits bool // a class of the file has a superclass: its methods are not known
}

func (f *Finder) knownJava(root *syntax.Node, src []byte) javaNames {
	k := javaNames{f: f, names: map[string]bool{}, own: packageOf(src)}
	for _, i := range javaImportsOf(src) {
		switch {
		case i.last() != "*":
			k.names[i.last()] = true
		case i.static:
			k.owners = append(k.owners, i.owner())
		default:
			k.packages = append(k.packages, i.owner())
		}
	}
	root.Walk(func(n *syntax.Node) bool {
		switch n.Kind {
		case "superclass":
			k.inherits = true
		case "type_parameter":
			for _, c := range n.Items() {
				k.names[c.Text(src)] = true
			}
		case "variable_declarator", "formal_parameter":
			k.names[n.Get("name").Text(src)] = true
		}
		if strings.HasSuffix(n.Kind, "_declaration") {
			k.names[n.Get("name").Text(src)] = true
		}
		return true
	})
	return k
}

// has reports whether a name is known, or nothing can be done about it.
func (k javaNames) has(name string, method bool) bool {
	if k.names[name] || !method && slices.Contains(javaLang(), name) {
		return true
	}
	if !method && slices.Contains(k.f.classes(name), k.own) {
		return true
	}
	s, ok := k.f.For(name)
	i, _ := readJavaImport(s)
	switch {
	case !ok || i.static != method:
		return true // nothing to import
	case method:
		return slices.Contains(k.owners, i.owner()) || k.inherits
	}
	return slices.Contains(k.packages, i.owner())
}

// headJava is after the package.
func headJava(lines []string) int {
	for i, line := range lines {
		if javaPackage.MatchString(line) {
			return i + 1
		}
	}
	return 0
}

// jdkPackage is the package of a class of the JDK that tests often use; "" for
// others.
func jdkPackage(name string) string {
	for pkg, names := range map[string]string{
		"java.util":            "ArrayDeque ArrayList Arrays Base64 BitSet Calendar Collection Collections Comparator Date Deque EnumMap EnumSet HashMap HashSet Iterator LinkedHashMap LinkedHashSet LinkedList List ListIterator Locale Map NoSuchElementException Objects Optional PriorityQueue Properties Queue Random Scanner Set SortedMap SortedSet Stack StringJoiner TimeZone TreeMap TreeSet UUID Vector",
		"java.io":              "BufferedReader BufferedWriter ByteArrayInputStream ByteArrayOutputStream File FileInputStream FileOutputStream FileReader FileWriter IOException InputStream InputStreamReader ObjectInputStream ObjectOutputStream OutputStream PrintStream PrintWriter Reader Serializable StringReader StringWriter UncheckedIOException Writer",
		"java.math":            "BigDecimal BigInteger MathContext RoundingMode",
		"java.nio.charset":     "Charset StandardCharsets",
		"java.nio.file":        "Files Path Paths",
		"java.time":            "Clock Duration Instant LocalDate LocalDateTime LocalTime OffsetDateTime Period ZoneId ZoneOffset ZonedDateTime",
		"java.util.concurrent": "Callable CompletableFuture ConcurrentHashMap ConcurrentMap CountDownLatch ExecutionException Executor ExecutorService Executors Future TimeUnit TimeoutException",
		"java.util.function":   "BiConsumer BiFunction BinaryOperator Consumer Function Predicate Supplier UnaryOperator",
		"java.util.regex":      "Matcher Pattern PatternSyntaxException",
		"java.util.stream":     "Collectors IntStream LongStream Stream",
		"java.net":             "URI URISyntaxException URL",
	} {
		if slices.Contains(strings.Fields(names), name) {
			return pkg
		}
	}
	return ""
}

// javaLang are the classes that are always known.
func javaLang() []string {
	return strings.Fields("Appendable ArithmeticException ArrayIndexOutOfBoundsException AssertionError AutoCloseable Boolean Byte CharSequence Character Class ClassCastException ClassNotFoundException ClassLoader CloneNotSupportedException Cloneable Comparable Deprecated Double Enum Error Exception Float FunctionalInterface IllegalArgumentException IllegalStateException IndexOutOfBoundsException Integer InterruptedException Iterable Long Math NegativeArraySizeException NoSuchFieldException NoSuchMethodException NullPointerException Number NumberFormatException Object OutOfMemoryError Override Process ProcessBuilder Record Runnable Runtime RuntimeException SafeVarargs Short StackOverflowError String StringBuffer StringBuilder StringIndexOutOfBoundsException SuppressWarnings System Thread ThreadLocal Throwable UnsupportedOperationException Void")
}
