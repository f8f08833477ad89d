import com.sun.source.util.JavacTask;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Parser;
import org.openrewrite.PrintOutputCapture;
import org.openrewrite.Recipe;
import org.openrewrite.Result;
import org.openrewrite.SourceFile;
import org.openrewrite.config.Environment;
import org.openrewrite.config.YamlResourceLoader;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.style.Autodetect;
import org.openrewrite.java.tree.J;

/**
 * Mends Java files in place with OpenRewrite's recipes: {@code Fix DIR}, started in the repository.
 * DIR/files names the files, DIR/recipes.yml is a declarative recipe whose parts are run one by one.
 *
 * <p>Types are known as far as the sources round the files tell. Recipes go wrong where types are
 * missing or stale; so files are parsed anew after each change, and a change that brings or hides an error
 * of the compiler is undone.
 */
class Fix {
  /** Sources that are read for their types, at most; the nearest come first. */
  private static final int NEIGHBOURS = 1000;

  private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");

  /** What Java's serialization calls by name: not unused, though nothing in the sources uses it. */
  private static final Pattern HOOK =
      Pattern.compile("\\b(?:(?:read|write)Object|readObjectNoData|readResolve|writeReplace)\\s*\\(|\\bserialVersionUID\\b");

  private final Path dir;
  private final Path root = Path.of("").toAbsolutePath();
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final JavaParser parser;
  private final Map<Path, Charset> charsets = new HashMap<>();

  /** The text of every source, those that may be changed first. */
  private final Map<Path, String> texts = new LinkedHashMap<>();

  private final Set<Path> asked = new TreeSet<>();
  private List<SourceFile> trees;
  private Map<String, Integer> problems;

  private Fix(Path dir) throws IOException {
    this.dir = dir;
    // Nothing but the sources is on the class path: this program's own is not the project's.
    this.parser = JavaParser.fromJavaVersion().classpath(List.of(Files.createDirectories(dir.resolve("none")))).logCompilationWarningsAndErrors(false).build();
  }

  public static void main(String[] args) throws IOException {
    new Fix(Path.of(args[0])).run();
  }

  private void run() throws IOException {
    load();
    Map<Path, String> before = new HashMap<>(texts);
    problems = problems(texts);
    trees = parse();
    for (Recipe recipe : recipes().getRecipeList()) {
      apply(recipe);
    }
    for (Path file : asked) {
      if (!texts.get(file).equals(before.get(file))) {
        Files.write(root.resolve(file), texts.get(file).getBytes(charsets.get(file)));
      }
    }
  }

  private Recipe recipes() throws IOException {
    ByteArrayInputStream data = new ByteArrayInputStream(Files.readAllBytes(dir.resolve("recipes.yml")));
    YamlResourceLoader loader = new YamlResourceLoader(data, URI.create("recipes.yml"), new Properties());
    return Environment.builder().load(loader).build().activateRecipes("assay.Fix");
  }

  private void load() throws IOException {
    for (String line : Files.readAllLines(dir.resolve("files"))) {
      Path file = Path.of(line).normalize();
      // These hold no code to mend, and the parser has no tree for them.
      if (!file.endsWith("module-info.java") && !file.endsWith("package-info.java")) {
        asked.add(file);
        texts.put(file, read(file));
      }
    }
    for (Path file : neighbours()) {
      texts.putIfAbsent(file, read(file));
    }
  }

