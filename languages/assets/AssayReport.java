import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Scanner;

/** The results of tests, as Surefire writes them. */
final class AssayReport {
  private final StringBuilder cases = new StringBuilder();
  private boolean failed;

  /** The system properties that a file holds and this JVM has not. */
  static void properties(String file) throws Exception {
    Properties all = new Properties();
    FileInputStream in = new FileInputStream(file);
    all.load(in);
    in.close();
    for (Map.Entry<Object, Object> e : all.entrySet()) {
      String name = (String) e.getKey();
      if (System.getProperty(name) == null && !name.startsWith("java.") && !name.startsWith("surefire.")) System.setProperty(name, (String) e.getValue());
    }
  }

  /** The classes that a file names, one a line. Those that are not there are left out. */
  static List<Class<?>> classes(String file) throws Exception {
    List<Class<?>> out = new ArrayList<Class<?>>();
    Scanner lines = new Scanner(new File(file), "UTF-8");
    while (lines.hasNextLine()) {
      String name = lines.nextLine().trim();
      try {
        if (name.length() > 0) out.add(Class.forName(name, false, AssayReport.class.getClassLoader()));
      } catch (ClassNotFoundException e) {
        System.err.println(e);
      }
    }
    lines.close();
    return out;
  }

  synchronized void add(String type, String name, Throwable thrown, boolean skipped) {
    cases.append("<testcase classname=\"").append(escaped(type)).append("\" name=\"").append(escaped(name)).append("\">");
    if (skipped) {
      cases.append("<skipped/>");
    } else if (thrown != null) {
      failed = true;
      String kind = thrown instanceof AssertionError ? "failure" : "error";
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      cases.append("<").append(kind).append(" message=\"").append(escaped(String.valueOf(thrown.getMessage())));
      cases.append("\" type=\"").append(escaped(thrown.getClass().getName())).append("\">").append(escaped(trace.toString()));
      cases.append("</").append(kind).append(">");
    }
    cases.append("</testcase>\n");
  }

  /** Writes the report and ends the JVM, whatever threads the tests left. */
  void end(String folder) throws Exception {
    Writer out = new java.io.OutputStreamWriter(new FileOutputStream(folder + "/TEST-assay.xml"), "UTF-8");
    out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"assay\">\n" + cases + "</testsuite>\n");
    out.close();
    Runtime.getRuntime().halt(failed ? 1 : 0);
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '&') out.append("&amp;");
      else if (c == '<') out.append("&lt;");
      else if (c == '"') out.append("&quot;");
      else if (c == '\n' || c == '\t' || c >= ' ' && c < 0xd800 || c > 0xdfff && c < 0xfffe) out.append(c);
      else out.append('?');
    }
    return out.toString();
  }
}