  private String read(Path file) throws IOException {
    byte[] data = Files.readAllBytes(root.resolve(file));
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(data)).toString();
      charsets.put(file, StandardCharsets.UTF_8);
      return text;
    } catch (CharacterCodingException e) {
      charsets.put(file, StandardCharsets.ISO_8859_1);
      return new String(data, StandardCharsets.ISO_8859_1);
    }
  }

  private List<Path> neighbours() throws IOException {
    Set<Path> found = new TreeSet<>();
    for (Path home : homes()) {
      try (Stream<Path> all = Files.walk(root.resolve(home))) {
        all.filter(p -> p.toString().endsWith(".java") && Files.isRegularFile(p)).map(root::relativize)
            .filter(p -> !p.endsWith("module-info.java") && !p.endsWith("package-info.java")).forEach(found::add);
      }
    }
    Set<Path> near = asked.stream().map(Path::getParent).collect(Collectors.toSet());
    return found.stream().sorted(Comparator.comparing((Path p) -> !near.contains(p.getParent())))
        .limit(NEIGHBOURS).collect(Collectors.toList());
  }

  /** The directories that the packages of the files are counted from; for tests, the code's too. */
  private Set<Path> homes() {
    Set<Path> homes = new TreeSet<>();
    for (Path file : asked) {
      Path home = root.resolve(file).getParent();
      Matcher name = PACKAGE.matcher(texts.get(file));
      Path inside = Path.of(name.find() ? name.group(1).replace('.', '/') : "");
      if (home.endsWith(inside)) {
        home = home.getRoot().resolve(home.subpath(0, home.getNameCount() - (inside.toString().isEmpty() ? 0 : inside.getNameCount())));
      }
      homes.add(root.relativize(home));
      Path main = home.resolve("../../main/java").normalize();
      if (home.endsWith("src/test/java") && Files.isDirectory(main)) {
        homes.add(root.relativize(main));
      }
    }
    return homes;
  }

  /** The trees of the files asked for; one that cannot be parsed is left alone. */
  private List<SourceFile> parse() {
    parser.reset();
    List<Parser.Input> inputs = new ArrayList<>();
    texts.forEach((file, text) -> inputs.add(Parser.Input.fromString(root.resolve(file), text, charsets.get(file))));
    return parser.parseInputs(inputs, root, new InMemoryExecutionContext(e -> {})).limit(asked.size())
        .filter(tree -> tree instanceof J.CompilationUnit).map(Fix::inItsStyle).collect(Collectors.toList());
  }

  /** Marks a tree with the indentation and spaces of its file, so that recipes keep to them. */
  private static SourceFile inItsStyle(SourceFile tree) {
    Autodetect.Detector detector = Autodetect.detector();
    detector.sample(tree);
    return tree.withMarkers(tree.getMarkers().add(detector.build()));
  }

  private void apply(Recipe recipe) {
    Map<Path, String> changed = new LinkedHashMap<>();
    for (Result r : recipe.run(new InMemoryLargeSourceSet(trees), new InMemoryExecutionContext(e -> {})).getChangeset().getAllResults()) {
      if (r.getBefore() == null || r.getAfter() == null || !asked.contains(r.getAfter().getSourcePath())) {
        continue;
      }
      String text = r.getAfter().printAll(new PrintOutputCapture<>(0, new PrintOutputCapture.MarkerPrinter() {}));
      // A recipe that fails leaves a marker, which is printed by default.
      if (text.equals(r.getAfter().printAll()) && hooks(text) >= hooks(texts.get(r.getAfter().getSourcePath()))) {
        changed.put(r.getAfter().getSourcePath(), text);
      }
    }
    int kept = keep(changed);
    if (!changed.isEmpty()) {
      System.out.printf("%s: %d files changed, %d undone%n", recipe.getName(), kept, changed.size() - kept);
    }
    if (kept > 0) {
      trees = parse();
    }
  }

  private static long hooks(String text) {
    return HOOK.matcher(text).results().count();
  }

  /** Takes the changes that compile as what was there does: all, else one by one. */
  private int keep(Map<Path, String> changed) {
    if (changed.isEmpty() || take(changed)) {
      return changed.size();
    }
    int kept = 0;
    for (Map.Entry<Path, String> one : changed.entrySet()) {
      kept += changed.size() > 1 && take(Map.of(one.getKey(), one.getValue())) ? 1 : 0;
    }
    return kept;
  }

  private boolean take(Map<Path, String> changed) {
    Map<Path, String> next = new LinkedHashMap<>(texts);
    next.putAll(changed);
    Map<String, Integer> now = problems(next);
    // Fewer errors are no gain: an import that is not known may be needed all the same.
    if (!now.equals(problems)) {
      return false;
    }
    texts.putAll(changed);
    return true;
  }

  /** The compiler's errors, counted; without their lines, which a change moves. */
  private Map<String, Integer> problems(Map<Path, String> sources) {
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((file, text) -> units.add(new Source(root.resolve(file), text)));
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options = List.of("-cp", dir.resolve("none").toString(), "-proc:none", "-Xlint:none", "-Xmaxerrs", "1000000", "-XDshould-stop.ifError=FLOW");
    Map<String, Integer> counts = new HashMap<>();
    try {
      ((JavacTask) compiler.getTask(null, null, found, options, null, units)).analyze();
    } catch (IOException | RuntimeException e) {
      counts.put("the compiler itself fails", 1);
    }
    for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR) {
        String file = d.getSource() == null ? "" : d.getSource().getName();
        counts.merge(file + ": " + d.getMessage(Locale.ENGLISH), 1, Integer::sum);
      }
    }
    return counts;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    private Source(Path path, String text) {
      super(path.toUri(), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
